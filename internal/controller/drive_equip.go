package controller

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/git-sdd/git-sdd/internal/agent"
	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// probeTime is how long a probe may take: it asks whether a model is there.
const probeTime = time.Minute

// equip refuses to drive before anything is recorded where a later child could
// not be started: every rung and a command for every role (contract:
// capability), and for the child that is next a probe that passes.
func (d *driver) equip(ctx context.Context, r *run, w want) error {
	if w.action != actDispatch && w.action != actSpawn && w.action != actAwait {
		return nil
	}
	s, err := d.c.settings()
	if err != nil {
		return err
	}
	if !d.equipped {
		if err := checkEquipment(s); err != nil {
			return err
		}
		d.equipped = true
	}
	if w.action == actAwait || d.opt.DryRun {
		return nil
	}
	return d.probe(ctx, r, s, w.role)
}

// checkEquipment holds the settings to what a drive needs.
func checkEquipment(s *config.Settings) error {
	if err := checkLadder(s); err != nil {
		return err
	}
	var defects []fault.Defect
	for _, role := range tier.Roles() {
		if _, ok := s.Agent(role); !ok {
			defects = append(defects, fault.Defect{
				Code: "command-missing", Message: "no command is set for the " + role.String(),
				Repair: "set command in [agent], or in [role." + role.String() + "]",
			})
		}
	}
	if len(defects) == len(tier.Roles()) {
		defects = defects[:1]
		defects[0].Message, defects[0].Repair = "no command is set for agents", "set command in [agent]"
	}
	if !s.HasLadder() {
		defects = append(defects, fault.Defect{
			Code: "ladder-missing", Message: "git sdd run starts children by tier, and no [tier.*] is set",
			Repair: "set provider, model and thinking in [tier.economy] to [tier.frontier]",
		})
	}
	if len(defects) == 0 {
		return nil
	}
	return fault.FromDefects(fault.Refused, "git sdd config list --show-origin", defects).WithPhase(machine.CapabilityBlocked.String())
}

func noCommand(role tier.Role) error {
	return fault.New(fault.Refused, "set command in [agent]", "no command is set for the %s", role)
}

// probe looks for the command of a role, and tries its agent once for each model.
func (d *driver) probe(ctx context.Context, r *run, s *config.Settings, role tier.Role) error {
	a, ok := s.Agent(role)
	if !ok {
		return noCommand(role)
	}
	l, err := r.launchFor(role)
	if err != nil {
		return err
	}
	if err := agent.Find(config.Expand(a.Command, l.values())[0]); err != nil {
		return fault.New(fault.Agent, "git sdd config list --show-origin", "the command of the %s cannot be started: %w", role, err)
	}
	if a.Probe == nil {
		return nil
	}
	argv := config.Expand(a.Probe, l.values())
	key := strings.Join(argv, "\x00")
	if d.probed[key] {
		return nil
	}
	res, err := agent.Run(ctx, agent.Command{
		Argv: argv, Dir: r.view.Worktree, Env: git.WithoutLocal(os.Environ()), Timeout: probeTime, Idle: probeTime,
	})
	shown := shellLine(argv)
	switch {
	case ctx.Err() != nil:
		return interrupted()
	case err != nil:
		return fault.New(fault.Agent, "git sdd config list --show-origin", "the probe of the %s did not start: %w", role, err)
	case res.Cause != agent.Exited || res.Exit != 0:
		return fault.New(fault.Agent, shown, "the probe of the %s failed before any child was started (it %s)%s", role, howEnded(agent.End{Cause: res.Cause, Exit: res.Exit, Signal: res.Signal}), lastSaid(res.Tail))
	}
	d.probed[key] = true
	return nil
}

// lastSaid is the last line of an output as the end of a message, where there is one.
func lastSaid(tail []byte) string {
	if line := agent.LastLine(tail); line != "" {
		return ": " + line
	}
	return ""
}

func shellLine(argv []string) string {
	words := make([]string, len(argv))
	for i, w := range argv {
		words[i] = shellWord(w)
	}
	return strings.Join(words, " ")
}
