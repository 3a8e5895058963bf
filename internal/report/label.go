package report

import (
	"strings"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// A label opens a section of a report.
type label uint8

const (
	noLabel label = iota
	labelPrompt
	labelStatus
	labelChanges
	labelTests
	labelConcerns
	labelMissing
	labelReason
	labelCommit
	labelSpec
	labelQuality
	labelVerdicts
	labelFindings
	labelObservations
	labelStrengths
	labelRecommendations
	labelReconciliation
	numLabels
)

// A form is what stands under a label.
type form uint8

const (
	_           form = iota
	formToken        // one exact word on the label's line
	formText         // text on the label's line and on indented lines below
	formList         // items of text
	formRecords      // items of fields
)

// An audience is a set of kinds of report.
type audience uint8

const (
	inWork audience = 1 << iota
	inTaskReview
	inReReview
	inFinalReview
	inFinalReReview

	inReviews = inTaskReview | inReReview | inFinalReview | inFinalReReview
	inAll     = inWork | inReviews
)

// kindOf and audienceNames say which report a role writes and what it is called.
var (
	kindOf = [...]audience{
		tier.Implementer: inWork, tier.Fixer: inWork, tier.FinalFixer: inWork,
		tier.TaskReviewer: inTaskReview, tier.ReReviewer: inReReview,
		tier.Final: inFinalReview, tier.FinalReReviewer: inFinalReReview,
	}
	audienceNames = map[audience]string{
		inWork: "an implementer's or fixer's report", inTaskReview: "a task review", inReReview: "a re-review",
		0: "a report of this role", inFinalReview: "a final review", inFinalReReview: "a final re-review",
	}
)

// A labelRow is one line of the grammar.
type labelRow struct {
	name   string
	form   form
	in     audience
	tokens []string // a token's words; none where its shape is checked elsewhere
	fields []field  // the fields of a record
	none   bool     // the list may be the word none
	pair   string   // how an item of the list is built, where it is "left: right"
}

// labels is the grammar of both kinds of report (contract: reports that
// children write).
var labels = [numLabels]labelRow{
	labelPrompt:          {name: "PROMPT", form: formToken, in: inAll},
	labelStatus:          {name: "STATUS", form: formToken, in: inWork, tokens: []string{"DONE", "DONE_WITH_CONCERNS", "NEEDS_CONTEXT", "BLOCKED"}},
	labelChanges:         {name: "CHANGES", form: formList, in: inWork, none: true, pair: "<file>: <what and why>"},
	labelTests:           {name: "TESTS", form: formList, in: inWork, none: true, pair: "<command>: <result, with counts>"},
	labelConcerns:        {name: "CONCERNS", form: formRecords, in: inWork, fields: concernFields},
	labelMissing:         {name: "MISSING", form: formRecords, in: inWork, fields: missingFields},
	labelReason:          {name: "REASON", form: formText, in: inWork},
	labelCommit:          {name: "COMMIT", form: formToken, in: inWork},
	labelSpec:            {name: "SPEC", form: formToken, in: inReviews, tokens: []string{"PASS", "FAIL"}},
	labelQuality:         {name: "QUALITY", form: formToken, in: inReviews, tokens: []string{"APPROVED", "CHANGES_REQUESTED"}},
	labelVerdicts:        {name: "VERDICTS", form: formRecords, in: inReReview | inFinalReview | inFinalReReview, none: true, fields: verdictFields},
	labelFindings:        {name: "FINDINGS", form: formRecords, in: inReviews, none: true, fields: findingFields},
	labelObservations:    {name: "OBSERVATIONS", form: formList, in: inAll, none: true},
	labelStrengths:       {name: "STRENGTHS", form: formList, in: inReviews, none: true},
	labelRecommendations: {name: "RECOMMENDATIONS", form: formList, in: inReviews, none: true},
	labelReconciliation:  {name: "LEDGER RECONCILIATION", form: formRecords, in: inFinalReview, none: true, fields: reconciliationFields},
}

func (l label) String() string { return labels[l].name }

// exactLabel reads a label as it has to stand: at the start of the line, the
// colon right behind it, then a blank or the end of the line.
func exactLabel(text string) (l label, rest string, ok bool) {
	for l = noLabel + 1; l < numLabels; l++ {
		if after, found := strings.CutPrefix(text, labels[l].name+":"); found && startsBlank(after) {
			return l, strings.TrimLeft(after, " \t"), true
		}
	}
	return noLabel, "", false
}

// startsBlank reports whether nothing, or a blank, stands next.
func startsBlank(s string) bool { return s == "" || s[0] == ' ' || s[0] == '\t' }

// The decoration that people and models put around a label.
const (
	leftDecoration  = " \t#>*_-+•–|`~[(\"'\uFEFF0123456789."
	rightDecoration = " \t*_`~])\"'|"
)

// nearLabel finds a label in another case or decoration: indented, bold, in a
// list, as a heading, without the blank behind its colon, with a wide colon.
// A heading or bold line needs no colon to be meant as a label.
func nearLabel(text string) (l label, rest string, ok bool) {
	bare := strings.TrimLeft(text, leftDecoration)
	marked := strings.ContainsAny(text[:len(text)-len(bare)], "#*_")
	for l = noLabel + 1; l < numLabels; l++ {
		name := labels[l].name
		if len(bare) < len(name) || !strings.EqualFold(bare[:len(name)], name) {
			continue
		}
		after := strings.TrimLeft(bare[len(name):], rightDecoration)
		if after == "" && marked {
			return l, "", true
		}
		for _, colon := range []string{":", "："} {
			if rest, found := strings.CutPrefix(after, colon); found {
				return l, strings.Trim(rest, rightDecoration), true
			}
		}
	}
	return noLabel, "", false
}

// unknownLabel returns the word of a line that is built like a label: two or
// more capitals, digits, underscores or hyphens, perhaps several such words,
// then a colon.
func unknownLabel(text string) (string, bool) {
	word, _, found := strings.Cut(text, ":")
	if !found || len(word) < 2 || word[0] < 'A' || word[0] > 'Z' {
		return "", false
	}
	for i := range len(word) {
		c := word[i]
		if c != ' ' && c != '_' && c != '-' && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return "", false
		}
	}
	return word, true
}
