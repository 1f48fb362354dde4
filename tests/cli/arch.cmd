# architectures and products
wsim arch h100 'NVIDIA A100-SXM4-80GB' jetson-orin 'Quadro RTX 6000' 'RTX 4080 SUPER' gb300
wsim arch gb200 --format json
wsim arch --format csv | wc -l
wsim arch rtx4900 2>&1 | cut -c 1-80; wsim arch sm_90 x; echo "status $?"
