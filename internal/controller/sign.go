package controller

import (
	"errors"
	"time"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// What git's setting sdd.sign may say.
const (
	signOff     = "off"
	signRulings = "rulings" // what a human decided
	signAll     = "all"
)

// The settings of signing stand in git's own configuration alone, beside those
// of the key: signing is the user's, not a project's.
const (
	signKey      = "sdd.sign"
	signLimitKey = "sdd.signTimeout"
)

// signLimit is how long a signing program may take where nothing else is set: a
// human has to type a passphrase, or touch a key.
const signLimit = 30 * time.Second

func (c *Controller) signPolicy() (string, error) {
	settings, err := c.repo.Config()
	if err != nil {
		return "", err
	}
	policy, set := settings.Get(signKey)
	switch {
	case !set || policy == signOff:
		return signOff, nil
	case policy == signRulings || policy == signAll:
		return policy, nil
	}
	return "", fault.New(fault.Invalid, "git config sdd.sign off, or rulings, or all", "sdd.sign is %q, neither off nor rulings nor all", policy)
}

// signs returns how long the signature of a transition may take, 0 for none.
func (c *Controller) signs(ruling bool) (time.Duration, error) {
	policy, err := c.signPolicy()
	if err != nil || policy == signOff || policy == signRulings && !ruling {
		return 0, err
	}
	settings, err := c.repo.Config()
	if err != nil {
		return 0, err
	}
	text, set := settings.Get(signLimitKey)
	if !set {
		return signLimit, nil
	}
	limit, err := time.ParseDuration(text)
	if err != nil || limit <= 0 || limit > 10*time.Minute {
		return 0, fault.New(fault.Invalid, "git config sdd.signTimeout 30s", "sdd.signTimeout is %q, not a time of at most 10m", text)
	}
	return limit, nil
}

// ruled are the kinds that only a human's decision records.
var ruled = map[machine.Kind]bool{
	machine.KindRecoveryRulingRecorded: true, machine.KindRulingRecorded: true, machine.KindRunRelocated: true, machine.KindRunAbandoned: true,
	machine.KindChildLost: true, machine.KindChildInadmissible: true,
	machine.KindPreflightApproved: true, machine.KindPreflightRejected: true,
	machine.KindDispatchMismatch: true, machine.KindDispatchWindowCrossed: true, machine.KindDispatchRulingRecorded: true,
	machine.KindConcernRulingRecorded: true, machine.KindContextLimitReached: true,
	machine.KindReviewBlocked: true, machine.KindFixerBlocked: true, machine.KindTaskParkRulingRecorded: true, machine.KindRereviewBlocked: true,
	machine.KindFinalWorkBlocked: true, machine.KindFinalFixerBlocked: true, machine.KindFinalParkRulingRecorded: true,
}

// demanded says which events must be signed by the policy of this clone. The
// adjudication of a run's last findings is a ruling too, and looks like any other
// end of a run; it is signed, and not demanded.
func (c *Controller) demanded() (func(event string) bool, error) {
	policy, err := c.signPolicy()
	if err != nil {
		return nil, err
	}
	return func(event string) bool {
		kind, known := machine.ParseKind(event)
		return policy == signAll || policy == signRulings && known == nil && ruled[kind]
	}, nil
}

// notSigned is the refusal of a transition that could not be signed.
func notSigned(err error) error {
	if !errors.Is(err, git.ErrNotSigned) {
		return err
	}
	return fault.New(fault.Agent, "unlock the signing key, or git config sdd.sign off; then call again", "%w; nothing was recorded", err)
}
