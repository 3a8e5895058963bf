package config

import (
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestDuration(t *testing.T) {
	for text, want := range map[string]int64{
		"30m": 1800000, "10s": 10000, "1h30m": 5400000, "250ms": 250, "1h2m3s4ms": 3723004, "24h": MaxDuration, "1440m": MaxDuration,
		"0h1m": 60000, "007s": 7000, "1m1ms": 60001,
	} {
		if got, err := parseDuration(text); err != nil || got != want {
			t.Errorf("%q is %d (%v), want %d", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "0", "0s", "0h0m", "30", "m", "1.5h", "-1m", "+1m", "1m ", " 1m", "1 m", "1M", "1H", "1d", "1m1h", "1m1m", "1ms1s", "24h1ms", "25h",
		"99999999999999999999h", "9223372036854775807ms", "1hour", "1h-1m", "∞", "1us", "1h1",
	} {
		if got, err := parseDuration(text); err == nil {
			t.Errorf("%q is taken as %d ms", text, got)
		}
	}
}

// TestDurationAgreesWithGo: what is taken means what every Go program takes it
// for.
func TestDurationAgreesWithGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(1, MaxDuration).Draw(t, "ms")) * time.Millisecond
		text := ""
		for _, u := range units {
			unit := time.Duration(u.ms) * time.Millisecond
			if n := d / unit; n > 0 {
				text, d = text+strconv.FormatInt(int64(n), 10)+u.name, d%unit
			}
		}
		want, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := parseDuration(text); err != nil || got != want.Milliseconds() {
			t.Fatalf("%q is %d (%v), want %d", text, got, err, want.Milliseconds())
		}
	})
}

func FuzzDuration(f *testing.F) {
	for _, s := range []string{"1h30m", "10s", "5ms", "0s", "24h"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := parseDuration(s)
		if err != nil {
			return
		}
		if want, err := time.ParseDuration(s); err != nil || want.Milliseconds() != got {
			t.Errorf("%q is %d, and %d (%v) to Go", s, got, want.Milliseconds(), err)
		}
	})
}
