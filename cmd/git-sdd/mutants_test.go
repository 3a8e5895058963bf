package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/verify"
)

// twoTasks is a plan with a task more, so that a run has findings of two scopes.
const twoTasks = "## Global Constraints\n\n- Plain text.\n\n## Task 1: Write one\n\n**Implementer tier:** Fast\n\n- [ ] Write it.\n\n" +
	"## Task 2: Write two\n\n**Implementer tier:** Standard\n\n- [ ] Write it.\n"

// The mutants are made of one finished run with fix loops, a final wave, a lost
// child and rulings. Every one must be caught, or change nothing that the run
// says; what cannot be caught is listed by name, and SECURITY.md says why.
//
// SDD_MUTANTS=all makes every mutant, and SDD_MUTANTS=trees,chains those of some
// kinds alone; without it each kind is sampled.
func TestMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("minutes")
	}
	s := newShop(t, richFiles())
	f := newForger(s, richRun(s))
	if res := f.verifyFrom(nil); res.Outcome != verify.Verified || len(res.Notes) > 0 {
		t.Fatalf("the run itself: %+v", res)
	}
	last := f.commits[len(f.commits)-1]
	defer f.point(last)
	for _, kind := range []struct {
		name string
		make func(*hunt)
	}{
		{"forged", forgedMutants},
		{"coherent", coherentMutants},
		{"commits", commitMutants},
		{"artifacts", artifactMutants},
		{"trees", treeMutants},
		{"chains", chainMutants},
		{"bytes", byteMutants},
		{"documents", documentMutants},
	} {
		asked := os.Getenv("SDD_MUTANTS")
		all := asked == "all" || slices.Contains(strings.Split(asked, ","), kind.name)
		if asked != "" && !all {
			continue
		}
		h := &hunt{forger: f, all: all, survivors: map[string]int{}, allowed: map[string]int{}}
		begun := time.Now()
		kind.make(h)
		f.point(last)
		h.tell(kind.name)
		for _, name := range slices.Sorted(maps.Keys(h.survivors)) {
			t.Errorf("%s: %d mutants not caught: %s", kind.name, h.survivors[name], name)
		}
		t.Logf("%-10s %5d mutants, %5d caught, %4d nobody can know, %d not caught, in %s", kind.name, h.made, h.found, h.harmless, h.made-h.found-h.harmless, time.Since(begun).Round(time.Second))
		if h.made == 0 {
			t.Errorf("%s: no mutant was made", kind.name)
		}
	}
}

// A hunt counts the mutants of one kind.
type hunt struct {
	*forger
	all                   bool // every mutant is asked for
	n                     int  // of all that could be made
	made, found, harmless int
	survivors, allowed    map[string]int
}

// tell lists what is let through.
func (h *hunt) tell(kind string) {
	h.Helper()
	for _, name := range slices.Sorted(maps.Keys(h.allowed)) {
		h.Logf("%s: allowed %d times: %s", kind, h.allowed[name], name)
	}
}

// every is how many mutants of a kind one is made of, unless all are asked for.
func (h *hunt) take(every int) bool {
	h.n++
	return h.all || h.n%every == 0
}

// try makes pages the end of the run and looks whether that is found. What
// harmless allows changes nothing that the run says.
func (h *hunt) try(name string, from int, pages []page, harmless bool) {
	h.Helper()
	caught := h.caught(from, pages)
	if caught && h.made%200 == 0 { // what is found in the page alone is found in the whole
		h.write(from, pages)
		if !h.caughtWhole() {
			h.Errorf("%s at r%d is found by itself and not in the whole run", name, from)
		}
	}
	h.count(name, caught, harmless)
}

func (h *hunt) count(name string, caught, harmless bool) {
	h.made++
	switch {
	case caught:
		h.found++
	case harmless:
		h.harmless++
		h.allowed[name]++
	default:
		h.survivors[name]++
	}
}

// documentMutants changes one thing in one document and nothing else.
func documentMutants(h *hunt) {
	for n, p := range h.pages {
		for _, name := range []string{"state.json", "event.json"} {
			for _, v := range variants(p.files[name].data) {
				if h.take(97) {
					pages := slices.Concat([]page{p.with(name, v.data)}, h.pages[n+1:])
					what := kindOf(p.files["event.json"].data) + " " + v.what
					h.try(name+" of "+what, n, pages, name == "event.json" && unknowable.MatchString(what))
				}
			}
		}
	}
}

