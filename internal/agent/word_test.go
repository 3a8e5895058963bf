package agent

import (
	"os"
	"strings"
	"testing"
)

// Whatever the agent does to its own record, the end that is written down is the
// one that its keeper saw.
func TestRecordIsNotTheAgents(t *testing.T) {
	forged := `{"schema":"` + RecordSchema + `","session":"one","end":{"exit":-1,"cause":"not-started","detail":"it never was"}}`
	for name, spoil := range map[string]func(path string) error{
		"removed":   os.Remove,
		"forged":    func(path string) error { return os.WriteFile(path, []byte(forged), 0o600) },
		"half":      func(path string) error { return os.WriteFile(path, []byte(forged[:20]), 0o600) },
		"untouched": func(string) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			s, spec := announced(t, "exit 3", nil)
			rec := spec.record()
			rec.PID, rec.StartTime = 4711, "1"
			if err := s.claim(rec); err != nil {
				t.Fatal(err)
			}
			path, err := s.path(spec.Session, ".json")
			if err != nil {
				t.Fatal(err)
			}
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			if err := s.recordEnd(spec, Result{Cause: Exited, Exit: 3}, word{Record: &rec}); err != nil {
				t.Fatal(err)
			}
			got, err := s.Read(spec.Session)
			if err != nil || got.PID != 4711 || got.End == nil || got.End.Cause != Exited || got.End.Exit != 3 {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// One that told nothing never became the agent: that is recorded, unless its
// record says otherwise.
func TestNothingWasTold(t *testing.T) {
	s, spec := announced(t, "exit 3", nil)
	if err := s.recordEnd(spec, Result{Cause: Exited, Exit: 1}, word{}); err != nil {
		t.Fatal(err)
	}
	rec, err := s.Read(spec.Session)
	if standing, _ := rec.Stands(); err != nil || standing != NeverStarted {
		t.Errorf("%+v, %v", rec, err)
	}
}

// One that could not be found tells why before it has a record.
func TestNoSuchProgram(t *testing.T) {
	s, spec := announced(t, "", func(s *Spec) { s.Argv = []string{"./no-such-program"} })
	rec := keep(t, s, spec.Session)
	if standing, _ := rec.Stands(); standing != NeverStarted || rec.PID != 0 || !strings.Contains(rec.End.Detail, "no-such-program") {
		t.Errorf("%+v, %+v", rec, rec.End)
	}
}

func TestWords(t *testing.T) {
	rec := Record{Session: "one", PID: 3}
	for text, want := range map[string]word{
		"": {},
		`{"record":{"session":"one","pid":3}}` + "\n":                               {Record: &rec},
		`{"record":{"session":"one","pid":3}}` + "\n" + `{"failed":"no such file"}`: {Record: &rec, Failed: "no such file"},
		`{"record":{"session":"one","pid":3}}` + "\n" + `{"fai`:                     {Record: &rec},
	} {
		got := wordsOf(strings.NewReader(text))
		if got.Failed != want.Failed || (got.Record == nil) != (want.Record == nil) || got.Record != nil && *got.Record != *want.Record {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
