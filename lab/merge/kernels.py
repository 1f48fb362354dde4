#!/usr/bin/env python3
"""kernels.py FIRST END: random CUDA C kernels with neighbouring accesses of shared memory, one for each number

Pairs of stores as in an epilogue, unrolled and rolled loops, guarded loads, several static arrays, 16-bit and 64-bit
elements. tests/kernels/joined has 72 of them with the counters of an H200."""
import random
import sys


def kernel(seed):
    R=random.Random(seed); n=R.choice([1,1,2,3]); arrs=[]; L=[]
    ty=R.choice(['float','float','int','double','float2'])
    if ty=='float2': ty='float'
    for i in range(n):
        arrs.append((f's{i}',R.choice(['float','int','unsigned short','double']) if i and R.random()<.5 else ty,R.choice([512,516,520,1024,1028,1032,2048,520+R.randrange(4)])))
    dyn=R.random()<.2
    for a,t,s in arrs: L.append(f'  __shared__ {t} {a}[{s}];')
    if R.random()<.3: L.append('  __shared__ int unused[33]; if(n<-5) unused[n&31]=n;' if R.random()<.5 else '  __shared__ int unused[33];')
    a,t,s=arrs[0]
    L.append('  int t=threadIdx.x, l=t&31, w=t>>5;')
    L.append(f'  for(int i=t;i<{s};i+=128) {a}[i]=({t})x[i];')
    for b,tb,sb in arrs[1:]: L.append(f'  for(int i=t;i<{sb};i+=128) {b}[i]=({tb})x[i+1];')
    L.append('  __syncthreads();')
    L.append('  float acc=0;')
    for _ in range(R.randrange(1,5)):
        k=R.randrange(9)
        b,tb,sb=R.choice(arrs)
        if k==0:
            p=R.choice([16,20,32,36,64]); m=R.randrange(2,4)
            L.append(f'  {{ int row=(t%32)/4, col=(t%4)*2; for(int j=0;j<{m};j++){{ {b}[(row*{p}+col+8*j)%{sb-1 if R.random()<.2 else 510}]=({tb})(acc+j); {b}[(row*{p}+col+8*j)%510+1]=({tb})(acc-j);}} __syncthreads(); }}')
        elif k==1:
            p=R.choice([8,12,16,24]); m=R.choice([2,3,4,8])
            L.append(f'  {{ int q=l*{R.choice([1,2,4,8])}; ')
            L.append(f'#pragma unroll\n  for(int j=0;j<{m};j++) acc+=(float){b}[(q&255)+j]; }}')
        elif k==2:
            L.append(f'  for(int j=0;j<n;j++) acc+=(float){b}[l*{R.choice([1,4,8,16])}+j];')
        elif k==3:
            L.append(f'  for(int j=0;j<{R.choice([5,16,32,64,100])};j++) acc+=(float){b}[l*{R.choice([1,4])}+j];')
        elif k==4:
            L.append(f'  if(n>{R.randrange(3)}+l) {{ acc+=(float){b}[l*4]; acc*=(float){b}[l*4+1]; }}')
        elif k==5:
            L.append(f'  acc+=(float)({b}[2*l]*{b}[2*l+1]); {b}[2*l+{R.choice([0,1,2])}+64]=({tb})acc; acc+=(float){b}[4*l+{R.randrange(3)}]; __syncthreads();')
        elif k==6:
            L.append(f'  {b}[t*2]=({tb})(acc+1); {b}[t*2+1]=({tb})(acc+2); {"__syncthreads();" if R.random()<.7 else "__syncwarp();"} acc+=(float){b}[(t*2+{R.choice([2,4,8])})&255]+(float){b}[((t*2+{R.choice([2,4,8])})&255)+1]; __syncthreads();')
        elif k==7:
            m=R.choice([2,4,8])
            L.append(f'  for(int j=0;j<n*{m};j+={m}) {{')
            L.append(f'#pragma unroll\n  for(int i=0;i<{m};i++) acc=acc*1.5f+(float){b}[(l*{m}+j+i)];\n  }}')
        else:
            L.append(f'#pragma unroll {R.choice([1,2,4])}\n  for(int j=0;j<{R.choice([12,16,33])};j++) {{ acc+=(float){b}[j*4+(l&3)]*{R.choice(arrs)[0]}[j]; }}')
    L.append('  y[t]=acc; __syncthreads();')
    L.append(f'  for(int i=t;i<{s};i+=128) y[128+i]=(float){a}[i];')
    return f'extern "C" __global__ void k{seed}(const float*x,float*y,int n) {{\n'+'\n'.join(L)+'\n}\n'


if __name__ == "__main__":
    print("".join(kernel(number) for number in range(int(sys.argv[1]), int(sys.argv[2]))), end="")
