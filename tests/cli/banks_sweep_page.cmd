# of each step a card, and the passes through each bank with their sum
wsim banks ld.shared.b32 --addr 'lane * pitch + 4 * x' --let x=3,pitch=64..72:8 --mask 0xff --format md; echo $?
wsim banks ld.shared.b32 --addr 'lane * pitch' --let pitch=64..72:4 --fail-on-conflicts --format svg >a.svg; echo $?
grep -c 'pass' a.svg
wsim banks cp.async.ca.shared.global --size 16 --mask 0xf --addr 'lane * 16' --src 'lane * (64 + k * 16)' --let k=0..1 --format md
wsim banks ld.shared.b32 --addr 'lane * k' --let k=0..396:4 --format md | grep -c '^### '
wsim banks ld.shared.b32 --addr 'lane * k' --let k=0..396:4 --format md | grep first
wsim banks ld.shared.b32 --addr 'lane * k - 4' --let k=0..4 --format html
wsim banks ld.shared.b32 --addr 'lane * k' --let k=0..4:4 --format cute