// unknowable are the members of events that say what only who recorded them
// could know: no byte elsewhere in the run can contradict them. A signature says
// who that was. Each is the kind of the event, and the member.
var unknowable = regexp.MustCompile(`^(` + strings.Join([]string{
	`[a-z-]+ by\.(name|email|via)`, // who recorded it, and how
	`[a-z-]+ at`,                   // when, between the one before and the one after
	// What start was given, and what nobody writes down again. Under other role
	// contracts than the program's own its prompts are not made again.
	`run-initialized event\.(planPath|repoRoot|tool\.(version|contracts))`,
	`capability-confirmed (event\.mode|facts\.ladder)`, // settings of the user's
	`([a-z-]+-dispatch-intended|dispatch-started) facts\.(model|thinking)`,
	// Words and names given by hand. Rulings are told to later children, and where
	// no later child is of their scope nobody repeats them.
	`(recovery-ruling-recorded|ruling-recorded|dispatch-ruling-recorded|concern-ruling-recorded|final-park-ruling-recorded) event\.reason`,
	`(child-lost|dispatch-window-crossed|implementer-status-recorded) event\.reason`,
	`(recovery-ruling-recorded|child-lost) event\.receipt`,
	`(dispatch-started|dispatch-ruling-recorded) event\.sessionId`,
	`final-park-ruling-recorded event\.findingResolutions\.\*\.evidence`,
	// Two runs of a gate, each cut to milliseconds, leave one to the sum.
	`[a-z-]+-dispatch-intended facts\.gates\.\*\.durationMs`,
}, "|") + `) `)

// kindOf is the kind of a stored event.
func kindOf(event []byte) string { return fmt.Sprint(jsonAt(event, "event", "type")) }

// onlyStaleDropped reports whether a forged review differs in nothing but a finding
// that commits came to the branch while it went on: where the branch was then is in
// nothing that is stored.
func onlyStaleDropped(event, forged []byte) bool {
	root := parsed(event)
	dropped := false
	replace(&root, []string{"event", "findings"}, func(v any) (any, bool) {
		all, ok := v.([]any)
		rest := slices.DeleteFunc(slices.Clone(all), func(f any) bool {
			id, _ := f.(map[string]any)["id"].(string)
			return strings.Contains(id, ":STALE-")
		})
		dropped = len(rest) < len(all)
		return rest, ok
	})
	return dropped && bytes.Equal(encoded(root), forged)
}

// forgedMutants changes an event and rebuilds everything after it as the program
// would have: only facts and artifacts can contradict that.
func forgedMutants(h *hunt) {
	for n, p := range h.pages {
		event := p.files["event.json"].data
		kind := kindOf(event)
		forged := variants(event)
		forged = append(forged, praised(event)...)
		for _, v := range forged {
			if pages := h.rebuilt(n, v.data); pages != nil && h.take(5) {
				what := kind + " " + v.what
				h.try(what, n, pages, unknowable.MatchString(what) || onlyStaleDropped(event, v.data))
			}
		}
	}
}

// coherentMutants changes an artifact with every reference to it, and rebuilds
// what follows: only what the artifact must be, by what else is there, can
// contradict that.
func coherentMutants(h *hunt) {
	known := map[string]bool{}
	for n, p := range h.pages {
		for _, path := range slices.Sorted(maps.Keys(p.files)) {
			if known[path] || path == "state.json" || path == "event.json" {
				continue
			}
			known[path] = true
			if !h.take(3) {
				continue
			}
			for _, data := range otherContents(p.files[path].data) {
				if pages := h.rebuiltWith(n, path, data); pages != nil {
					h.try(suffixOf(path)+" with its references", n, pages, freeText.MatchString(path))
				}
			}
		}
	}
}

// freeText are the artifacts with words that nothing else can contradict: what
// children wrote beside what is recorded of it, what was gathered from the code
// for them to read, and what stood in the work tree when nobody else looked.
var freeText = regexp.MustCompile(`\.(report\.md|context\.md|package\.md|observed\.txt|shelved\.patch)$`)

// otherContents are another end, another beginning, and a line less.
func otherContents(data []byte) [][]byte {
	lines := bytes.SplitAfter(data, []byte("\n"))
	all := [][]byte{append(bytes.Clone(data), "and more\n"...), append([]byte("first\n"), data...)}
	if len(lines) > 2 {
		half := len(lines) / 2
		all = append(all, bytes.Join(slices.Concat(lines[:half], lines[half+1:]), nil))
	}
	return all
}

