#!/bin/sh
# The main job in a throwaway repository: a plan of two tasks, a scripted agent,
# one finding, one fix round, COMPLETE. Needs git-sdd in PATH.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/greeter"
export HOME="$work/home" XDG_CONFIG_HOME="$work/home/.config" GIT_CONFIG_NOSYSTEM=1
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_SDD_RUN GIT_SDD_DISPATCH
git config --global user.name Ada
git config --global user.email ada@example.com
cd "$work/greeter"

bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$(printf '\033[1m') plain=$(printf '\033[m'); fi
tell() { printf '\n%s# %s%s\n' "$bold" "$1" "$plain"; }
show() { printf '%s$ %s%s\n' "$bold" "$*" "$plain"; "$@"; }

# A command of which only the recorded transitions are shown.
record() {
	printf '%s$ %s%s\n' "$bold" "$*" "$plain"
	"$@" > "$work/said"
	sed -n '/^r[0-9]/p' "$work/said"
}

# Hands the lines that dispatch printed to the agent, as a new child.
child() {
	number=$((number + 1))
	record git sdd started --session "child-$number"
	printf '  ... child-%s works ...\n' "$number"
	sed -n '/^---8<---$/,/^--->8---$/{//!p;}' "$work/handout" | sh "$here/agent.sh"
	record git sdd report
}
number=0

tell 'a repository, a branch, a plan'
git init --quiet --initial-branch main
cp "$here/plan.md" .
git add plan.md
git commit --quiet --message 'plan the greeter'
show git switch --quiet --create greeter
show git sdd plan check plan.md

tell 'what the run will take, before any model is asked: a rehearsal in a throwaway clone'
show git sdd rehearse plan.md --scenario fix-loop

tell 'the run itself'
show git sdd start plan.md

tell 'every child gets a prompt by file; this is all that is pasted'
git sdd dispatch > "$work/handout"
printf '%s$ git sdd dispatch%s\n' "$bold" "$plain"
cat "$work/handout"
child

tell 'the loop, until git-sdd says that nothing is left'
while :; do
	next=$(git sdd next | tail -n 1)
	case $next in
	'next: git sdd dispatch')
		record git sdd dispatch
		mv "$work/said" "$work/handout"
		child
		;;
	'next: nothing, the run is over') break ;;
	*)
		printf 'the demo does not know what to do: %s\n' "$next" >&2
		git sdd next >&2
		exit 1
		;;
	esac
done

tell 'where the run stands'
show git sdd status

tell 'the run is a chain of commits; any git can read it'
run=$(git for-each-ref --format='%(refname)' refs/sdd/)
printf '%s$ git log --oneline %s%s\n' "$bold" "$run" "$plain"
git --no-pager log --oneline "$run"
show git --no-pager log --oneline main..greeter

tell 'and what it built works'
show sh greet.sh
case $(git sdd next --json) in
*'"phase":"COMPLETE"'*) ;;
*) exit 1 ;;
esac
