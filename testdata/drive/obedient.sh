# An agent that does what its prompt asks. It is told on standard input.
prompt=$(cat)
echo "tier $1, model $2"
case $prompt in
*"# Implementer"* | *"# Fixer"* | *"# Final fixer"*) exec child done work.txt ;;
*) exec child pass ;;
esac
