# numbers that belong to the instruction are looked at, what stands for one is not
wsim check 'cp.async.cg.shared.global [%r0], [%rd1], 8;' 'cp.async.cg.shared.global [%r0], [%rd1], 16;' \
    'cp.async.ca.shared.global [%r0+4], [%rd1], 12, %r1;' 'cp.async.ca.shared.global [%0], [%1], %2;' \
    'cp.async.ca.shared.global [%r0], [%rd1], 0x10;' 'cp.async.cg.shared.global [%r0], [%rd1]'
wsim check 'wgmma.wait_group.sync.aligned;' 'wgmma.wait_group.sync.aligned 1;' wgmma.wait_group.sync.aligned
