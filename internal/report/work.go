package report

// A WorkContext is what a report of work is read against.
type WorkContext struct {
	AllowEmpty bool   // a ruling lets this dispatch end DONE without a commit: COMMIT may be absent or none, CHANGES none
	Prompt     string // the SHA-256 that a PROMPT line must name; "" is not compared
}

// A Work is a report of an implementer, fixer or final fixer.
type Work struct {
	Status       string   // DONE, DONE_WITH_CONCERNS, NEEDS_CONTEXT or BLOCKED
	Changes      []string // "<file>: <what and why>", in full, on one line
	Tests        []string // "<command>: <result>", in full, on one line
	Concerns     []Concern
	Missing      []Missing
	Reason       string // REASON, or else the first What of Missing, normalised by [OneLine]; "" where there is neither
	Commit       string // a full object name in lowercase; "" for none
	Observations []string
}

// A Concern is a doubt that a DONE_WITH_CONCERNS names.
type Concern struct {
	Kind string // observational, correctness or scope
	Note string // normalised by [OneLine]
}

// A Missing is one thing that a NEEDS_CONTEXT asks for; both texts are
// normalised by [OneLine].
type Missing struct{ What, Why string }

// A presence says whether a label goes with a status. The zero value refuses.
type presence uint8

const (
	refused presence = iota
	optional
	required
)

// A statusRow is what one status demands of the report.
type statusRow struct {
	status string
	labels [numLabels]presence
}

// statuses says which labels go with which status (contract: reports that
// children write). A label not named is refused, PROMPT, STATUS and
// OBSERVATIONS excepted: they are never looked up here.
var statuses = []statusRow{
	{"DONE", [numLabels]presence{labelChanges: required, labelTests: required, labelCommit: required}},
	{"DONE_WITH_CONCERNS", [numLabels]presence{labelChanges: required, labelTests: required, labelCommit: required, labelConcerns: required}},
	{"NEEDS_CONTEXT", [numLabels]presence{labelMissing: required, labelReason: optional, labelChanges: optional, labelTests: optional, labelCommit: optional}},
	{"BLOCKED", [numLabels]presence{labelReason: required, labelMissing: optional, labelChanges: optional, labelTests: optional, labelCommit: optional}},
}

// byStatus are the labels whose presence depends on the status.
var byStatus = []label{labelChanges, labelTests, labelConcerns, labelMissing, labelReason, labelCommit}

// ParseWork reads the report of an implementer, a fixer or a final fixer. It
// returns either the report or everything that is wrong with it in the order
// of the lines, never both (contract: reports that children write).
func ParseWork(data []byte, c WorkContext) (*Work, []Defect) {
	doc, ok := readDocument(data, inWork)
	if !ok {
		return nil, doc.sorted()
	}
	doc.checkPrompt(c.Prompt)
	doc.need(labelStatus, 1, "")
	doc.checkLists()
	w := &Work{
		Status:       doc.token(labelStatus),
		Changes:      doc.texts(labelChanges),
		Tests:        doc.texts(labelTests),
		Concerns:     doc.concerns(),
		Missing:      doc.missing(),
		Reason:       doc.reason(),
		Commit:       doc.commit(),
		Observations: doc.texts(labelObservations),
	}
	if w.Reason == "" && len(w.Missing) > 0 {
		w.Reason = w.Missing[0].What
	}
	doc.checkStatus(w, c)
	if len(doc.defects) > 0 {
		return nil, doc.sorted()
	}
	return w, nil
}

// checkStatus compares the labels that are there with those that the status
// demands. Without a status nothing can be compared.
func (doc *document) checkStatus(w *Work, c WorkContext) {
	line := doc.lineOf(labelStatus)
	for _, row := range statuses {
		if row.status != w.Status {
			continue
		}
		for _, l := range byStatus {
			switch p := row.labels[l]; {
			case p == refused && doc.has(l):
				doc.add(doc.lineOf(l), "label-status", "delete the section, or change the status", "%s does not go with STATUS: %s", l, w.Status)
			case p == required && (l != labelCommit || !c.AllowEmpty):
				doc.need(l, line, ": STATUS: "+w.Status+" needs it")
			}
		}
		if row.labels[labelCommit] == required {
			doc.checkDone(w, c)
		}
	}
}

// checkDone reports what is none although the work is said to be done.
func (doc *document) checkDone(w *Work, c WorkContext) {
	if s := doc.sections[labelTests]; s != nil && s.none {
		doc.add(s.line, "list-none", "run the tests of the task and list them", "TESTS is none beside STATUS: %s", w.Status)
	}
	if c.AllowEmpty {
		return
	}
	if s := doc.sections[labelChanges]; s != nil && s.none {
		doc.add(s.line, "list-none", "list what changed", "CHANGES is none beside STATUS: %s", w.Status)
	}
	if s := doc.sections[labelCommit]; s != nil && s.inline == noCommit {
		doc.add(s.line, "commit-none", "commit the work and name the commit: git rev-parse HEAD", "COMMIT is none beside STATUS: %s", w.Status)
	}
}

// noCommit is the word for the absence of a commit.
const noCommit = "none"

// commit reads the object name of the last commit. An abbreviated name is
// refused: which commit it means can change.
func (doc *document) commit() string {
	s := doc.sections[labelCommit]
	switch {
	case s == nil || s.inline == noCommit:
		return ""
	case isHex(s.inline, 40) || isHex(s.inline, 64):
		return s.inline
	}
	doc.add(s.line, "token", "write the full name that this prints: git rev-parse HEAD", "COMMIT is %s, which is no full object name", quote(s.inline))
	return ""
}

// reason reads REASON, which may go on in indented lines.
func (doc *document) reason() string {
	s := doc.sections[labelReason]
	if s == nil {
		return ""
	}
	if len(s.items) == 0 {
		doc.add(s.line, "field-empty", "say behind REASON: why the task cannot be done as specified", "REASON is empty")
		return ""
	}
	return doc.recorded("REASON", value{s.line, s.items[0].parts})
}

func (doc *document) concerns() []Concern {
	var list []Concern
	for _, r := range doc.records(labelConcerns) {
		list = append(list, Concern{Kind: r.word("kind"), Note: doc.recorded("note", r.get("note"))})
	}
	return list
}

func (doc *document) missing() []Missing {
	var list []Missing
	for _, r := range doc.records(labelMissing) {
		list = append(list, Missing{What: doc.recorded("what", r.get("what")), Why: doc.recorded("why", r.get("why"))})
	}
	return list
}
