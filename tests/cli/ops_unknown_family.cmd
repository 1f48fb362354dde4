wsim ops --family tcgen05
