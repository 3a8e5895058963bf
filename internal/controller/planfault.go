package controller

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/plan"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// PlanFault is the refusal of a plan: all defects in line order, each with its
// own edit. Where one conversion would do, its command is the repair of the
// whole. The name is the plan's path as the user gave it, "-" for standard input.
func PlanFault(name string, data []byte, defects []plan.Defect) *fault.Error {
	f := planFault(name, planDefects(name, defects))
	if command := plan.SuggestConvert(data, defects); command != "" {
		return f.WithRepair(plan.Fill(command, name) + intoFile(name))
	}
	return f
}

// ConvertFault is the refusal of a conversion: as PlanFault, but the command
// holds the options that were given beside those that are missing. The file for
// the result is "" where none was named.
func ConvertFault(name, out string, data []byte, given plan.ConvertOptions, defects []plan.Defect) *fault.Error {
	all := planDefects(name, defects)
	command := plan.Fill(plan.Suggest(data, given), name)
	if command == "" {
		return planFault(name, all)
	}
	if out != "" {
		command += " -o " + plan.Word(out)
	}
	if !slices.ContainsFunc(defects, func(d plan.Defect) bool { return d.Code != "tier-missing" }) {
		// Nothing but tiers: one repair for all, with what there is to choose from.
		command += ", or with --tier-map 1=<tier>,2=<tier>…; a tier is one of " + tierTitles()
		for i := range all {
			all[i].Repair = command
		}
	}
	return planFault(name, all).WithRepair(command)
}

func planFault(name string, defects []fault.Defect) *fault.Error {
	return fault.FromDefects(fault.Invalid, "correct the plan, then: git sdd plan check "+plan.Word(name), defects)
}

func tierTitles() string {
	var titles []string
	for _, t := range tier.All() {
		titles = append(titles, t.Title())
	}
	return strings.Join(titles, ", ")
}

func planDefects(name string, defects []plan.Defect) []fault.Defect {
	var all []fault.Defect
	for _, d := range defects {
		all = append(all, fault.Defect{
			Code: d.Code, Location: fmt.Sprintf("%s:%d", name, d.Line), Message: d.Message, Repair: plan.Fill(d.Repair, name),
		})
	}
	return all
}

// intoFile proposes a file for what a plan is converted to, beside the plan.
func intoFile(name string) string {
	if name == "-" {
		return ""
	}
	ext := filepath.Ext(name)
	return " -o " + plan.Word(strings.TrimSuffix(name, ext)+".strict"+ext)
}
