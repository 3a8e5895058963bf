// Package coverage decides which commits of a range a review stands for. It is
// pure: what Git and the runs know is handed in, and the same facts give the
// same answer for ever.
//
// A commit is covered when it lies in a range whose last review approved it, or
// when it is the same change as such commits, whatever its name is now: after a
// rebase, a squash, a cherry-pick, or cut into several. What a review refused is
// covered only beside the head that was approved after it. Everything else that
// changes content is uncovered, a revert too: what it leaves is not what was
// approved. A commit that is recognised as a reviewed one by who wrote it, when
// and under which subject, and whose change is another one, is stale.
package coverage

import "slices"

// The states of a commit (interfaces: looking, verify --range).
const (
	Covered   = "covered"
	Process   = "process" // changes nothing that a review is about
	Stale     = "stale"   // was reviewed, and changed since
	Uncovered = "uncovered"
)

// A Commit is one commit of the range that is asked about.
type Commit struct {
	ID       string
	Parents  []string
	Subject  string
	Identity string   // who wrote it, when, and its subject
	Patch    string   // names the change against the first parent, "" where nothing differs
	Loose    string   // git's patch id of it, which knows no white space; only for comparing with what is gone
	Paths    []string // that it changes
	Clean    bool     // a merge, and just what git makes of its parents
}

// A Range is what one task of a run, or its final loop, had reviewed.
type Range struct {
	Run        string
	Task       int    // 0 for the final loop
	Verdict    string // of the last review
	Approved   bool
	Base, Head string
	Patch      string    // of the whole range
	Loose      string    // git's patch id of the whole range, where its commits are gone
	Commits    []Commit  // of the range, as far as they are here, oldest first
	Sums       []Segment // neighbouring commits of the range, with what they change together
	Mapped     []string  // commits that a recorded relink names as this range's
	Refused    []string  // commits that its reviews refused as they stood, and approved with what followed

	left []string // commits of the run that were refused, and are here without what followed
}

// A Segment is some neighbouring commits of the range that is asked about, with
// what all of them change together.
type Segment struct {
	Commits []string // oldest first
	Patch   string
	Loose   string
}

// A Row is one commit with its state and what it rests on.
type Row struct {
	Commit, Subject, State string
	Run                    string // "" where no run knows it
	Task                   int
	Verdict                string
	Why                    string
}

// Judge returns a row for each commit, in the order of the commits. The process
// function says which paths no review is about.
func Judge(commits []Commit, ranges []Range, segments []Segment, process func(path string) bool) []Row {
	j := judgement{ranges: slices.Clone(ranges), rows: map[string]Row{}}
	j.leave(commits, segments)
	for _, c := range commits {
		j.one(c, process)
	}
	j.segments(segments)
	for _, c := range commits {
		if j.rows[c.ID].State == Uncovered {
			j.stale(c)
		}
	}
	rows := make([]Row, 0, len(commits))
	for _, c := range commits {
		rows = append(rows, j.rows[c.ID])
	}
	return rows
}

type judgement struct {
	ranges []Range
	rows   map[string]Row
}

func (j *judgement) set(c Commit, r *Range, state, why string) {
	row := Row{Commit: c.ID, Subject: c.Subject, State: state, Why: why}
	if r != nil {
		row.Run, row.Task, row.Verdict = r.Run, r.Task, r.Verdict
	}
	j.rows[c.ID] = row
}

// one judges a commit by itself: by its name, then by its content, then by what
// it touches.
func (j *judgement) one(c Commit, process func(string) bool) {
	if r := j.find(func(r *Range) bool { return r.Approved && r.holds(c.ID) && !slices.Contains(r.left, c.ID) }); r != nil {
		j.set(c, r, Covered, "in the approved range")
		return
	}
	switch {
	case len(c.Parents) > 1 && c.Clean:
		j.set(c, nil, Process, "what git makes of its parents")
		return
	case len(c.Parents) > 1:
		j.set(c, nil, Uncovered, "a merge that is not what git makes of its parents")
		return
	case !slices.ContainsFunc(c.Paths, func(p string) bool { return !process(p) }):
		j.set(c, nil, Process, "touches nothing that a review is about")
		return
	}
	for _, w := range []struct {
		is  func(*Range) bool
		why string
	}{
		{func(r *Range) bool { return r.changes(c.Patch) }, "rewritten, same content"},
		{func(r *Range) bool { return slices.Contains(r.Mapped, c.ID) }, "recorded by relink as the same content"},
		{func(r *Range) bool { return r.resembles(c.Loose) }, "rewritten, same content; " + loosely},
	} {
		if r := j.find(func(r *Range) bool { return r.Approved && w.is(r) }); r != nil {
			j.set(c, r, Covered, w.why)
			return
		}
	}
	if r := j.find(func(r *Range) bool { return r.Approved && r.left != nil && (r.holds(c.ID) || r.has(c.Patch)) }); r != nil {
		j.set(c, r, Uncovered, "a review refused it, and what was done about that is not here")
		return
	}
	if r := j.find(func(r *Range) bool { return !r.Approved && r.holds(c.ID) }); r != nil {
		j.set(c, r, Uncovered, "its review did not approve it")
		return
	}
	j.set(c, nil, Uncovered, "no run had it reviewed")
}

