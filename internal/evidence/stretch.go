package evidence

// A Stretch is what lay between two heads that git-sdd saw: where somebody was
// sent to work, and where the branch stood when the work was reported.
type Stretch struct {
	By       string // whose work it is
	From, To string // commits
}

// Authors says of each commit of a range in whose stretch it lies, the earliest
// one that holds it; a commit in none has no entry. A stretch holds what its end
// reaches and its beginning does not.
func Authors(commits []RangeCommit, stretches []Stretch) map[string]string {
	parents := make(map[string][]string, len(commits))
	for _, c := range commits {
		parents[c.ID] = c.Parents
	}
	by := map[string]string{}
	for _, s := range stretches {
		before := reached(parents, s.From, nil)
		for id := range reached(parents, s.To, before) {
			if by[id] == "" {
				by[id] = s.By
			}
		}
	}
	return by
}

// reached returns the commits of the range that one of them reaches, itself
// among them, without those that are told already.
func reached(parents map[string][]string, from string, told map[string]bool) map[string]bool {
	seen := map[string]bool{}
	todo := []string{from}
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if up, inRange := parents[id]; inRange && !seen[id] && !told[id] {
			seen[id] = true
			todo = append(todo, up...)
		}
	}
	return seen
}
