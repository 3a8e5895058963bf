#!/bin/sh
# A scripted agent. It gets the lines that `git sdd dispatch` prints on standard
# input, follows the prompt that they name, and leaves one report. Its first
# greeting is wrong on purpose, and its reviewer runs what it reviews.
set -eu

bootstrap=$(cat)
field() { printf '%s\n' "$bootstrap" | sed -n "s/^$1: //p"; }
prompt=$(field prompt)
report=$(field report)
[ "$(sha256sum < "$prompt" | cut -d ' ' -f 1)" = "$(field sha256)" ] || exit 1

# What the dispatch context of the prompt says about a key.
context() { sed -n '/Dispatch Context/,$s/^- '"$1"': //p' "$prompt"; }
role=$(sed -n 's/^# //p' "$prompt")
task=$(context task)
cd "$(context worktree)"

commit() { # files, message
	git add "$1"
	git commit --quiet --message "$2"
	printf 'STATUS: DONE\nCHANGES:\n- %s: %s\nTESTS:\n- sh %s: ran without an error\nCOMMIT: %s\n' \
		"$1" "$2" "$1" "$(git rev-parse HEAD)"
}

implement() {
	if [ "$task" = 1 ]; then
		printf 'echo "Hello, $1!"\n' > greet.sh
		commit greet.sh 'greet whoever is named'
	else
		printf '[ "$(sh greet.sh Ada)" = "Hello, Ada!" ] && [ "$(sh greet.sh)" = "Hello, world!" ]\n' > test.sh
		commit test.sh 'test both greetings'
	fi
}

fix() {
	printf 'echo "Hello, ${1:-world}!"\n' > greet.sh
	commit greet.sh 'greet the world when nobody is named'
}

# Axes, then one verdict for each finding that is asked for.
approve() {
	printf 'SPEC: PASS\nQUALITY: APPROVED\n'
	ids=$(context findingIds)
	[ -z "$ids" ] || printf 'VERDICTS:\n'
	for id in $(printf '%s' "$ids" | tr -d ','); do
		printf -- '- id: %s\n  verdict: RESOLVED\n  location: greet.sh:1\n  evidence: ran it without a name, it greets the world\n' "$id"
	done
	printf 'FINDINGS: none\n'
}

review() {
	if [ "$(sh greet.sh)" = "Hello, world!" ]; then
		approve
	else
		printf 'SPEC: FAIL\nQUALITY: APPROVED\nFINDINGS:\n- id: %s\n  severity: Important\n  loadBearing: yes\n' "$(context nextFinding)"
		printf '  location: greet.sh:1\n  evidence: without a name it prints "%s"\n' "$(sh greet.sh)"
		printf '  impact: the second half of the brief is unmet\n  correction: fall back to world\n'
	fi
}

# Every finding that was adjudicated, with what is still to be seen of it.
reconcile() {
	printf 'LEDGER RECONCILIATION:\n'
	sed -n 's/^### \(T[0-9]*:F-[0-9]*\) .*/\1/p' "$(context findingPackagePath)" | while read -r id; do
		printf -- '- id: %s\n  recordedDisposition: fixed\n  stillPresent: no\n  note: test.sh passes on the head\n' "$id"
	done
}

{
	printf 'PROMPT: %s\n' "$(field sha256)"
	case $role in
	Implementer) implement ;;
	Fixer) fix ;;
	'Task reviewer' | Re-reviewer) review ;;
	'Final reviewer') sh test.sh && approve && reconcile ;;
	*) printf 'STATUS: BLOCKED\nREASON: no such role: %s\n' "$role" ;;
	esac
} > "$report"
