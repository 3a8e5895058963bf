package machine

import "fmt"

// An Instant is an ISO-8601 UTC instant with milliseconds, such as
// "2026-09-01T00:00:00.000Z". All have the same width, so two of them compare
// as strings (contract: payload rules, at).
type Instant string

// instantForm is what an instant looks like, 0 standing for any digit.
const instantForm = "0000-00-00T00:00:00.000Z"

// ParseInstant reads an instant. The form is exact and the date is one of the
// calendar: no 30 February, no hour 24, no leap second.
func ParseInstant(s string) (Instant, error) {
	if !formed(s, instantForm) {
		return "", fmt.Errorf("%q is not an instant like 2026-09-01T00:00:00.000Z", s)
	}
	year, month, day := number(s[0:4]), number(s[5:7]), number(s[8:10])
	switch {
	case month < 1 || month > 12, day < 1 || day > daysIn(year, month):
		return "", fmt.Errorf("%q is no day of the calendar", s)
	case number(s[11:13]) > 23 || number(s[14:16]) > 59 || number(s[17:19]) > 59:
		return "", fmt.Errorf("%q is no time of the day", s)
	}
	return Instant(s), nil
}

// formed reports whether s has the form's bytes, with any digit where it has 0.
func formed(s, form string) bool {
	if len(s) != len(form) {
		return false
	}
	for i := range len(s) {
		digit := s[i] >= '0' && s[i] <= '9'
		if form[i] == '0' && !digit || form[i] != '0' && s[i] != form[i] {
			return false
		}
	}
	return true
}

// number returns the value of a string of digits.
func number(digits string) int {
	n := 0
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	return n
}

func daysIn(year, month int) int {
	leap := year%4 == 0 && (year%100 != 0 || year%400 == 0)
	if month == 2 && leap {
		return 29
	}
	return [...]int{1: 31, 2: 28, 3: 31, 4: 30, 5: 31, 6: 30, 7: 31, 8: 31, 9: 30, 10: 31, 11: 30, 12: 31}[month]
}
