package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// localID is a finding's number within its task or the final loop. Four digits
// are more than a run has findings.
var localID = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^F-([1-9][0-9]{0,3})$`)
})

// localNumber reads a local id.
func localNumber(id string) (int, bool) {
	m := localID().FindStringSubmatch(id)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	return n, err == nil
}

// runID returns the id that the ledger uses: a local one is this scope's.
func (r *reviewReader) runID(id string) string {
	if _, ok := localNumber(id); ok {
		return r.ctx.Scope + ":" + id
	}
	return id
}

// controls reports whether only the controller lists and judges the finding.
// The spelling decides too: an id of that kind is never a child's to invent.
func (r *reviewReader) controls(id string) bool {
	if r.controlled[id] {
		return true
	}
	_, name, _ := strings.Cut(id, ":")
	if name == "" {
		name = id
	}
	for _, prefix := range []string{"GATE-", "GUARD-", "STALE-"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// refuseControlled reports a finding that the controller makes from facts.
func (r *reviewReader) refuseControlled(line int, id string) bool {
	if !r.controls(r.runID(id)) {
		return false
	}
	r.add(line, "finding-controlled", "leave it out", "%s is made and judged by git-sdd from what it observed itself", quote(id))
	return true
}

// findFree sets nextFree to the smallest local id that neither the ledger nor
// this report has, from the number that the prompt stated.
func (r *reviewReader) findFree(list []record) {
	used := map[int]bool{}
	for _, rec := range list {
		if n, ok := localNumber(rec.word("id")); ok {
			used[n] = true
		}
	}
	n := r.ctx.Next
	for used[n] {
		n++
	}
	r.nextFree = fmt.Sprintf("F-%d", n)
}
