# an asm statement of C is checked as the PTX that it holds
wsim check 'asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %2, 0;\n\t"
  "@p ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0}, [%1];\n\t" /* "not this" */
  "ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%0}, [%1]; }\n" : "=r"(x) : "r"(y));'
