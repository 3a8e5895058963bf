package controller

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-sdd/git-sdd/internal/agent"
	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/report"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// SpawnOptions is one child to start (contract: spawn).
type SpawnOptions struct {
	Prompt []byte
	Cwd    string // "" for where the command stands
	Tier   string // required: the one thing that selects the model
}

// Spawned is the answer of `spawn`, bare (contract: spawn, success details).
type Spawned struct {
	SessionID string `json:"sessionId"`
	Cwd       string `json:"cwd"`
}

// Spawn starts a child at a tier and does not wait for it. It knows no run and
// records no transition: to call it twice is to start two children, and which of
// them belongs to a dispatch is for `started` to say. Whatever is wrong is refused
// before there is a process (contract: fail-closed conditions).
func (c *Controller) Spawn(ctx context.Context, o SpawnOptions) (*Spawned, error) {
	if err := c.refuseChild(); err != nil {
		return nil, err
	}
	t, err := spawnTier(o)
	if err != nil {
		return nil, err
	}
	cwd, err := c.spawnCwd(o.Cwd)
	if err != nil {
		return nil, err
	}
	a, v, err := c.spawnLaunch(ctx, t, cwd)
	if err != nil {
		return nil, err
	}
	spec, err := c.announceSpawn(a, v, o.Prompt)
	if err != nil {
		return nil, err
	}
	k, err := agent.StartKeeper(c.sessions(), spec.Session, childEnv(spec))
	if err != nil {
		_, ruled := c.sessions().RuleOut(spec, err.Error())
		return nil, errors.Join(fault.New(fault.Agent, "git sdd session "+spec.Session, "the child was not started: %w", err), ruled)
	}
	rec, err := begun(c.sessions(), k, spec)
	if err != nil {
		return nil, fault.New(fault.Identity, "git sdd session "+spec.Session, "nothing proves what became of the child: %w", err)
	}
	if rec.End != nil && rec.End.Cause == agent.NotStarted {
		return nil, fault.New(fault.Agent, "git sdd config list --show-origin", "the child was not started: %s", rec.End.Detail)
	}
	return &Spawned{SessionID: spec.Session, Cwd: cwd}, nil
}

// spawnTier returns the tier of a child whose prompt does not speak against it.
func spawnTier(o SpawnOptions) (tier.Tier, error) {
	const usage = "git sdd spawn --tier <tier> < <path>"
	switch {
	case o.Tier == "":
		return 0, fault.New(fault.Invalid, usage, "spawn needs --tier: it selects the model, and nothing in the prompt does").WithCode("tier-missing")
	case len(bytes.TrimSpace(o.Prompt)) == 0:
		return 0, fault.New(fault.Invalid, usage, "the prompt on standard input is empty").WithCode("prompt-missing")
	case len(o.Prompt) > prompt.MaxBytes:
		return 0, fault.New(fault.Invalid, "shorten it", "the prompt has %d bytes or more, at most %d are allowed", len(o.Prompt), prompt.MaxBytes).WithCode("prompt-size")
	}
	t, err := tier.Parse(o.Tier)
	if err != nil {
		return 0, fault.New(fault.Invalid, usage, "%w", err).WithCode("tier-unknown")
	}
	if label, ok := tierLabel(o.Prompt); ok && label != t.String() {
		return 0, fault.New(fault.Invalid, "give the prompt of tier "+t.String()+", or the tier of the prompt",
			"the prompt begins with \"Model tier: %s\", and --tier is %s; nothing was started", label, t).WithCode("tier-mismatch")
	}
	return t, nil
}

// tierLabel reads the tier that the first line of a prompt echoes. Whatever could
// be read as such a line counts, so that no spelling slips past.
func tierLabel(prompt []byte) (string, bool) {
	text := strings.TrimLeft(strings.TrimPrefix(string(prompt), "\ufeff"), " \t\r\n")
	first, _, _ := strings.Cut(text, "\n")
	label, value, ok := strings.Cut(first, ":")
	if !ok || !strings.EqualFold(strings.Join(strings.Fields(label), " "), "model tier") {
		return "", false
	}
	return strings.TrimSpace(value), true
}

