# numbers as bits and bits as numbers, in every format
wsim number e4m3 0.1 448 0x7f; echo "status $?"
wsim number -- HALF 1 -0 65504 -0.1 0x3c01; echo "status $?"
wsim number fp8 nan; wsim number all 6; echo "status $?"
wsim number all inf | tail -4
wsim number bf16 3.14159 --format json; wsim number u64 18446744073709551615 --format csv
wsim number f16 0.1x; wsim number e4m3 inf; wsim number f17 1; wsim number f16; wsim number b128 1; wsim number all x
