# CUDA C++: a compiler that stands for nvcc prints how it is called
cat >nvcc <<'END'
#!/bin/sh
echo "nvcc $*" | sed 's| -o [^ ]*/| -o FOLDER/|'
for word; do
    [ "$before" != -o ] || to=$word
    before=$word
done
[ "${to%/*}" = "$TMPDIR" ] && echo "$TMPDIR" >folder
touch "$TMPDIR/tmpxft"
case $* in *bad*) echo "bad.cu(1): error: \"\033[1mb\" is undefined"; exit 2 ;; esac
cat >"$to" <<END2
.version 9.0
.target sm_90a
.address_size 64
.visible .entry ${name:-one}(.param .u64 out)
{
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out];
    st.global.u32 [%rd1], 5;
    ret;
}
END2
END
chmod +x nvcc
gone() { if [ -d "$(cat folder)" ]; then echo "a folder is left"; fi; rm folder; }
echo '__global__ void one(int *out) { *out = 5; }' >one.cu
wsim run one.cu --nvcc ./nvcc --arg 'out[4]' --lines 0; gone
printf '%s\n' '__global__ void one(int *out) { *out = 5; }' 'int main() { one<<<1, 1>>>(0); }' >whole.cu
wsim run whole.cu --nvcc ./nvcc --lines 0; gone
wsim run whole.cu --nvcc ./nvcc --arg 'out[4]' --lines 0 | tail -1; gone
NVCC=./nvcc wsim run one.cu --arch a100 --arg 'out[4]' --lines 1; gone
mkdir -p cuda/bin sub && cp nvcc cuda/bin && cp one.cu sub/-two.cu
NVCC= CUDA_HOME=cuda wsim run sub/-two.cu --arg 'out[4]' --lines 0; gone
mkdir bin && mv nvcc bin && cp one.cu -- -three.cu
PATH=$PWD/bin:$PATH NVCC= CUDA_HOME= CUDA_PATH= wsim run --arg 'out[4]' --lines 0 -- -three.cu; gone
wsim run one.cu one.cu --nvcc bin/nvcc --arg 'out[4]' --lines 0; gone
cp one.cu bad.cu
wsim run bad.cu --nvcc bin/nvcc --arg 'out[4]'; echo "exit $?"; gone
cp one.cu '$(touch x).cu'
wsim run '$(touch x).cu' --nvcc bin/nvcc --arg 'out[4]'
mkdir '`touch x`' && cp one.cu '`touch x`'
(cd '`touch x`' && wsim run one.cu --nvcc ../bin/nvcc --arg 'out[4]' 2>&1 | sed "s|'/.*/|'FOLDER/|")
[ ! -e x ] && [ ! -e '`touch x`/x' ] || echo 'a shell ran the name'
wsim run one.cu --nvcc ./none
NVCC=none wsim run one.cu
wsim run one.cu --arch sm_1
wsim run none.ptx --nvcc bin/nvcc
echo '{"ptx": "none.ptx", "launches": [{"args": [{"buffer": "out"}]}], "buffers": {"out": {"bytes": 4}}}' >l.json
wsim run --launch l.json one.cu --nvcc bin/nvcc --lines 0; gone
