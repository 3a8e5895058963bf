package report

// Observations returns what a report of any role lists under OBSERVATIONS, each
// in full on one line. It is for reports that were taken already: whatever else
// stands in the report is not looked at.
func Observations(data []byte) []string {
	doc, ok := readDocument(data, inAll)
	if !ok {
		return nil
	}
	return doc.texts(labelObservations)
}
