wsim ops --family tcgen06
