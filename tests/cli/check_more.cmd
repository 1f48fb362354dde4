# more mistakes than are listed, and more unmodelled things: their number, in each format
awk 'BEGIN {
    print ".version 9.0\n.target sm_90a\n.address_size 64\n.entry k()\n{\n.reg .b32 %r<2>;"
    for (i = 0; i < 1234; i++)
        print "mov.u32 %r1, name" i ";"
    print "}"
}' >a.ptx
sed 's/mov.u32 %r1, name\(.*\);/multimem.red.x\1 [%r1], %r1;/' a.ptx >b.ptx
wsim check a.ptx | tail -5
wsim check --format json a.ptx | grep -A2 -B2 -e '234 more'
wsim check --format sarif a.ptx | grep -o '"text": "234 more[^"]*"'
wsim check --contents a.ptx | tail -1
wsim check --contents b.ptx | tail -1
wsim check b.ptx | tail -3
wsim check --contents --format json b.ptx | grep -e '"count": 234' -e '234 more'