// rebuiltWith is rebuilt with another content of an artifact from its revision on,
// and in the event that brought it.
func (h *hunt) rebuiltWith(n int, path string, data []byte) []page {
	h.Helper()
	event := parsed(h.pages[n].files["event.json"].data)
	refer(event, path, data)
	if path == "plan.md" {
		replace(&event, []string{"event", "planDigest"}, func(any) (any, bool) { return fmt.Sprintf("%x", sha256.Sum256(data)), true })
	}
	if strings.HasSuffix(path, "settings.json") {
		replace(&event, []string{"event", "settings"}, func(any) (any, bool) { return fmt.Sprintf("%x", sha256.Sum256(data)), true })
	}
	was := slices.Clone(h.pages)
	defer func() { h.pages = was }()
	for i := n; i < len(h.pages); i++ {
		later := parsed(h.pages[i].files["event.json"].data)
		refer(later, path, data)
		h.pages[i] = h.pages[i].with(path, data).with("event.json", encoded(later))
	}
	return h.rebuilt(n, encoded(event))
}

// refer makes every reference to a path one to these bytes.
func refer(v any, path string, data []byte) {
	switch x := v.(type) {
	case map[string]any:
		if x["path"] == path {
			x["bytes"], x["sha256"] = json.Number(strconv.Itoa(len(data))), fmt.Sprintf("%x", sha256.Sum256(data))
		}
		for _, below := range x {
			refer(below, path, data)
		}
	case []any:
		for _, below := range x {
			refer(below, path, data)
		}
	}
}

// praised forges what a child is recorded to have said into praise.
func praised(event []byte) []variant {
	text := string(event)
	for _, r := range [][2]string{{"FAIL", "PASS"}, {"CHANGES_REQUESTED", "APPROVED"}, {"STILL_PRESENT", "RESOLVED"}, {"BLOCKED", "DONE"}, {"Important", "Minor"}} {
		text = strings.ReplaceAll(text, `"`+r[0]+`"`, `"`+r[1]+`"`)
	}
	root := parsed([]byte(text))
	replace(&root, []string{"event", "findings"}, func(v any) (any, bool) { return []any{}, v != nil })
	without := encoded(root)
	var all []variant
	for _, data := range [][]byte{[]byte(text), without} {
		if !bytes.Equal(data, event) && !bytes.Contains(data, []byte(`"findings":null`)) {
			all = append(all, variant{"praised", data})
		}
	}
	return all
}

// commitMutants changes, drops, doubles and swaps every line of a commit: the
// tree, the parent, who and when, the message and its trailers.
func commitMutants(h *hunt) {
	for n, p := range h.pages {
		commit := string(h.object(h.commits[n]).Data)
		for _, v := range lineVariants(commit) {
			if !h.take(17) || bytes.HasPrefix(v.data, []byte("\n")) {
				continue
			}
			forged := p.copy()
			forged.raw = func([]byte) []byte { return v.data }
			h.try("commit line "+v.what, n, slices.Concat([]page{forged}, h.pages[n+1:]), sameSaying(commit, string(v.data)))
		}
	}
}

// sameSaying reports whether two commits differ in nothing but what is there for
// reading only, the subject, and what is there to make them differ, the nonce.
func sameSaying(a, b string) bool {
	headA, messageA, _ := strings.Cut(a, "\n\n")
	headB, messageB, _ := strings.Cut(b, "\n\n")
	ma, errA := ledger.ParseMessage(messageA)
	mb, errB := ledger.ParseMessage(messageB)
	mb.Subject, mb.Nonce = ma.Subject, ma.Nonce
	return headA == headB && errA == nil && errB == nil && ma == mb
}

// artifactMutants changes, drops and renames every artifact, in its revision and
// all that follow.
func artifactMutants(h *hunt) {
	known := map[string]bool{"state.json": true, "event.json": true}
	for n, p := range h.pages {
		for _, path := range slices.Sorted(maps.Keys(p.files)) {
			if known[path] {
				continue
			}
			known[path] = true
			changes := artifactChanges(path)
			for _, what := range slices.Sorted(maps.Keys(changes)) {
				nameless := what == "renamed" && !strings.Contains(path[strings.LastIndex(path, "/")+1:], "-1")
				if !nameless && h.take(5) {
					var pages []page
					for _, q := range h.pages[n:] {
						pages = append(pages, changes[what](q))
					}
					// The last line of an answer ends whether it says so or not. What was
					// shelved is a commit, and the end of its patch only a copy's.
					same := what == "shorter" && strings.HasSuffix(path, ".answer.md") ||
						(what == "shorter" || what == "longer") && strings.HasSuffix(path, ".shelved.patch")
					h.try(suffixOf(path)+" "+what, n, pages, same)
				}
			}
		}
	}
}

