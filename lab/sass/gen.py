"""gen.py - draws masks and addresses of wide loads into pat.txt; see README.md."""
import random
R=random.Random(5); L=[]
def add(w,mask,addr): L.append('%d %08x %s'%(w,mask,' '.join(str(a) for a in addr)))
def lin(w): return [l*w for l in range(32)]
for w in (16,8):
    for s in (2,3,4,5,6,7,8):
        for r in range(s): add(w,sum(1<<l for l in range(32) if l%s==r),lin(w))
    n=[(2*l%11)+1 for l in range(32)]
    for lo in range(2,12): add(w,sum(1<<l for l in range(32) if n[l]>=lo),lin(w))
    for a in range(0,32,2):
        for b in (a+1,a+2,a+3,a+4,a+8,a+16):
            if b<32 and (a in(0,6,16,30)): add(w,1<<a|1<<b,lin(w))
    # sparse random masks with no i^1 neighbours active, or no i^2
    for _ in range(90):
        m=0
        for p in range(16):
            c=R.choice([0,1,2]); m|=(0,1,2)[c]<<(2*p)
        add(w,m,lin(w))
    for _ in range(90):
        m=0
        for q in range(8):
            for o in (0,1):
                c=R.choice([0,1,4]); m|=(c<<o)<<(4*q)
        add(w,m,lin(w))
    for d in (.1,.2,.3,.5,.8):
        for _ in range(16): add(w,sum(1<<l for l in range(32) if R.random()<d),lin(w))
    # full masks: addresses equal in pairs
    for _ in range(60):
        a=[0]*32; x=R.choice([1,2])
        for l in range(32): a[l]=R.randrange(0,64)*w
        for l in range(32): a[l]=a[min(l,l^x)]
        add(w,0xffffffff,a)
        add(w,R.getrandbits(32),a)
    # mixed: half of the warp agrees by ^1, the other by ^2, or not
    for _ in range(60):
        a=[R.randrange(0,64)*w for _ in range(32)]
        for h in range(4):
            x=R.choice([0,1,2])
            for l in range(8*h,8*h+8):
                if x: a[l]=a[min(l,l^x)]
        add(w,R.choice([0xffffffff,R.getrandbits(32)]),a)
    # sparse mask without neighbours, random addresses; inactive lanes far away or the same
    for _ in range(60):
        m=0
        for p in range(16): m|=R.choice([0,1,2])<<(2*p)
        a=[R.randrange(0,64)*w for _ in range(32)]
        if R.random()<.5:
            for l in range(32):
                if not m>>l&1: a[l]=0
        add(w,m,a)
open('pat.txt','w').write('\n'.join(L)+'\n'); print(len(L))
