package controller

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// settingsName is the name of the tracked settings and of this clone's.
const settingsName = "git-sdd.toml"

// settings reads every layer (interfaces: settings). It is asked only where a
// setting counts: a command that looks does not pay for it.
//
// A run holds to what was tracked when it began. What a worker commits to the
// tracked file since, be it nothing that can be read, is a finding and stops no
// command.
func (c *Controller) settings() (*config.Settings, error) {
	if c.loaded != nil {
		return c.loaded, nil
	}
	sources, err := c.sources()
	if err != nil {
		return nil, err
	}
	pairs, err := c.gitPairs()
	if err != nil {
		return nil, err
	}
	loaded, defects := config.Load(sources, pairs)
	if len(defects) > 0 && c.begun != nil {
		if then, ok := c.begun(); ok {
			loaded, defects = config.Load(withTracked(sources, then), pairs)
		}
	}
	if len(defects) > 0 {
		return nil, settingsFault(defects)
	}
	c.loaded = loaded
	return loaded, nil
}

// sources reads the files that there are.
func (c *Controller) sources() ([]config.Source, error) {
	var sources []config.Source
	for _, p := range c.settingsFiles() {
		data, err := readBounded(p.Name, config.MaxSource+1)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil && p.Layer == config.Tracked && c.begun != nil { // no file, a folder for one
			if then, ok := c.begun(); ok {
				data, err = then, nil
			}
		}
		if err != nil {
			return nil, fault.New(fault.Invalid, "make "+shellWord(p.Name)+" readable", "the settings cannot be read: %w", err)
		}
		if data != nil {
			p.Data = data
			sources = append(sources, p)
		}
	}
	return sources, nil
}

// withTracked puts another content in the place of the tracked file; nil for none.
func withTracked(sources []config.Source, data []byte) []config.Source {
	var all []config.Source
	if data != nil {
		all = append(all, config.Source{Layer: config.Tracked, Name: settingsName, Data: data})
	}
	for _, s := range sources {
		if s.Layer != config.Tracked {
			all = append(all, s)
		}
	}
	return all
}

// settingsFiles names the files in the order of their layers.
func (c *Controller) settingsFiles() []config.Source {
	var files []config.Source
	if top := c.repo.WorkTree(); top != "" {
		files = append(files, config.Source{Layer: config.Tracked, Name: filepath.Join(top, settingsName)})
	}
	if dir := c.userConfigDir(); dir != "" {
		files = append(files, config.Source{Layer: config.User, Name: filepath.Join(dir, "git-sdd", "config.toml")})
	}
	return append(files, config.Source{Layer: config.Clone, Name: filepath.Join(c.repo.CommonDir(), settingsName)})
}

func (c *Controller) userConfigDir() string {
	if dir := c.opt.Env("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	if home := c.opt.Env("HOME"); home != "" {
		return filepath.Join(home, ".config")
	}
	return ""
}

func (c *Controller) gitPairs() ([]config.Pair, error) {
	git, err := c.repo.Config()
	if err != nil {
		return nil, err
	}
	var pairs []config.Pair
	for _, key := range git.Keys("sdd.") {
		if strings.EqualFold(key, signKey) || strings.EqualFold(key, signLimitKey) {
			continue
		}
		if value, ok := git.Get(key); ok {
			pairs = append(pairs, config.Pair{Key: key, Value: value})
		}
	}
	return pairs, nil
}

func settingsFault(defects []config.Defect) error {
	var all []fault.Defect
	for _, d := range defects {
		all = append(all, fault.Defect{Code: d.Code, Location: d.Location(), Message: d.Message, Repair: d.Repair})
	}
	return fault.FromDefects(fault.Invalid, "git sdd config list --show-origin", all)
}

// Setting is one setting as a listing shows it.
type Setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"` // TOML text
	Origin string `json:"origin"`
}

// Settings is the answer of `config list`.
type Settings struct {
	Schema   string    `json:"schema"`
	Settings []Setting `json:"settings"`
}

// Settings lists every setting that is in force, with where it comes from.
func (c *Controller) Settings() (*Settings, error) {
	s, err := c.settings()
	if err != nil {
		return nil, err
	}
	out := &Settings{Schema: "git-sdd/config/1", Settings: []Setting{}}
	for _, e := range s.Entries() {
		out.Settings = append(out.Settings, Setting{Key: e.Key, Value: e.Value, Origin: e.Origin})
	}
	return out, nil
}

// pinnedSettings are those that the run holds to since its start.
func (r *run) pinnedSettings() (config.Pin, error) {
	data, err := r.file(settingsFile)
	if err != nil {
		return config.Pin{}, faultOfLedger(err)
	}
	pin, err := config.ParsePinned(data)
	if errors.Is(err, config.ErrNewer) {
		return pin, fault.New(fault.Unknown, "install a newer git-sdd", "the settings of run %s were %w", r.id.Prefix12(), err)
	}
	if err != nil {
		return pin, fault.New(fault.Identity, "git sdd log --run "+r.id.Prefix12(), "the settings of run %s are not what git-sdd wrote: %w", r.id.Prefix12(), err)
	}
	return pin, nil
}

// processPaths tells which paths the pinned settings call process: commits that
// touch only these are nobody's work.
func (r *run) processPaths() (func(string) bool, error) {
	pin, err := r.pinnedSettings()
	if err != nil {
		return nil, err
	}
	globs := pin.Process()
	return func(path string) bool { return config.MatchAny(globs, path) }, nil
}

// checkLadder refuses a ladder with missing rungs before anything is written:
// reviewers and fixers are dispatched by formula, so any missing rung can fail a
// later round (capability contract).
func checkLadder(s *config.Settings) error {
	var defects []fault.Defect
	for _, t := range s.Missing() {
		defects = append(defects, fault.Defect{
			Code: "rung-missing", Message: fmt.Sprintf("the ladder has no rung %q", t),
			Repair: fmt.Sprintf("set provider, model and thinking in [tier.%s], or remove every [tier.*]", t),
		})
	}
	if len(defects) == 0 {
		return nil
	}
	return fault.FromDefects(fault.Refused, "git sdd config list --show-origin", defects).WithPhase(machine.CapabilityBlocked.String())
}

// capability is the event of the first gate: how tiers become models, and whose
// ladder it is. Without settings for the tiers they are advice to whoever starts
// the children.
func (c *Controller) capability() (step, error) {
	s, err := c.settings()
	if err != nil {
		return step{}, err
	}
	ladder := "external"
	if s.HasLadder() {
		ladder = "configured"
	}
	return step{event: machine.CapabilityConfirmed{Mode: s.Policy()}, facts: machine.CapabilityFacts{Ladder: ladder}}, nil
}

// modelOf is the model that a tier stands for, "" where the ladder is somebody
// else's.
func (c *Controller) modelOf(t tier.Tier) (model, thinking machine.Opt, err error) {
	s, err := c.settings()
	if err != nil {
		return "", "", err
	}
	rung, ok := s.Rung(t)
	if !ok {
		return "", "", nil
	}
	return machine.Opt(rung.Provider + "/" + rung.Model), machine.Opt(rung.Thinking), nil
}
