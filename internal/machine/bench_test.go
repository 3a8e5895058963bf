package machine

import "testing"

// What every command does: read the state, apply an event, write both.

func BenchmarkApply(b *testing.B) {
	c := story(b)
	before, d := c.states[len(c.states)-2], c.docs[len(c.docs)-1]
	for b.Loop() {
		if _, err := Apply(before, Input{At: d.At, Event: d.Event, Facts: d.Facts}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeState(b *testing.B) {
	s := story(b).s
	for b.Loop() {
		EncodeState(s)
	}
}

func BenchmarkDecodeState(b *testing.B) {
	data := EncodeState(story(b).s)
	for b.Loop() {
		if _, err := DecodeState(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeEvent(b *testing.B) {
	d := story(b).docs[5]
	for b.Loop() {
		if _, err := EncodeEvent(d); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeEvent(b *testing.B) {
	c := story(b)
	data, err := EncodeEvent(c.docs[5])
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := DecodeEvent(data, c.read); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReplay is what verify does for each revision of a run.
func BenchmarkReplay(b *testing.B) {
	c := story(b)
	var events [][]byte
	for _, d := range c.docs {
		data, err := EncodeEvent(d)
		if err != nil {
			b.Fatal(err)
		}
		events = append(events, data)
	}
	for b.Loop() {
		s := c.states[0]
		for _, data := range events[1:] {
			d, err := DecodeEvent(data, c.read)
			if err != nil {
				b.Fatal(err)
			}
			if s, err = Apply(s, Input{At: d.At, Event: d.Event, Facts: d.Facts}); err != nil {
				b.Fatal(err)
			}
			EncodeState(s)
		}
	}
	b.ReportMetric(float64(b.N*len(events))/b.Elapsed().Seconds(), "revisions/s")
}
