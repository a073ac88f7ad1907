package tiers

import (
	"testing"
	"time"
)

func TestMedian(t *testing.T) {
	// Each takes a second of a processor, so its reads are those of a processor second.
	of := func(reads ...int) (all []cost) {
		for _, n := range reads {
			all = append(all, cost{
				reads: n, servers: time.Second / 2, primary: time.Second / 4, standby: time.Second / 4,
			})
		}
		return all
	}
	for name, c := range map[string]struct {
		all  []cost
		want int
	}{
		"one":          {of(5), 5},
		"three":        {of(9, 1, 5), 5},
		"an outlier":   {of(1000000, 5, 4), 5},
		"two":          {of(7, 3), 7},
		"five":         {of(5, 4, 3, 2, 1), 3},
		"not by reads": {append(of(10, 20), cost{reads: 1000, servers: time.Hour}), 10},
		"less than one": {[]cost{{reads: 3, servers: 10 * time.Second}, {reads: 1, servers: 10 * time.Second},
			{reads: 2, servers: 10 * time.Second}}, 2},
	} {
		before := c.all[0]
		if got := median(c.all); got.reads != c.want {
			t.Errorf("%s: %d reads, want %d", name, got.reads, c.want)
		}
		if c.all[0] != before {
			t.Errorf("%s: the measurements are in another order", name)
		}
	}
}

func TestPerSecond(t *testing.T) {
	c := cost{reads: 900, time: time.Minute, servers: time.Second, primary: 500 * time.Millisecond,
		standby: 1500 * time.Millisecond}
	if got := c.perSecond(); got != 300 {
		t.Errorf("%v reads per processor second, want 300", got)
	}
}

func TestSetupIsNamed(t *testing.T) {
	for what, want := range map[setup]string{
		{1, false}: "1 server, no replica", {2, true}: "2 servers, with a replica",
	} {
		if got := what.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
