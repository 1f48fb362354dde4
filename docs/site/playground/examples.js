// The examples of the playground; build.sh writes their files into files.js. A test runs each command here and with the program, and compares the answers.
'use strict';
const EXAMPLES = [
  {
    group: 'Instructions', title: 'Which lane holds which element?',
    about: 'The fragments of an mma: lane and register of each element of A, B, C and D.',
    command: 'layout m16n8k16.f32.f16',
  },
  {
    group: 'Instructions', title: 'How is one element computed?',
    about: 'Every addend of one sum, the alignment, and the bits that the tensor core of an H100 drops.',
    command: 'why m16n8k16.f32.f16 --element 3,5 --a random:1 --b random:2 --arch h100',
  },
  {
    group: 'Instructions', title: 'Where do A100 and H100 differ?',
    about: 'The same operands on two architectures, bit for bit.',
    command: 'exec --compare m16n8k16.f32.f16 --arch a100,h100 --a random:1 --b random:2 --c random:3',
  },
  {
    group: 'Instructions', title: 'Does my ldmatrix load operand A?',
    about: 'The address expression of each lane is compared with the row that the mma needs.',
    command: "layout --fits ldmatrix.sync.aligned.m8n8.x4.shared.b16 m16n8k16.f32.f16 --operand a --addr 'lane/2*32 + lane%2*16'",
  },
  {
    group: 'Instructions', title: 'Is this spelling legal?',
    about: 'A refusal names the rule, the value and the nearest legal choice.',
    command: 'check --arch sm_89 mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32', format: 'text',
  },
  {
    group: 'Instructions', title: 'Convert numbers to the bits of a format',
    about: 'One value in every format of the tensor cores.',
    command: 'number all 0.1',
  },
  {
    group: 'Memory', title: 'Bank conflicts of a column',
    about: 'A column of a 32x32 tile without padding: 32 passes. Change 32 to 33.',
    command: "banks ld.shared.f32 --decl 'float tile[32][32]' --addr 'tile[threadIdx.x][0]'",
  },
  {
    group: 'Memory', title: 'Bank conflicts of ldmatrix rows',
    about: 'Rows with a pitch of 64 bytes.',
    command: "banks ldmatrix.sync.aligned.m8n8.x4.shared.b16 --addr 'lane%16*64 + lane/16*16'",
  },
  {
    group: 'Memory', title: 'Sectors of a global load',
    about: 'Thirty-two lanes at a stride of 8 bytes.',
    command: "banks ld.global.f32 --addr 'lane*8'",
  },
  {
    group: 'Memory', title: 'A 128-byte swizzle',
    about: 'Where the swizzle of TMA and wgmma puts each 16-byte piece.',
    command: 'desc swizzle 128B --pitch 128',
  },
  {
    group: 'Memory', title: 'A tile of TMA',
    about: 'A box that leaves the tensor: which elements arrive where, and which are filled.',
    command: 'tma show --dtype INT32 --dims 40,40 --strides 160 --box 32,8 --coord 12,36',
  },
  {
    group: 'Memory', title: 'A matrix descriptor of wgmma',
    about: 'The descriptor of operand B, K-major, with a 128-byte swizzle.',
    command: 'desc encode --tile b,64x128,f16 --major k --swizzle 128B --at 0x400', format: 'text',
  },
  {
    group: 'Kernels', title: 'A missing __syncthreads()',
    about: 'A kernel reverses 64 numbers in shared memory. The barrier between its two lines is missing.',
    command: "run reverse.ptx --block 64 --arg 'float x[64]=0' --lines 0",
    files: ['reverse.ptx'], format: 'text',
  },
  {
    group: 'Kernels', title: 'Cost of each line of a GEMM with mma',
    about: 'A 64x64 product of f16 matrices by mma.sync: wavefronts, conflicts and sectors of each source line.',
    command: "run gemm_mma.ptx --block 128 --arg 'A[8192]=60' --arg 'B[8192]=60' --arg 'C[16384]' --arg s32:64 --arg s32:64 --arg s32:64",
    files: ['gemm_mma.ptx'],
  },
  {
    group: 'Kernels', title: 'Lint of inline assembly',
    about: 'Mistakes in asm statements, found before a compiler sees them.',
    command: 'check --arch sm_90a garbage.cu', files: ['garbage.cu'], format: 'text',
  },
];
