package agent

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// RecordSchema and SpecSchema name the forms of a session's two files.
const (
	RecordSchema = "git-sdd/session/1"
	SpecSchema   = "git-sdd/session-spec/1"
)

// Spec is a session before it starts: what its keeper is to run. It is on disk
// before the intent is recorded, so that a session that was never begun can be
// told from one whose traces were removed.
type Spec struct {
	Schema      string `json:"schema"`
	Session     string `json:"session"`
	Run         string `json:"run"`
	Revision    int    `json:"revision"` // of the intent, or of the ruling that hands it out again
	DispatchKey string `json:"dispatchKey"`
	Role        string `json:"role"`
	Tier        string `json:"tier"`
	Task        int    `json:"task"`

	Argv         []string `json:"argv"`
	Dir          string   `json:"dir"`
	PromptPath   string   `json:"promptPath"` // its bytes are checked when the child starts
	PromptSHA256 string   `json:"promptSha256"`
	Stdin        string   `json:"stdin"` // StdinPrompt or StdinNothing
	ReportPath   string   `json:"reportPath"`
	ReportMarked bool     `json:"reportMarked"` // the report stands between the marks on standard output
	ReportLimit  int      `json:"reportLimit"`  // most bytes of a report
	TimeoutMS    int64    `json:"timeoutMs"`
	IdleMS       int64    `json:"idleMs"`
	GraceMS      int64    `json:"graceMs"`
}

// What a child finds on its standard input.
const (
	StdinPrompt  = "prompt"
	StdinNothing = "nothing"
)

// A Record is what a session itself wrote down: before its process became the
// child, and after that ended. Process ids are worth something on their host and
// in their boot only, and only with the time at which the process started.
type Record struct {
	Schema      string `json:"schema"`
	Session     string `json:"session"`
	Run         string `json:"run"`
	Revision    int    `json:"revision"`
	DispatchKey string `json:"dispatchKey"`
	Role        string `json:"role"`
	Host        string `json:"host"`
	BootID      string `json:"bootId"`
	PID         int    `json:"pid"` // of the child, and the id of its group
	StartTime   string `json:"startTime"`
	KeeperPID   int    `json:"keeperPid"`
	KeeperStart string `json:"keeperStart"`
	StartedAt   string `json:"startedAt"`
	End         *End   `json:"end"`
}

// An End is how a session ended.
type End struct {
	Exit     int    `json:"exit"` // -1 where there is no exit status
	At       string `json:"at"`
	Cause    Cause  `json:"cause"`
	Signal   string `json:"signal"`
	Straggle bool   `json:"straggle"` // processes outlived the child and were killed
	Escaped  bool   `json:"escaped"`  // one that left the child's group held its output to the last
	Output   int64  `json:"output"`   // bytes written to both outputs
	Question string `json:"question"` // the last line of a child that waited for an answer
	Detail   string `json:"detail"`   // why it was not started
}

// ErrClaimed is that a session has its record already: some process started it,
// or it was ruled never to start.
var ErrClaimed = errors.New("the session is recorded already")

// Sessions is the folder of the session files of one repository. Nothing in it
// is ever written half: files appear whole, under names that are never reused.
type Sessions struct{ dir string }

// NewSessions names the folder; it is created by the first session.
func NewSessions(dir string) Sessions { return Sessions{dir} }

// sessionName keeps ids from leading out of the folder.
var sessionName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)
})

func (s Sessions) path(id, ending string) (string, error) {
	if !sessionName().MatchString(id) || strings.Contains(id, "..") {
		return "", fmt.Errorf("%q is no name of a session", id)
	}
	return filepath.Join(s.dir, id+ending), nil
}

// LogPath is where a session's output is kept.
func (s Sessions) LogPath(id string) (string, error) { return s.path(id, ".log") }

// PromptPath is where the prompt of a session is kept that belongs to no run.
func (s Sessions) PromptPath(id string) (string, error) { return s.path(id, ".prompt.md") }

