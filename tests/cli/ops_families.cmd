wsim ops --format csv | tail -n +2 | cut -d, -f2 | uniq -c
