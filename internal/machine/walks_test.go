package machine

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

const vectors = "../../testdata/vectors"

// wanted is what a vector says of one step. The note is for the reader.
type wanted struct {
	At    Instant        `json:"at"`
	Event map[string]any `json:"event"`
	Want  map[string]any `json:"want"`
	Note  string         `json:"note"`
}

// TestWalks runs every walk of the vectors through Reduce and compares each
// answer with what the vector wants, member by member.
func TestWalks(t *testing.T) {
	for _, name := range []string{"machine.jsonl", "strict.jsonl"} {
		for _, line := range walkLines(t, filepath.Join(vectors, name)) {
			var w struct {
				ID    string   `json:"id"`
				Steps []wanted `json:"steps"`
			}
			if err := json.Unmarshal(line, &w); err != nil {
				t.Fatal(err)
			}
			t.Run(w.ID, func(t *testing.T) { testWalk(t, line, w.Steps) })
		}
	}
}

func testWalk(t *testing.T, line []byte, steps []wanted) {
	out, err := Reduce(line)
	if err != nil {
		t.Fatal(err)
	}
	answers := bytes.Split(bytes.TrimSuffix(out, []byte("\n")), []byte("\n"))
	if len(answers) != len(steps) {
		t.Fatalf("%d answers to %d steps", len(answers), len(steps))
	}
	for i, answer := range answers {
		var got map[string]any
		if err := json.Unmarshal(answer, &got); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		if got["ok"] == false {
			if got["error"] == "" {
				t.Errorf("step %d: refused without a reason", i)
			}
			delete(got, "error")
		}
		if diff := cmp.Diff(steps[i].Want, got); diff != "" {
			t.Errorf("step %d, %v %s: (-want +got)\n%s\n%s", i, steps[i].Event["type"], steps[i].Note, diff, answer)
		}
	}
}

// walkLines returns the lines of a vector file.
func walkLines(t testing.TB, path string) [][]byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]byte
	scanner := bufio.NewScanner(bytes.NewReader(data))
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		lines = append(lines, bytes.Clone(scanner.Bytes()))
	}
	if len(lines) == 0 {
		t.Fatalf("%s holds no walks", path)
	}
	return lines
}
