# tables of other commands as pages: numbers in bits, architectures, rows of memory, recordings
wsim number e4m3 0.1 448 0x7f 1e9 --format md; echo $?
wsim number all 0.1 --format md | grep '^|' | cut -c1-60
wsim number s8 300 --format md
wsim number f16 1 "$(printf '<script>')" --format html
wsim number f16 1 --format svg | grep -o '<title>[^<]*' | sort | uniq -c
wsim arch --format md | head -8
wsim arch h100 "rtx4090" --format svg | grep -c '<rect'
wsim arch --format cute
fits="wsim fits ldmatrix.sync.aligned.m8n8.x4.shared.b16 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
$fits --operand a --pitch 128 --format md
$fits --operand b --format md
wsim fits ldmatrix.sync.aligned.m8n8.x2.shared.b16 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand b --major mn --format md; echo $?
wsim fits ldmatrix.sync.aligned.m8n8.x2.shared.b16 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand b --major mn --format html | grep -c '<td'
wsim layout ldmatrix.sync.aligned.m8n8.x4.shared.b16 --addresses --batch 1 --format md
wsim layout ldmatrix.sync.aligned.m8n8.x4.shared.b16 --addresses --lane 3 --row 7 --format svg; echo $?
wsim layout ldmatrix.sync.aligned.m8n8.x4.shared.b16 --addresses --format cute
