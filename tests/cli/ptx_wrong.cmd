# what is not PTX: all of it with lines, columns and what may be meant; exit status 2
cat >a.ptx <<'END'
.version 8.0
.target sm_90a
.address_size 64
.global .u32 x[2] = {1, 2, 3};
.entry k(.param .u64 t)
{
    .reg .b32 %r<6>, count;
    add.s32 %r1, %r2
    add.s32 %r1, %r2;
    add.s32 %r1, cuont, 0xZ;
    add.s32 %r1, cuont, 4;
    add.f32 %r1, %r1, 1;
    bra LOOP;
    tex.1d.v4.s32.s32 {%r1, %r2, %r3, %r4}, [x, {%r5}];
LOPP:
    ret;
}
END
wsim ptx a.ptx
wsim ptx --json a.ptx
echo '#include <x>' | wsim ptx -
head -c 100 /dev/zero | wsim ptx -
wsim ptx no_such.ptx
wsim ptx
wsim ptx a.ptx --lines
