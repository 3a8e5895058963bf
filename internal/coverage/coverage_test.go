package coverage

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// commit is a commit of a line: "id patch", by somebody, on its parent.
func commit(id, patch string) Commit {
	return Commit{ID: id, Parents: []string{"p-" + id}, Subject: "s " + id, Identity: "by " + id, Patch: patch, Paths: []string{"src/" + id}}
}

func reviewed(approved bool, commits ...Commit) Range {
	return Range{Run: "run", Task: 1, Verdict: "v", Approved: approved, Commits: commits}
}

func process(path string) bool { return strings.HasPrefix(path, "docs/") }

// TestJudge is the table of what a commit rests on.
func TestJudge(t *testing.T) {
	a, b := commit("a", "pa"), commit("b", "pb")
	with := func(c Commit, change func(*Commit)) Commit { change(&c); return c }
	refused := reviewed(true, a, b)
	refused.Head, refused.Refused, refused.Sums = "b", []string{"a"}, []Segment{{Commits: []string{"a", "b"}, Patch: "pab"}}
	at := func(time string, c Commit) Commit { return with(c, func(c *Commit) { c.Identity = time }) }
	amended := with(commit("x", "px"), func(c *Commit) { c.Identity = "by a" })
	merge := func(clean bool) Commit {
		return with(commit("m", ""), func(c *Commit) { c.Parents, c.Clean = []string{"1", "2"}, clean })
	}
	for _, c := range []struct {
		name     string
		commits  []Commit
		ranges   []Range
		segments []Segment
		want     string
	}{
		{"nothing reviewed", []Commit{a}, nil, nil, "uncovered"},
		{"by name", []Commit{a, b}, []Range{reviewed(true, a, b)}, nil, "covered covered"},
		{"approval at a, then b", []Commit{a, b}, []Range{reviewed(true, a)}, nil, "covered uncovered"},
		{"not approved", []Commit{a}, []Range{reviewed(false, a)}, nil, "uncovered"},
		{"not approved, the same change", []Commit{commit("x", "pa")}, []Range{reviewed(false, a)}, nil, "uncovered"},
		{"approved elsewhere", []Commit{a}, []Range{reviewed(false, a), reviewed(true, a)}, nil, "covered"},
		{"rewritten", []Commit{commit("x", "pa")}, []Range{reviewed(true, a)}, nil, "covered"},
		{"the whole range in one", []Commit{commit("x", "pw")}, []Range{{Approved: true, Patch: "pw"}}, nil, "covered"},
		{"the whole range, as it was stored", []Commit{with(commit("x", "px"), func(c *Commit) { c.Loose = "lw" })}, []Range{{Approved: true, Loose: "lw"}}, nil, "covered"},
		{"stored, of a review that did not approve", []Commit{with(commit("x", "px"), func(c *Commit) { c.Loose = "lw" })}, []Range{{Loose: "lw"}}, nil, "uncovered"},
		{"nothing stored", []Commit{commit("x", "px")}, []Range{{Approved: true}}, nil, "uncovered"},
		{"stored, cut in two", []Commit{commit("x", "p1"), commit("y", "p2")}, []Range{{Approved: true, Loose: "lw"}}, []Segment{{[]string{"x", "y"}, "pa", "lw"}}, "covered covered"},
		{"refused, without what followed", []Commit{a}, []Range{refused}, nil, "uncovered"},
		{"refused, with what followed", []Commit{a, b}, []Range{refused}, nil, "covered covered"},
		{"refused, another of its second approved", []Commit{at("12:00", a)}, []Range{reviewed(true, at("12:00", b)), reviewed(false, at("12:00", a))}, nil, "uncovered"},
		{"refused, rewritten, another of its second approved", []Commit{at("12:00", commit("x", "pa"))}, []Range{reviewed(true, at("12:00", b)), reviewed(false, at("12:00", a))}, nil, "uncovered"},
		{"amended, several of its second", []Commit{at("12:00", commit("x", "px"))}, []Range{reviewed(true, at("12:00", a), at("12:00", b))}, nil, "stale"},
		{"what followed alone", []Commit{b}, []Range{refused}, nil, "covered"},
		{"refused, rewritten, without what followed", []Commit{commit("x", "pa")}, []Range{refused}, nil, "uncovered"},
		{"refused, amended but for its content", []Commit{with(commit("x", "pa"), func(c *Commit) { c.Identity = "by a" })}, []Range{refused}, nil, "uncovered"},
		{"refused, rewritten, with what followed", []Commit{commit("x", "pa"), commit("y", "pb")}, []Range{refused}, nil, "covered covered"},
		{"refused, and with what followed in one", []Commit{commit("x", "pab")}, []Range{refused}, nil, "covered"},
		{"refused in a task, approved at last with it", []Commit{a}, []Range{refused, reviewed(true, a, b)}, nil, "uncovered"},
		{"refused in another run", []Commit{a}, []Range{refused, {Run: "other", Approved: true, Commits: []Commit{a}}}, nil, "covered"},
		{"neighbours in one", []Commit{commit("x", "pab")}, []Range{{Approved: true, Commits: []Commit{a, b}, Sums: []Segment{{Patch: "pab"}}}}, nil, "covered"},
		{"cut in two", []Commit{commit("x", "p1"), commit("y", "p2")}, []Range{reviewed(true, a)}, []Segment{{Commits: []string{"x", "y"}, Patch: "pa"}}, "covered covered"},
		{"cut in two, one half alone", []Commit{commit("x", "p1")}, []Range{reviewed(true, a)}, nil, "uncovered"},
		{"cut in two around a reviewed one", []Commit{commit("x", "p1"), a, commit("y", "p2")}, []Range{reviewed(true, a, b)}, []Segment{{Commits: []string{"x", "a", "y"}, Patch: "pb"}}, "uncovered covered uncovered"},
		{"cut in two, not approved", []Commit{commit("x", "p1"), commit("y", "p2")}, []Range{reviewed(false, a)}, []Segment{{Commits: []string{"x", "y"}, Patch: "pa"}}, "uncovered uncovered"},
		{"relinked", []Commit{commit("x", "px")}, []Range{{Approved: true, Mapped: []string{"x"}}}, nil, "covered"},
		{"relinked, not approved", []Commit{commit("x", "px")}, []Range{{Mapped: []string{"x"}}}, nil, "uncovered"},
		{"amended", []Commit{amended}, []Range{reviewed(true, a)}, nil, "stale"},
		{"amended, of a review that did not approve", []Commit{amended}, []Range{reviewed(false, a)}, nil, "stale"},
		{"amended, the same change", []Commit{with(amended, func(c *Commit) { c.Patch = "pa" })}, []Range{reviewed(true, a)}, nil, "covered"},
		{"empty patches are no content", []Commit{commit("x", "")}, []Range{{Approved: true, Commits: []Commit{commit("e", "")}}}, nil, "uncovered"},
		{"process alone", []Commit{with(a, func(c *Commit) { c.Paths = []string{"docs/x"} })}, nil, nil, "process"},
		{"process and more", []Commit{with(a, func(c *Commit) { c.Paths = []string{"docs/x", "x"} })}, nil, nil, "uncovered"},
		{"nothing touched", []Commit{with(a, func(c *Commit) { c.Paths = nil })}, nil, nil, "process"},
		{"a merge as git makes it", []Commit{merge(true)}, nil, nil, "process"},
		{"a merge with more", []Commit{merge(false)}, nil, nil, "uncovered"},
		{"a merge within the range", []Commit{merge(false)}, []Range{reviewed(true, merge(false))}, nil, "covered"},
		{"a merge of process paths is not process", []Commit{with(merge(false), func(c *Commit) { c.Paths = []string{"docs/x"} })}, nil, nil, "uncovered"},
	} {
		var got []string
		for i, row := range Judge(c.commits, c.ranges, c.segments, process) {
			got = append(got, row.State)
			if row.Commit != c.commits[i].ID || row.Subject != c.commits[i].Subject || row.Why == "" {
				t.Errorf("%s: row %d is %+v", c.name, i, row)
			}
			if (row.State == Covered || row.State == Stale) && len(c.ranges) == 1 && row.Run != c.ranges[0].Run {
				t.Errorf("%s: row %d rests on run %q", c.name, i, row.Run)
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}

// A world is what a property is drawn over: few names and few patches, so that
// they meet.
type world struct {
	commits  []Commit
	ranges   []Range
	segments []Segment
}

func drawWorld(t *rapid.T) world {
	id := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"})
	patch := rapid.SampledFrom([]string{"", "1", "2", "3", "4"})
	loose := rapid.SampledFrom([]string{"", "1", "2"})
	one := rapid.Custom(func(t *rapid.T) Commit {
		c := commit(id.Draw(t, "id"), patch.Draw(t, "patch"))
		c.Identity, c.Loose = id.Draw(t, "identity"), loose.Draw(t, "loose")
		c.Paths = rapid.SliceOfN(rapid.SampledFrom([]string{"x", "docs/x"}), 0, 2).Draw(t, "paths")
		if rapid.IntRange(0, 5).Draw(t, "merge") == 0 {
			c.Parents, c.Clean = append(c.Parents, "q"), rapid.Bool().Draw(t, "clean")
		}
		return c
	})
	some := func(n int) *rapid.Generator[[]Commit] {
		return rapid.SliceOfNDistinct(one, 0, n, func(c Commit) string { return c.ID })
	}
	sum := rapid.Custom(func(t *rapid.T) Segment {
		return Segment{Commits: rapid.SliceOfN(id, 1, 3).Draw(t, "summed"), Patch: rapid.SampledFrom([]string{"1", "2"}).Draw(t, "sum")}
	})
	var w world
	w.commits = some(5).Draw(t, "commits")
	for i := range rapid.IntRange(0, 3).Draw(t, "ranges") {
		w.ranges = append(w.ranges, Range{
			Run: fmt.Sprint(i / 2), Task: i, Approved: rapid.Bool().Draw(t, "approved"), Commits: some(3).Draw(t, "reviewed"), Patch: patch.Draw(t, "whole"), Loose: loose.Draw(t, "whole, loosely"),
			Sums: rapid.SliceOfN(sum, 0, 1).Draw(t, "sums"), Head: id.Draw(t, "head"), Refused: rapid.SliceOfN(id, 0, 2).Draw(t, "refused"), Mapped: rapid.SliceOfN(id, 0, 1).Draw(t, "mapped"),
		})
	}
	for length := len(w.commits); length > 1; length-- {
		for i := 0; i+length <= len(w.commits); i++ {
			var ids []string
			for _, c := range w.commits[i : i+length] {
				ids = append(ids, c.ID)
			}
			w.segments = append(w.segments, Segment{Commits: ids, Patch: patch.Draw(t, "together"), Loose: loose.Draw(t, "together, loosely")})
		}
	}
	return w
}

// left names by run what was refused and is here without what was approved after it.
func (w world) left() map[string]map[string]bool {
	there := map[string]bool{}
	for _, c := range w.commits {
		there[c.ID], there["patch "+c.Patch] = true, true
	}
	for _, s := range w.segments {
		there["patch "+s.Patch] = true
	}
	delete(there, "patch ")
	left := map[string]map[string]bool{}
	for _, r := range w.ranges {
		here := there[r.Head]
		for _, q := range w.ranges {
			if q.Run != r.Run || !slices.ContainsFunc(q.Commits, func(c Commit) bool { return c.ID == r.Head }) {
				continue
			}
			here = here || there["patch "+q.Patch]
			for _, c := range q.Commits {
				here = here || c.ID == r.Head && there["patch "+c.Patch]
			}
			for _, s := range q.Sums {
				here = here || slices.Contains(s.Commits, r.Head) && there["patch "+s.Patch]
			}
		}
		for _, id := range r.Refused {
			if r.Approved && !here {
				if left[r.Run] == nil {
					left[r.Run] = map[string]bool{}
				}
				left[r.Run][id] = true
			}
		}
	}
	return left
}

// brute reads the rules as they are written, a sentence each, without a thought of
// order or cost.
func (w world) brute() map[string]string {
	states := map[string]string{}
	var approved []Range
	left := w.left()
	contents, stored := map[string]bool{}, map[string]bool{}
	for _, r := range w.ranges {
		if !r.Approved {
			continue
		}
		approved = append(approved, r)
		stored[r.Loose] = true
		contents[r.Patch] = true
		for _, c := range r.Commits {
			contents[c.Patch] = contents[c.Patch] || !left[r.Run][c.ID]
		}
		for _, s := range r.Sums {
			contents[s.Patch] = contents[s.Patch] || !slices.ContainsFunc(s.Commits, func(id string) bool { return left[r.Run][id] })
		}
	}
	delete(contents, "")
	delete(stored, "")
	inApproved := func(is func(Range) bool) bool { return slices.ContainsFunc(approved, is) }
	for _, c := range w.commits {
		allProcess := true
		for _, p := range c.Paths {
			allProcess = allProcess && process(p)
		}
		merge := len(c.Parents) > 1
		named := inApproved(func(r Range) bool {
			return !left[r.Run][c.ID] && slices.ContainsFunc(r.Commits, func(k Commit) bool { return k.ID == c.ID })
		})
		mapped := inApproved(func(r Range) bool { return slices.Contains(r.Mapped, c.ID) })
		switch {
		case named:
			states[c.ID] = Covered
		case merge && c.Clean, !merge && allProcess:
			states[c.ID] = Process
		case !merge && (contents[c.Patch] || stored[c.Loose] || mapped):
			states[c.ID] = Covered
		default:
			states[c.ID] = Uncovered
		}
	}
	for _, s := range w.segments {
		open := true
		for _, id := range s.Commits {
			open = open && states[id] == Uncovered
		}
		for _, id := range s.Commits {
			if open && (contents[s.Patch] || stored[s.Loose]) {
				states[id] = Covered
			}
		}
	}
	for _, c := range w.commits {
		made, same := false, false // so, and as it is now
		for _, r := range w.ranges {
			for _, k := range r.Commits {
				made = made || k.Identity == c.Identity
				same = same || k.ID == c.ID || k.Identity == c.Identity && k.Patch == c.Patch && c.Patch != "" && len(c.Parents) <= 1
			}
		}
		if states[c.ID] == Uncovered && made && !same {
			states[c.ID] = Stale
		}
	}
	return states
}

func TestJudgeIsTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		want := w.brute()
		for _, row := range Judge(w.commits, w.ranges, w.segments, process) {
			if row.State != want[row.Commit] {
				t.Fatalf("%s is %s (%s), by the rules %s", row.Commit, row.State, row.Why, want[row.Commit])
			}
		}
	})
}

// Laws that hold whatever the rules are.
func TestJudgeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		rows := Judge(w.commits, w.ranges, w.segments, process)
		if again := Judge(w.commits, w.ranges, w.segments, process); !slices.Equal(rows, again) {
			t.Fatalf("another answer to the same question: %v, %v", rows, again)
		}
		var refused []Range
		for _, r := range w.ranges {
			r.Approved = false
			refused = append(refused, r)
		}
		for i, row := range Judge(w.commits, refused, w.segments, process) {
			if row.State == Covered {
				t.Fatalf("%s is covered, and nobody approved anything", row.Commit)
			}
			if (row.State == Process) != (rows[i].State == Process) && rows[i].State != Covered {
				t.Fatalf("%s is %s, with approvals %s", row.Commit, row.State, rows[i].State)
			}
		}
		for _, row := range rows {
			if row.State == Covered || row.State == Stale {
				n := slices.IndexFunc(w.ranges, func(r Range) bool { return r.Run == row.Run && r.Task == row.Task })
				if n < 0 || row.State == Covered && !w.ranges[n].Approved {
					t.Fatalf("%+v rests on a range that did not approve it", row)
				}
			}
		}
	})
}
