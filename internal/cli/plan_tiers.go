package cli

import (
	"context"
	"errors"
	"os"
	"slices"

	"golang.org/x/term"

	"github.com/git-sdd/git-sdd/internal/controller"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/plan"
)

// screen is the terminal on which an editor can run, if there is one: standard
// output may go elsewhere, standard input and error may not.
func (con *console) screen() (git.Screen, bool) {
	out, ok := con.errOut.(*os.File)
	on := git.Screen{In: con.stdin, Out: out}
	return on, ok && term.IsTerminal(int(on.In.Fd())) && term.IsTerminal(int(on.Out.Fd()))
}

// mayAskTiers reports whether a conversion fails for nothing but tiers, and
// somebody is there to choose them. A flag that gives tiers is an answer; who
// only wants a report, or a document, is not asked.
func (con *console) mayAskTiers(o convertOptions, defects []plan.Defect) bool {
	missing := func(d plan.Defect) bool { return d.Code != "tier-missing" }
	if len(defects) == 0 || slices.ContainsFunc(defects, missing) || o.tier+o.tierMap != "" || o.check || con.json {
		return false
	}
	_, ok := con.screen()
	return ok
}

// askTiers opens one table of all tasks without a tier in the user's editor and
// converts the plan with what was filled in. A table that cannot be used is
// kept, so that nobody types it twice.
func (con *console) askTiers(ctx context.Context, o convertOptions, data []byte, opt plan.ConvertOptions) (*plan.Conversion, error) {
	sheet, defects := plan.TierSheet(data, opt)
	if len(defects) > 0 {
		return nil, controller.ConvertFault(o.path, o.out, data, opt, defects)
	}
	path, err := writeSheet(safeText(sheet))
	if err != nil {
		return nil, err
	}
	filled, err := con.edit(ctx, path)
	if err != nil || filled == safeText(sheet) {
		_ = os.Remove(path) // nobody filled it in
		return nil, o.tiersUnchosen(data, opt, err)
	}
	refused := func(err error) error {
		again := o.command(opt) + " --tier-map " + plan.Word(path)
		return fault.New(fault.Invalid, "correct the table, then: "+again, "the table of tiers: %w", err).WithCode("tier-missing").WithLocation(path)
	}
	chosen := opt
	if chosen.TierMap, err = plan.ParseTierMap(filled); err != nil {
		return nil, refused(err)
	}
	conv, defects := plan.Convert(data, chosen)
	if conv == nil {
		return nil, refused(errors.New(defects[0].Message))
	}
	_ = os.Remove(path)
	con.note("the same again: %s\n", safe(o.command(chosen)))
	return conv, nil
}

// command is the conversion as it would be typed with other options.
func (o convertOptions) command(opt plan.ConvertOptions) string {
	text := plan.Fill(opt.Command(), o.path)
	if o.out != "" {
		text += " -o " + plan.Word(o.out)
	}
	return text
}

// writeSheet puts the table where an editor finds it, readable by its user alone.
func writeSheet(text string) (path string, err error) {
	f, err := os.CreateTemp("", "git-sdd-tiers-*.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	return f.Name(), errors.Join(err, f.Close())
}

// edit lets the user fill in the table, and returns what it says then.
func (con *console) edit(ctx context.Context, path string) (string, error) {
	on, _ := con.screen()
	con.note("choose a tier for each task: your editor has %s open\n", path)
	if err := git.Edit(ctx, "", path, on); err != nil {
		return "", err
	}
	filled, err := con.bounded(ctx, path, plan.MaxBytes, "a map of tiers")
	return string(filled), err
}

// tiersUnchosen is the refusal where the table came back as it was, or not at
// all: the command that needs no editor.
func (o convertOptions) tiersUnchosen(data []byte, opt plan.ConvertOptions, err error) error {
	f := fault.New(fault.Invalid, plan.Fill(plan.Suggest(data, opt), o.path), "no tier was chosen")
	if err != nil {
		f = fault.New(fault.Invalid, f.Repair(), "no tier was chosen: %w", err)
	}
	if o.out != "" {
		f = f.WithRepair(f.Repair() + " -o " + plan.Word(o.out))
	}
	return f.WithCode("tier-missing")
}
