package cli

import (
	"strconv"
	"time"
)

// units are those in which an age is told, from the largest down.
var units = []struct {
	name string
	is   time.Duration
}{
	{"d", 24 * time.Hour}, {"h", time.Hour}, {"min", time.Minute}, {"s", time.Second},
}

// age says how long ago an instant of the ledger was, in one unit.
func (con *console) age(at string) string {
	then, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return safe(at)
	}
	return span(con.now().Sub(then))
}

func span(d time.Duration) string {
	for _, u := range units {
		if d >= u.is {
			return strconv.FormatInt(int64(d/u.is), 10) + " " + u.name
		}
	}
	return "0 s"
}