// segments finds reviewed commits that were cut into several.
func (j *judgement) segments(all []Segment) {
	for _, s := range all {
		if slices.ContainsFunc(s.Commits, func(id string) bool { return j.rows[id].State != Uncovered }) {
			continue
		}
		why := "rewritten, same content together with its neighbours"
		r := j.find(func(r *Range) bool { return r.Approved && r.changes(s.Patch) })
		if r == nil {
			r = j.find(func(r *Range) bool { return r.Approved && r.resembles(s.Loose) })
			why += "; " + loosely
		}
		if r == nil {
			continue
		}
		for _, id := range s.Commits {
			j.set(Commit{ID: id, Subject: j.rows[id].Subject}, r, Covered, why)
		}
	}
}

// stale recognises a reviewed commit whose content changed: by whom, when and
// under which subject it was made. Several may be made so within a second; one that
// is such a commit, by name or by its change, is no other one changed.
func (j *judgement) stale(c Commit) {
	was := ""
	r := j.find(func(r *Range) bool {
		i := slices.IndexFunc(r.Commits, func(k Commit) bool { return k.Identity == c.Identity })
		if i >= 0 {
			was = r.Commits[i].ID
		}
		return i >= 0
	})
	if r == nil || j.find(func(r *Range) bool { return r.remains(c) }) != nil {
		return
	}
	j.set(c, r, Stale, "was reviewed as "+was+", and its content changed")
}

// remains reports whether a commit is one of the range's as it was reviewed. The
// change of a merge is none of its own.
func (r *Range) remains(c Commit) bool {
	return slices.ContainsFunc(r.Commits, func(k Commit) bool {
		return k.ID == c.ID || k.Identity == c.Identity && c.Patch != "" && k.Patch == c.Patch && len(c.Parents) <= 1
	})
}

func (j *judgement) find(fits func(*Range) bool) *Range {
	for i := range j.ranges {
		if fits(&j.ranges[i]) {
			return &j.ranges[i]
		}
	}
	return nil
}

func (r *Range) holds(id string) bool {
	return slices.ContainsFunc(r.Commits, func(c Commit) bool { return c.ID == id })
}

// loosely is said of a comparison with what a run stored of commits that are gone.
const loosely = "white space is not compared, the reviewed commits are gone"

// resembles compares with the whole range as the run stored it.
func (r *Range) resembles(loose string) bool { return loose != "" && loose == r.Loose }

// leave finds what is in the range that is asked about and was refused, and
// approved only with what followed: where the head that was approved is not here,
// by its name or by what it changes, the refused commits stand for nothing.
func (j *judgement) leave(commits []Commit, segments []Segment) {
	ids, patches := map[string]bool{}, map[string]bool{}
	for _, c := range commits {
		ids[c.ID], patches[c.Patch] = true, true
	}
	for _, s := range segments {
		patches[s.Patch] = true
	}
	delete(patches, "")
	left := map[string][]string{}
	for _, r := range j.ranges {
		here := func(q Range) bool { return q.Run == r.Run && q.brings(r.Head, patches) }
		if r.Approved && len(r.Refused) > 0 && !ids[r.Head] && !slices.ContainsFunc(j.ranges, here) {
			left[r.Run] = append(left[r.Run], r.Refused...)
		}
	}
	for i := range j.ranges {
		j.ranges[i].left = left[j.ranges[i].Run]
	}
}

// brings reports whether one of the changes is that of a commit, alone or with
// others of the range.
func (r *Range) brings(id string, patches map[string]bool) bool {
	if !r.holds(id) {
		return false
	}
	return patches[r.Patch] ||
		slices.ContainsFunc(r.Commits, func(c Commit) bool { return c.ID == id && patches[c.Patch] }) ||
		slices.ContainsFunc(r.Sums, func(s Segment) bool { return patches[s.Patch] && slices.Contains(s.Commits, id) })
}

// changes reports whether the range had such a change reviewed and approved.
func (r *Range) changes(patch string) bool {
	if patch == "" {
		return false
	}
	left := func(id string) bool { return slices.Contains(r.left, id) }
	return patch == r.Patch ||
		slices.ContainsFunc(r.Sums, func(s Segment) bool { return s.Patch == patch && !slices.ContainsFunc(s.Commits, left) }) ||
		slices.ContainsFunc(r.Commits, func(c Commit) bool { return c.Patch == patch && !left(c.ID) })
}

// has reports whether one commit of the range is such a change.
func (r *Range) has(patch string) bool {
	return patch != "" && slices.ContainsFunc(r.Commits, func(c Commit) bool { return c.Patch == patch })
}