func suffixOf(path string) string { return path[strings.Index(path, ".")+1:] }

func artifactChanges(path string) map[string]func(page) page {
	edit := func(change func([]byte) []byte) func(page) page {
		return func(p page) page { return p.with(path, change(bytes.Clone(p.files[path].data))) }
	}
	mode := func(m string) func(page) page {
		return func(p page) page {
			q := p.copy()
			q.files[path] = leaf{mode: m, data: p.files[path].data}
			return q
		}
	}
	return map[string]func(page) page{
		"longer":     edit(func(b []byte) []byte { return append(b, '\n') }),
		"shorter":    edit(func(b []byte) []byte { return b[:max(len(b)-1, 0)] }),
		"other":      edit(func(b []byte) []byte { return append([]byte("x"), b[min(len(b), 1):]...) }),
		"emptied":    edit(func([]byte) []byte { return nil }),
		"dropped":    func(p page) page { return p.without(path) },
		"executable": mode("100755"),
		"link":       mode("120000"),
		"renamed": func(p page) page {
			folder, name, _ := strings.Cut(path[len("artifacts/"):], "/")
			return p.without(path).with("artifacts/"+folder+"/"+strings.Replace(name, "-1", "-9", 1), p.files[path].data)
		},
		"moved": func(p page) page { return p.without(path).with("artifacts/task-9/brief.md", p.files[path].data) },
	}
}

// treeMutants adds to the tree of each revision, and breaks the form of trees.
func treeMutants(h *hunt) {
	for n, p := range h.pages {
		for _, path := range []string{
			"README", "artifacts/notes.txt", "artifacts/final/brief.txt", "artifacts/task-1/implementer-7.report.md", "artifacts/task-1/implementer-1.answer.md",
			"artifacts/task-300000/brief.md", "artifacts/task-2/.hidden", "artifacts/task-1/fixer-1-r9.report.md", "artifacts/task-1/fixer-1-r1.gate-test.txt", ".git-sdd/x",
		} {
			if h.pages[n].files[path].data != nil || !h.take(5) {
				continue
			}
			var pages []page
			for _, q := range h.pages[n:] {
				pages = append(pages, q.with(path, []byte("x\n")))
			}
			h.try("added "+path, n, pages, false)
		}
		if !h.take(5) {
			continue
		}
		root := h.object(h.commits[n] + "^{tree}").Data
		plan := h.repo.ObjectID("blob", p.files["plan.md"].data)
		trees := map[string][]byte{
			"doubled":   append(bytes.Clone(root), entry("100644", "state.json", plan)...),
			"submodule": append(bytes.Clone(root), entry("160000", "vendor", h.commits[0])...),
			"unsorted":  append(entry("100644", "plan.md", plan), bytes.Replace(root, entry("100644", "plan.md", plan), nil, 1)...),
			"padded":    bytes.Replace(root, []byte("100644 plan.md"), []byte("0100644 plan.md"), 1),
			"cut":       root[:len(root)-1],
			"emptied":   {},
		}
		for _, what := range slices.Sorted(maps.Keys(trees)) {
			forged := p.copy()
			forged.tree = trees[what]
			h.try("tree "+what, n, slices.Concat([]page{forged}, h.pages[n+1:]), false)
		}
	}
}

// chainMutants drops, doubles and swaps revisions, splices one in from another
// run, and gives revisions other parents.
func chainMutants(h *hunt) {
	other := h.another()
	for n, p := range h.pages {
		if !h.take(5) {
			continue
		}
		rest := h.pages[n+1:]
		h.try("dropped", n, rest, len(rest) == 0) // the run as it was a revision ago
		h.try("doubled", n, slices.Concat([]page{p, p}, rest), false)
		if len(rest) > 0 {
			h.try("swapped", n, slices.Concat([]page{rest[0], p}, rest[1:]), false)
		}
		if n < len(other) {
			h.try("spliced", n, slices.Concat([]page{other[n]}, rest), false)
			h.try("grafted", n, other[n:], false)
		}
		more := p.copy()
		more.extra = []string{h.git("rev-parse", "main")}
		h.try("second parent", n, slices.Concat([]page{more}, rest), false)
		if n > 0 {
			root := p.copy()
			root.orphan = true
			h.try("second root", n, slices.Concat([]page{root}, rest), false)
			stranger := root.copy()
			stranger.extra = []string{h.commits[max(n-2, 0)]}
			h.try("other parent", n, slices.Concat([]page{stranger}, rest), n == 1)
		}
	}
}

