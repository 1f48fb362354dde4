# no counter counts what cp.async.cg copies: nothing is promised, least of all to a gate
wsim banks cp.async.cg.shared.global --size 16 --addr 'lane * 2048'
echo "exit $?"
wsim banks cp.async.cg.shared.global --size 16 --addr 'lane * 2048' --fail-on-conflicts >/dev/null
echo "exit $?"
wsim banks cp.async.cg.shared.global --size 16 --addr 'lane * 16' --mask 0xff --format csv
wsim banks cp.async.cg.shared.global --size 16 --addr 'lane * 2048' --src-size 'lane < 16 ? 0 : 16' | tail -8
# where lanes that fill with zeros conflict, that is enough to know
wsim banks cp.async.cg.shared.global --size 16 --addr 'lane * 2048' --src-size 'lane < 16 ? 0 : 16' --fail-on-conflicts >/dev/null
echo "exit $?"
wsim banks cp.async.cg.shared.global --size 16 --addr 'lane * 2048' --src-size 0 --mask 1 --fail-on-conflicts | tail -2