// spawnCwd is the absolute path of a folder that is there.
func (c *Controller) spawnCwd(dir string) (string, error) {
	if dir == "" {
		dir = c.opt.Dir
	}
	cwd, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(cwd); err != nil || !info.IsDir() {
		return "", fault.New(fault.Invalid, "git sdd spawn --cwd <path>, with a folder that exists", "%s is no folder", cwd).WithCode("cwd")
	}
	return cwd, nil
}

// spawnLaunch resolves the tier: all six rungs, the command of [agent], and a
// probe that passes.
func (c *Controller) spawnLaunch(ctx context.Context, t tier.Tier, cwd string) (config.Agent, config.Values, error) {
	var v config.Values
	s, err := c.settings()
	if err != nil {
		return config.Agent{}, v, err
	}
	if err := wholeLadder(s); err != nil {
		return config.Agent{}, v, err
	}
	a, ok := s.Agent(0)
	if !ok {
		return a, v, fault.New(fault.Refused, "git sdd config agent claude", "no command is set for agents").WithCode("command-missing")
	}
	rung, _ := s.Rung(t)
	v = config.Values{Model: rung.Model, Provider: rung.Provider, Thinking: rung.Thinking, Tier: t.String(), Cwd: cwd}
	if a.Probe == nil {
		return a, v, nil
	}
	argv := config.Expand(a.Probe, v)
	res, err := agent.Run(ctx, agent.Command{
		Argv: argv, Dir: cwd, Env: git.WithoutLocal(os.Environ()), Timeout: probeTime, Idle: probeTime,
	})
	if ctx.Err() != nil {
		return a, v, fault.New(fault.Interrupted, "git sdd spawn --tier "+t.String()+" < <path>", "stopped by a signal; no child was started")
	}
	if err != nil || res.Cause != agent.Exited || res.Exit != 0 {
		return a, v, fault.New(fault.Agent, shellLine(argv), "the probe of tier %s failed before any child was started: %s", t, errors.Join(err, errors.New(agent.LastLine(res.Tail))))
	}
	return a, v, nil
}

// announceSpawn writes down what the child is to be, its prompt first.
func (c *Controller) announceSpawn(a config.Agent, v config.Values, data []byte) (agent.Spec, error) {
	var random [6]byte
	_, _ = rand.Read(random[:]) // never fails
	id := "spawn-" + hex.EncodeToString(random[:])
	path, err := c.sessions().PromptPath(id)
	if err != nil {
		return agent.Spec{}, err
	}
	sum := sha256.Sum256(data)
	spec := agent.Spec{
		Session: id, DispatchKey: id, Role: "spawned", Tier: v.Tier, Dir: v.Cwd,
		PromptPath: path, PromptSHA256: hex.EncodeToString(sum[:]), Stdin: agent.StdinNothing,
		ReportPath: strings.TrimSuffix(path, ".prompt.md") + ".report.md", ReportMarked: a.Report == config.ReportStdout, ReportLimit: report.MaxBytes,
		TimeoutMS: a.TimeoutMS, IdleMS: a.IdleMS,
	}
	if a.Prompt == config.PromptStdin {
		spec.Stdin = agent.StdinPrompt
	}
	v.Prompt, v.Report, v.Bootstrap = path, spec.ReportPath, spawnBootstrap(v.Tier, path, data)
	spec.Argv = config.Expand(a.Command, v)
	err = os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err == nil {
		err = c.sessions().Announce(spec)
	}
	if err != nil {
		return spec, fault.New(fault.Invalid, "make "+shellWord(c.repo.CommonDir())+" writable", "the session cannot be written down: %w", err)
	}
	return spec, nil
}

// spawnBootstrap is what stands for {bootstrap}: the prompt itself, which often is
// one, and where it is too long for an argument the lines that lead to it.
func spawnBootstrap(tier, path string, data []byte) string {
	if len(data) <= config.MaxArgument && !bytes.ContainsRune(data, 0) {
		return string(data)
	}
	return fmt.Sprintf("Model tier: %s\n\nRead the file %s and carry out what it says.\n", tier, path)
}

// MaxPrompt bounds a prompt, in bytes.
const MaxPrompt = prompt.MaxBytes
