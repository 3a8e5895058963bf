package controller

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/agent"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// sessions is the folder in which children of this repository leave their
// records. It is shared by all worktrees and lies where no child may write
// (architecture: facts, sessions).
func (c *Controller) sessions() agent.Sessions {
	return agent.NewSessions(c.sessionsDir())
}

func (c *Controller) sessionsDir() string {
	return filepath.Join(c.repo.CommonDir(), "git-sdd", "sessions")
}

// sessionName names the child that one handing out of a dispatch starts: the
// key's digest, and the revision of the intent or of the ruling that hands it
// out again. One name is one child, whoever tries to start it.
func sessionName(key string, revision int) string {
	sum := sha256.Sum256([]byte(key))
	return fmt.Sprintf("%s-r%d", hex.EncodeToString(sum[:6]), revision)
}

// repairName names a repair call of a session.
func repairName(session string, n int) string { return fmt.Sprintf("%s.repair-%d", session, n) }

// A SessionStatus is what is known of one child that git-sdd started.
type SessionStatus struct {
	Session     string     `json:"session"`
	Run         string     `json:"run"`
	DispatchKey string     `json:"dispatchKey"`
	Revision    int        `json:"revision"`
	Role        string     `json:"role"`
	Tier        string     `json:"tier"`
	Task        int        `json:"task"`
	Standing    string     `json:"standing"` // running, ended, never-started or unproven
	Proof       string     `json:"proof"`    // what shows it
	Host        string     `json:"host"`
	BootID      string     `json:"bootId"`
	PID         int        `json:"pid"`
	StartTime   string     `json:"startTime"`
	StartedAt   string     `json:"startedAt"`
	End         *agent.End `json:"end"`
	Cwd         string     `json:"cwd"`
	Log         string     `json:"log"` // path of the child's output
}

// SessionList is the answer of `sessions`.
type SessionList struct {
	Schema   string          `json:"schema"`
	Sessions []SessionStatus `json:"sessions"`
}

// SessionAnswer is the answer of `session ID`.
type SessionAnswer struct {
	Schema string `json:"schema"`
	SessionStatus
}

// Sessions lists the children that git-sdd started in this repository, in the
// order of their starts; of one run, where the options name one.
func (c *Controller) Sessions(ctx context.Context) (*SessionList, error) {
	of := ""
	if c.opt.Run != "" {
		r, err := c.find(ctx, reading)
		if err != nil {
			return nil, err
		}
		defer r.close()
		of = r.id.String()
	}
	ids, err := c.sessionIDs()
	if err != nil {
		return nil, err
	}
	out := &SessionList{Schema: "git-sdd/sessions/1", Sessions: []SessionStatus{}}
	for _, id := range ids {
		s, err := c.sessionStatus(id)
		if err != nil {
			return nil, err
		}
		if of == "" || s.Run == of {
			out.Sessions = append(out.Sessions, s)
		}
	}
	slices.SortStableFunc(out.Sessions, func(a, b SessionStatus) int { return strings.Compare(a.StartedAt, b.StartedAt) })
	return out, nil
}

// Session tells of one child, by its id or a prefix of it that is unique.
func (c *Controller) Session(prefix string) (*SessionAnswer, error) {
	ids, err := c.sessionIDs()
	if err != nil {
		return nil, err
	}
	var found []string
	for _, id := range ids {
		if id == prefix {
			found = []string{id}
			break
		}
		if strings.HasPrefix(id, prefix) {
			found = append(found, id)
		}
	}
	switch {
	case len(found) == 0:
		return nil, fault.New(fault.Unknown, "git sdd sessions", "git-sdd started no session %q here", prefix)
	case len(found) > 1:
		return nil, fault.New(fault.Invalid, "git sdd session "+found[0], "%q begins %d sessions: %s", prefix, len(found), strings.Join(found, ", "))
	}
	s, err := c.sessionStatus(found[0])
	return &SessionAnswer{Schema: agent.RecordSchema, SessionStatus: s}, err
}

func (c *Controller) sessionIDs() ([]string, error) {
	ids, err := c.sessions().List()
	if err != nil {
		return nil, fault.New(fault.Invalid, "make "+shellWord(c.sessionsDir())+" a folder that you may read", "the records of sessions cannot be listed: %w", err)
	}
	return ids, nil
}

