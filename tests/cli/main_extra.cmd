# a word too many is a slip; a word that is nearly one gets a hint
for words in 'help exec extra' '--version extra' '--help extra' 'help extra' version lay bank shwo; do
    wsim $words
    echo "exit $?"
done
wsim exec --form json
