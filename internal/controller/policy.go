package controller

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// Policy is the answer of `policy`: GetModelPolicyV1, bare (contract:
// capability). It names models and nothing else: no command, no environment.
type Policy struct {
	ContractVersion int             `json:"contractVersion"`
	Policy          PolicyStanding  `json:"policy"`
	Ladder          LadderStanding  `json:"ladder"`
	TrackedDispatch TrackedDispatch `json:"trackedDispatch"`
}

// PolicyStanding is how the session that starts the children gets its own model.
type PolicyStanding struct {
	Mode                string          `json:"mode"`
	RememberedTier      *string         `json:"rememberedTier"`
	CurrentTier         *string         `json:"currentTier"`
	CurrentRuntime      ModelSelection  `json:"currentRuntime"`
	NextRequestResolved *ModelSelection `json:"nextRequestResolved"`
	BlockedReason       *string         `json:"blockedReason"`
}

// ModelSelection is ExactModelSelection: one model and how much it thinks.
type ModelSelection struct {
	Model         ModelName `json:"model"`
	ThinkingLevel string    `json:"thinkingLevel"`
}

// ModelName is a model as its provider names it.
type ModelName struct {
	Provider string `json:"provider"`
	ID       string `json:"id"`
}

// LadderStanding says whether every tier resolves to a model.
type LadderStanding struct {
	Valid         bool    `json:"valid"`
	Revision      *string `json:"revision"`
	BlockedReason *string `json:"blockedReason"`
}

// TrackedDispatch is what starting a child takes and gives.
type TrackedDispatch struct {
	ContractVersion  int      `json:"contractVersion"`
	TierField        bool     `json:"tierField"`
	Scope            string   `json:"scope"`
	CanonicalInputs  []string `json:"canonicalInputs"`
	ReturnsSessionID bool     `json:"returnsSessionId"`
}

// parentTier stands for the session that starts the children. The settings name
// no model for it, and a program needs none: it stands where the last word of
// every run is spoken (contract: tiers, the final review is always frontier).
const parentTier = tier.Frontier

// noModel is the runtime of a parent that no model drives.
var noModel = ModelSelection{Model: ModelName{Provider: "git-sdd", ID: "none"}, ThinkingLevel: "none"}

// Policy says how tiers become models. It reads the settings and nothing else.
func (c *Controller) Policy() (*Policy, error) {
	s, err := c.settings()
	if err != nil {
		return nil, err
	}
	return policyOf(s), nil
}

// policyOf derives the policy from settings (contract: conditional invariants).
func policyOf(s *config.Settings) *Policy {
	p := &Policy{
		ContractVersion: 1,
		Policy:          PolicyStanding{Mode: s.Policy(), CurrentRuntime: noModel},
		Ladder:          ladderOf(s),
		TrackedDispatch: TrackedDispatch{
			ContractVersion: 1, TierField: true, Scope: "parent-session",
			CanonicalInputs: []string{"cwd", "prompt", "tier"}, ReturnsSessionID: true,
		},
	}
	resolved, ok := selection(s, parentTier)
	if ok {
		p.Policy.CurrentRuntime = resolved
		p.Policy.NextRequestResolved = &resolved
	} else {
		p.Policy.BlockedReason = p.Ladder.BlockedReason
	}
	if p.Policy.Mode == config.PolicyExact {
		p.Policy.NextRequestResolved = &p.Policy.CurrentRuntime
		return p
	}
	if p.Ladder.Valid {
		current := parentTier.String()
		p.Policy.CurrentTier = &current
	}
	return p
}

func selection(s *config.Settings, t tier.Tier) (ModelSelection, bool) {
	rung, ok := s.Rung(t)
	return ModelSelection{Model: ModelName{Provider: rung.Provider, ID: rung.Model}, ThinkingLevel: rung.Thinking}, ok
}

// ladderOf says whether the ladder is whole, and which one it is.
func ladderOf(s *config.Settings) LadderStanding {
	why := ""
	switch missing := s.Missing(); {
	case !s.HasLadder():
		why = "no [tier.*] is set, so tiers are advice to whoever starts the children; set provider, model and thinking of all six to let git-sdd start them"
	case len(missing) > 0:
		var names []string
		for _, t := range missing {
			names = append(names, t.String())
		}
		why = fmt.Sprintf("the ladder has no whole rung for %s: set provider, model and thinking in [tier.%s]", strings.Join(names, ", "), names[0])
	default:
		revision := ladderRevision(s)
		return LadderStanding{Valid: true, Revision: &revision}
	}
	return LadderStanding{BlockedReason: &why}
}

// ladderRevision is the lowercase hex SHA-256 of the canonical ladder: one line
// for each tier, ascending, of its name, provider, model and thinking, with a NUL
// between two of them. No setting holds a NUL or a line feed.
func ladderRevision(s *config.Settings) string {
	hash := sha256.New()
	for _, t := range tier.All() {
		rung, _ := s.Rung(t)
		fmt.Fprintf(hash, "%s\x00%s\x00%s\x00%s\n", t, rung.Provider, rung.Model, rung.Thinking)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// wholeLadder is what starting children takes: all six rungs, where a run that is
// driven by hand may do without any (contract: capability).
func wholeLadder(s *config.Settings) error {
	if s.HasLadder() {
		return checkLadder(s)
	}
	return fault.New(fault.Refused, "git sdd config agent claude", "git-sdd starts children by tier, and no [tier.*] is set").
		WithCode("rung-missing").WithPhase(machine.CapabilityBlocked.String())
}

// Rung is one tier with the model that stands for it.
type Rung struct {
	Tier                      string
	Set                       bool // all of its three settings are there
	Provider, Model, Thinking string
}

// Rungs lists the ladder, ascending, with the tiers that lack a model.
func (c *Controller) Rungs() ([]Rung, error) {
	s, err := c.settings()
	if err != nil {
		return nil, err
	}
	var all []Rung
	for _, t := range tier.All() {
		rung, ok := s.Rung(t)
		all = append(all, Rung{Tier: t.String(), Set: ok, Provider: rung.Provider, Model: rung.Model, Thinking: rung.Thinking})
	}
	return all, nil
}