// sessionStatus tells of one session. What is damaged proves nothing, and hides
// nothing of the others.
func (c *Controller) sessionStatus(id string) (SessionStatus, error) {
	all := c.sessions()
	out := SessionStatus{Session: id}
	spec, err := all.Announced(id)
	if err == nil {
		out.Run, out.DispatchKey, out.Revision = spec.Run, spec.DispatchKey, spec.Revision
		out.Role, out.Tier, out.Task, out.Cwd = spec.Role, spec.Tier, spec.Task, spec.Dir
	}
	if out.Log, err = all.LogPath(id); err != nil {
		return out, sessionFault(err)
	}
	rec, err := all.Read(id)
	if err != nil {
		out.Standing, out.Proof = agent.Unproven.String(), "it was announced, and nothing shows that it started or that it did not"
		if !errors.Is(err, fs.ErrNotExist) {
			out.Proof = err.Error()
		}
		return out, nil
	}
	standing, proof := rec.Stands()
	out.Standing, out.Proof = standing.String(), proof
	out.Run, out.DispatchKey, out.Revision, out.Role = rec.Run, rec.DispatchKey, rec.Revision, rec.Role
	out.Host, out.BootID, out.PID, out.StartTime = rec.Host, rec.BootID, rec.PID, rec.StartTime
	out.StartedAt, out.End = rec.StartedAt, rec.End
	return out, nil
}

// sessionFault ends a drive at a session file that cannot be read. It proves as
// little as one that is gone, so a human rules.
func sessionFault(err error) error {
	repair := "git sdd next"
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		repair = "make " + shellWord(filepath.Dir(path.Path)) + " a folder that you may read, then git sdd run"
	}
	return fault.New(fault.Waiting, repair, "nothing proves what became of the child: %w", err)
}

// receiptOf says in one recorded line what shows how a session ended.
func receiptOf(rec agent.Record, proof string) string {
	if rec.End == nil {
		return abbreviate(fmt.Sprintf("session %s, pid %d: %s", rec.Session, rec.PID, proof))
	}
	return abbreviate(fmt.Sprintf("session %s, pid %d: %s", rec.Session, rec.PID, endText(*rec.End)))
}

// endText tells an end and when that was.
func endText(e agent.End) string { return howEnded(e) + " at " + e.At }

// howEnded tells an end, as what follows the name of a child.
func howEnded(e agent.End) string {
	how := fmt.Sprintf("exit status %d", e.Exit)
	if e.Signal != "" {
		how = "signal " + e.Signal
	}
	text := map[agent.Cause]string{
		agent.Exited: "ended with " + how, agent.TimedOut: "ran into its timeout and was ended (" + how + ")",
		agent.WentIdle:    "said nothing for longer than it may and was ended (" + how + ")",
		agent.Interrupted: "was interrupted (" + how + ")", agent.NotStarted: "was not started: " + e.Detail,
	}[e.Cause]
	if e.Straggle {
		text += ", and processes that outlived it were killed"
	}
	if e.Escaped {
		text += ", and one that left its group may still run"
	}
	return text
}

// A history is what the ledger tells of the current dispatch.
type history struct {
	revision int      // that handed it out last: the intent, or a ruling
	via      string   // by what way that was recorded
	ruled    bool     // it was a ruling
	sessions []string // started since a human last had a say
}

// history reads the current dispatch from its intent on.
func (r *run) history(ctx context.Context) (history, error) {
	from := r.view.Dispatch.IntentRevision
	var h history
	for n := from; n <= r.view.Revision; n++ {
		doc, err := r.document(ctx, n)
		if err != nil {
			return h, err
		}
		if n == from {
			h.revision, h.via = n, doc.By.Via
		}
		switch e := doc.Event.(type) {
		case machine.DispatchStarted:
			h.sessions = append(h.sessions, e.SessionID)
		case machine.DispatchRulingRecorded:
			h.revision, h.via, h.ruled = n, doc.By.Via, true
			if doc.By.Via != ViaRun {
				h.sessions = nil
			}
		}
	}
	return h, nil
}

// failures counts the sessions that ended without a result by themselves: one
// that a human interrupted is no failure of its agent. What this very drive started
// was interrupted by somebody else, or by itself, without end perhaps.
func (d *driver) failures(h history) int {
	n := 0
	for _, id := range h.sessions {
		rec, err := d.c.sessions().Read(id)
		if d.begun[id] || err != nil || rec.End == nil || rec.End.Cause != agent.Interrupted {
			n++
		}
	}
	return n
}
