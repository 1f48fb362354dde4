wsim ops --arch sm_99
