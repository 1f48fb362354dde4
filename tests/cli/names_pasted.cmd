# PTX with its operands, quoted or not, and asm of C
wsim layout ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1]\; --lane 9
wsim layout 'asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
             "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};\n" // a comment; "quoted"
             : "+f"(d[0]) : "r"(a[0]));' --operand d --lane 1
wsim layout 'asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %6, 0;\n\t"
  "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, p, 1, 1, 0, 0;\n}\n" :: "r"(x))' \
  --operand d --lane 1 --reg 0
wsim layout 'asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1]; ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %2}, [%1];")'; echo "status $?"
wsim layout 'asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f23 {%0};")'; echo "status $?"
wsim layout 'asm volatile("" ::: "memory");'
