package topology

import (
	"strings"
	"testing"
	"time"
)

// TestTally counts answers, before a fault and after it.
func TestTally(t *testing.T) {
	for name, c := range map[string]struct {
		before, after []int // statuses, a second each
		slowest       time.Duration
		refused       string // by the verdict on answers of 5 s
		fails         bool   // since the fault
	}{
		"nothing":                    {},
		"all is well":                {before: []int{200, 201}, after: []int{200, 404, 429}},
		"503 is what may be":         {before: []int{200}, after: []int{503, 200}, fails: true},
		"a failure before is over":   {before: []int{503}, after: []int{200}},
		"500 must not be":            {before: []int{500}, refused: "500"},
		"502 must not be":            {after: []int{200, 502}, refused: "502"},
		"no answer must not be":      {after: []int{lost}, refused: "no answer", fails: true},
		"an answer that is too slow": {after: []int{200}, slowest: 6 * time.Second, refused: "took 6s"},
	} {
		tally := NewTally()
		for _, status := range c.before {
			tally.count(time.Now(), time.Second, "GET /", status, nil)
		}
		tally.Mark()
		for _, status := range c.after {
			tally.count(time.Now(), max(time.Second, c.slowest), "GET /", status, nil)
		}
		if n := tally.Requests(); n != len(c.before)+len(c.after) {
			t.Errorf("%s: %d requests", name, n)
		}
		from, until := tally.Gap()
		if (until > 0) != c.fails || from > until || tally.LastFailure().IsZero() == c.fails {
			t.Errorf("%s: failures from %v to %v, the last at %v", name, from, until, tally.LastFailure())
		}
		err := tally.Verdict(5 * time.Second)
		if (err != nil) != (c.refused != "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: %v, want %q", name, err, c.refused)
		}
	}
}

// TestCompare compares orders that are there with those that a customer knows.
func TestCompare(t *testing.T) {
	one, two := order{"1", "key-1", 1000}, order{"2", "key-2", 2000}
	sent := map[string]bool{"key-1": true, "key-2": true}
	for name, c := range map[string]struct {
		there   []order
		acked   []order
		refused string
	}{
		"none":                           {},
		"all":                            {there: []order{two, one}, acked: []order{one, two}},
		"one whose answer was lost":      {there: []order{one, two}, acked: []order{one}},
		"one is lost":                    {there: []order{one}, acked: []order{one, two}, refused: "key-2 was acknowledged"},
		"one was made twice":             {there: []order{one, {"3", "key-1", 1000}}, acked: []order{one}, refused: "made twice"},
		"one is another":                 {there: []order{{"1", "key-1", 999}}, acked: []order{one}, refused: "key-1 was acknowledged"},
		"one that no customer asked for": {there: []order{{"4", "key-4", 1}}, refused: "no customer asked"},
	} {
		acked := map[string]order{}
		for _, o := range c.acked {
			acked[o.CustomerNotes] = o
		}
		err := compare(c.there, acked, sent)
		if (err != nil) != (c.refused != "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: %v, want %q", name, err, c.refused)
		}
	}
}