// another returns the pages of a second run, in another worktree.
func (h *hunt) another() []page {
	h.Helper()
	dir := h.TempDir() + "/other"
	h.git("worktree", "add", "--quiet", "-b", "other", dir, "main")
	h.git("-C", dir, "sdd", "start", "plan.md")
	for line := range strings.SplitSeq(h.git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/sdd/"), "\n") {
		if line != h.id.String() {
			return newForger(h.shop, line).pages
		}
	}
	h.Fatal("there is no other run")
	return nil
}

// byteMutants flips bytes of the objects that the run consists of: in what an
// object says, with everything above it named anew, and in the files themselves.
func byteMutants(h *hunt) {
	flips := 150
	if n, err := strconv.Atoi(os.Getenv("SDD_FLIPS")); err == nil {
		flips = n / 2
	} else if h.all {
		flips = 1000
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range flips {
		h.flipSaid(r)
		h.flipStored(r)
	}
}

func (h *hunt) flipSaid(r *rand.Rand) {
	n := r.IntN(len(h.pages))
	paths := slices.Sorted(maps.Keys(h.pages[n].files))
	at := r.IntN(len(paths) + 2)
	flip := func(data []byte) []byte {
		out := bytes.Clone(data)
		if len(out) > 0 {
			out[r.IntN(len(out))] ^= byte(1 + r.IntN(255))
		}
		return out
	}
	forged, what, harmless := h.pages[n].copy(), "commit", false
	switch {
	case at < len(paths):
		what = paths[at]
		forged = forged.with(what, flip(forged.files[what].data))
		harmless = len(forged.files[what].data) == 0
	case at == len(paths):
		what = "tree"
		forged.tree = flip(h.object(h.commits[n] + "^{tree}").Data)
	default:
		commit := h.object(h.commits[n]).Data
		changed := flip(commit)
		forged.raw = func([]byte) []byte { return changed }
		harmless = sameSaying(string(commit), string(changed))
	}
	h.try("flipped in "+what, n, slices.Concat([]page{forged}, h.pages[n+1:]), harmless)
}

// flipStored damages the file of an object of the recorded run. A flip that
// leaves the content as it is, such as in what zlib does not look at, is no
// damage.
func (h *hunt) flipStored(r *rand.Rand) {
	h.point(h.commits[len(h.commits)-1])
	n := r.IntN(len(h.commits))
	specs := []string{h.commits[n], h.commits[n] + "^{tree}"}
	for path := range h.pages[n].files {
		specs = append(specs, h.commits[n]+":"+path)
	}
	slices.Sort(specs)
	spec := specs[r.IntN(len(specs))]
	o := h.object(spec)
	path := h.loose(o.ID)
	was, err := os.ReadFile(path)
	if err != nil {
		h.Fatal(err)
	}
	damaged := bytes.Clone(was)
	damaged[r.IntN(len(damaged))] ^= byte(1 + r.IntN(255))
	h.replace(path, damaged)
	now, err := h.repo.Object(o.ID)
	h.count("damaged "+spec, h.caughtWhole(), err == nil && bytes.Equal(now.Data, o.Data))
	h.replace(path, was)
}

func (h *hunt) replace(path string, data []byte) {
	_ = os.Remove(path)
	if err := os.WriteFile(path, data, 0o444); err != nil {
		h.Fatal(err)
	}
}

// What the machine itself holds is the ground that forged mutants stand on: a
// rebuilt run is one that it takes.
func TestRebuiltIsTheRun(t *testing.T) {
	s := newShop(t, richFiles())
	f := newForger(s, richRun(s))
	for n, p := range f.pages {
		pages := f.rebuilt(n, p.files["event.json"].data)
		f.write(n, pages)
		if got := f.git("rev-parse", f.id.Ref()); got != f.commits[len(f.commits)-1] {
			t.Fatalf("rebuilt from revision %d the run is %s and not itself", n, got)
		}
	}
	if v, err := machine.DecodeState(f.pages[len(f.pages)-1].files["state.json"].data); err != nil || v.View().Phase != machine.Complete {
		t.Errorf("the run does not end complete: %v", err)
	}
}
