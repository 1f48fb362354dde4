# a line of 65536 bytes is answered, a longer one is not read
{ echo ldmatrix.sync.aligned.m8n8.x1.b16; head -c 65536 /dev/zero | tr '\0' a; } | wsim check - >out
echo "exit $?"; cut -c 1-7 out
{ echo ldmatrix.sync.aligned.m8n8.x1.b16; head -c 65537 /dev/zero | tr '\0' a; } | wsim check - >out
echo "exit $?"; cut -c 1-7 out
tr '\0' a </dev/zero 2>/dev/null | wsim check -
