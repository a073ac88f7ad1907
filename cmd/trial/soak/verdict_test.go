package soak

import (
	"strings"
	"testing"
)

func TestGrown(t *testing.T) {
	first := use{memory: 100 << 20, goroutines: 50}
	for name, c := range map[string]struct {
		now   use
		grows bool
	}{
		"the same":                      {now: first},
		"less":                          {now: use{80 << 20, 40}},
		"growth within the bounds":      {now: use{first.memory + moreMemory, first.goroutines + moreGoroutines}},
		"a byte more than that":         {now: use{first.memory + moreMemory + 1, first.goroutines}, grows: true},
		"a goroutine more":              {now: use{first.memory, first.goroutines + moreGoroutines + 1}, grows: true},
		"less memory, more goroutines":  {now: use{1 << 20, 1000}, grows: true},
		"fewer goroutines, more memory": {now: use{1 << 30, 10}, grows: true},
	} {
		err := first.grown(c.now)
		if (err != nil) != c.grows || err != nil && !strings.Contains(err.Error(), "grows: 100 MiB and 50 goroutines") {
			t.Errorf("%s: %v, want an error: %t", name, err, c.grows)
		}
	}
}