// Announce writes down what a session is to be, durably.
func (s Sessions) Announce(spec Spec) error {
	path, err := s.path(spec.Session, ".spec.json")
	if err != nil {
		return err
	}
	spec.Schema = SpecSchema
	return writeDurably(path, spec, os.Rename)
}

// Announced reads a session's spec; the error is fs.ErrNotExist where there is
// none.
func (s Sessions) Announced(id string) (Spec, error) {
	var spec Spec
	err := s.read(id, ".spec.json", &spec)
	if err == nil && (spec.Schema != SpecSchema || spec.Session != id) {
		err = fmt.Errorf("session %s: its spec is of another form", id)
	}
	return spec, err
}

// Read reads a session's record; the error is fs.ErrNotExist where there is
// none, which proves nothing.
func (s Sessions) Read(id string) (Record, error) {
	var rec Record
	err := s.read(id, ".json", &rec)
	if err == nil && (rec.Schema != RecordSchema || rec.Session != id) {
		err = fmt.Errorf("session %s: its record is of another form", id)
	}
	return rec, err
}

func (s Sessions) read(id, ending string, into any) error {
	path, err := s.path(id, ending)
	if err != nil {
		return err
	}
	data, err := readRegular(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s is damaged: %w", path, err)
	}
	return nil
}

// claim makes the record, unless there is one: of all that want to start or to
// rule out a session exactly one succeeds, and the others get [ErrClaimed].
func (s Sessions) claim(rec Record) error {
	path, err := s.path(rec.Session, ".json")
	if err != nil {
		return err
	}
	err = writeDurably(path, rec, func(temporary, path string) error {
		defer os.Remove(temporary)
		return os.Link(temporary, path)
	})
	if errors.Is(err, fs.ErrExist) {
		return ErrClaimed
	}
	return err
}

// RuleOut records that an announced session will never start: whatever keeper
// comes later finds the record and starts nothing. Where the session did start,
// its record is the answer.
func (s Sessions) RuleOut(spec Spec, why string) (Record, error) {
	rec := spec.record()
	end := notStarted(why)
	rec.End = &end
	err := s.claim(rec)
	if errors.Is(err, ErrClaimed) {
		return s.Read(spec.Session)
	}
	return rec, err
}

// finish writes a session's record with its end.
func (s Sessions) finish(rec Record, end End) error {
	path, err := s.path(rec.Session, ".json")
	if err != nil {
		return err
	}
	rec.End = &end
	return writeDurably(path, rec, os.Rename)
}

// List returns the ids of all sessions, announced ones too, in the order of
// their names.
func (s Sessions) List() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var ids []string
	for _, e := range entries {
		id, whole := strings.CutSuffix(e.Name(), ".json")
		if whole && !strings.HasPrefix(id, ".") {
			ids = append(ids, strings.TrimSuffix(id, ".spec"))
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), err
}

// record is a session's record as far as its spec tells.
func (spec Spec) record() Record {
	return Record{
		Schema: RecordSchema, Session: spec.Session, Run: spec.Run, Revision: spec.Revision,
		DispatchKey: spec.DispatchKey, Role: spec.Role, Host: hostName(), BootID: bootID(), StartedAt: instant(),
	}
}

func instant() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000Z") }

// writeDurably writes a file whole: a temporary one, synced, moved into place,
// and the folder synced.
func writeDurably(path string, v any, move func(temporary, path string) error) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeBytes(path, append(data, '\n'), move)
}

func writeBytes(path string, data []byte, move func(temporary, path string) error) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temporary := filepath.Join(dir, ".tmp-"+rand.Text())
	f, err := os.OpenFile(temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = bytes.NewReader(data).WriteTo(f)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = move(temporary, path)
	}
	if err != nil {
		os.Remove(temporary)
		return err
	}
	return syncFolder(dir)
}
