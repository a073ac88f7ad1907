package main

import (
	"flag"
	"strings"
	"testing"
	"time"
)

func TestOptions(t *testing.T) {
	for args, c := range map[string]struct {
		cell          time.Duration
		listed, sized int // shops
		lists, memory bool
		refused       string
	}{
		"-short -compare figures.json":   {cell: time.Second / 2, listed: 1, sized: 1, lists: true},
		"":                               {cell: 5 * time.Second / 2, listed: 3, sized: 2, lists: true, memory: true},
		"-products 10000 -measure sizes": {cell: 5 * time.Second / 2, listed: 2, sized: 1},
		"-measure lists,all": {refused: `-measure knows no "all": it takes lists, cached, pages, orders, writes, ` +
			`buyers, sizes, handler, memory`},
	} {
		var o options
		f := flag.NewFlagSet("bench", flag.ContinueOnError)
		o.declare(f)
		if err := f.Parse(strings.Fields(args)); err != nil {
			t.Fatal(err)
		}
		if err := o.complete(); err != nil || c.refused != "" {
			if err == nil || err.Error() != c.refused {
				t.Errorf("%s: got %v, want %s", args, err, c.refused)
			}
			continue
		}
		if o.cell != c.cell || len(o.listed()) != c.listed || len(o.sized()) != c.sized ||
			o.measures("lists") != c.lists || o.measures("memory") != c.memory {
			t.Errorf("%s: got %+v, want %+v", args, o, c)
		}
	}
}
