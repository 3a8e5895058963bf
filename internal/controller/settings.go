package controller

// defaultSettings is the canonical form of the pinned gate, evidence and package
// settings of a run that has none.
func defaultSettings() []byte {
	return []byte(`{"evidence":{"process":[]},"gates":{},"package":{},"schema":"git-sdd/settings/1"}`)
}
