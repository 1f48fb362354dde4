wsim banks cp.async.ca.shared.global --size 8 --addr 'lane*8' --src 'lane/16*640+lane%16*8' --format csv
wsim banks cp.async.ca.shared.global --size 8 --addr 'lane*8' --src 'lane/16*640+lane%16*8' --lines warm --format csv
wsim banks cp.async.ca.shared.global --size 4 --addr 'lane*4' --src 'lane/16*640+lane%16*4' | tail -n 3
