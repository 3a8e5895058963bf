package machine

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A walk is one line of what [Reduce] takes: what a run is pinned to, and the
// events that are tried on it in turn.
type walk struct {
	ID           string     `json:"id"`
	Init         walkInit   `json:"init"`
	InitialRunID string     `json:"initialRunId"`
	Steps        []walkStep `json:"steps"`
}

type walkInit struct {
	Init
	At Instant `json:"at"`
}

type walkStep struct {
	At    Instant        `json:"at"`
	Event jsontext.Value `json:"event"`
	Want  jsontext.Value `json:"want"` // for who compares; not read here
	Note  string         `json:"note"`
}

// A reduced is the answer to a step that was accepted.
type reduced struct {
	OK                     bool              `json:"ok"`
	Phase                  Phase             `json:"phase"`
	Revision               int               `json:"revision"`
	CurrentTask            int               `json:"currentTask"`
	CurrentImplementerTier string            `json:"currentImplementerTier"`
	ContextAttempts        int               `json:"contextAttempts"`
	FixRound               int               `json:"fixRound"`
	FinalFixUsed           bool              `json:"finalFixUsed"`
	RecoveryRulings        int               `json:"recoveryRulings"`
	Findings               map[string]string `json:"findings"`
	Dispatch               *reducedDispatch  `json:"dispatch"`
}

type reducedDispatch struct {
	DispatchKey string `json:"dispatchKey"`
	Role        string `json:"role"`
	Tier        string `json:"tier"`
	Round       *int   `json:"round"`
	SessionID   Opt    `json:"sessionId"`
	Reissued    bool   `json:"reissued"`
}

// A refusal is the answer to a step that was refused.
type refusal struct {
	OK    bool   `json:"ok"`
	Error string `json:"error"`
}

// Reduce runs a walk, one line of JSON, through the machine and returns the
// answers, one line of JSON for each of its steps. An event that is refused,
// or is none, leaves the state as it was. The error is for a walk that cannot
// begin.
func Reduce(line []byte) ([]byte, error) {
	var w walk
	if err := json.Unmarshal(line, &w, strict); err != nil {
		return nil, fmt.Errorf("walk: %w", oneLine(err))
	}
	state, err := New(w.Init.Init, w.Init.At)
	if err != nil {
		return nil, fmt.Errorf("walk %q: %w", clip(w.ID), err)
	}
	if id := state.view.RunID; w.InitialRunID != "" && w.InitialRunID != id {
		return nil, fmt.Errorf("walk %q: the run id is %s, initialRunId says %q", clip(w.ID), id, clip(w.InitialRunID))
	}
	var out []byte
	for _, step := range w.Steps {
		var answer any
		state, answer = reduce(state, step)
		text, err := json.Marshal(answer, json.Deterministic(true))
		if err != nil {
			return nil, fmt.Errorf("walk %q: %w", clip(w.ID), oneLine(err))
		}
		out = append(append(out, text...), '\n')
	}
	return out, nil
}

func reduce(s State, step walkStep) (State, any) {
	event, err := DecodeWalkEvent(step.Event)
	if err != nil {
		return s, refusal{Error: err.Error()}
	}
	next, err := Apply(s, Input{At: step.At, Event: event})
	if err != nil {
		return s, refusal{Error: err.Error()}
	}
	return next, summary(&next.view)
}

func summary(v *View) reduced {
	r := reduced{
		OK: true, Phase: v.Phase, Revision: v.Revision, CurrentTask: v.CurrentTask,
		CurrentImplementerTier: v.CurrentImplementerTier, ContextAttempts: v.ContextAttempts, FixRound: v.FixRound,
		FinalFixUsed: v.FinalFixUsed, RecoveryRulings: v.RecoveryRulings, Findings: make(map[string]string, len(v.Findings)),
	}
	for _, f := range v.Findings {
		r.Findings[f.ID] = f.Disposition
	}
	if d := v.Dispatch; d != nil {
		r.Dispatch = &reducedDispatch{d.DispatchKey, d.Role, d.Tier, d.Round, d.SessionID, d.Reissued}
	}
	return r
}
