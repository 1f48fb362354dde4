wsim ops --family wgmma
