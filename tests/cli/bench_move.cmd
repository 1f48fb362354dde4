wsim bench ldmatrix.sync.aligned.m8n8.x4.shared.b16 --path plain | sed 's/[0-9][0-9.]* /N /g; s/[0-9][0-9.]*$/N/; s/  */ /g'
