wsim ops --format xml
