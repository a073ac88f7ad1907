package main

import (
	"slices"
	"testing"
	"time"
)

func TestOptions(t *testing.T) {
	o, rest, err := readOptions([]string{"-short", "-compare", "figures.json"})
	if err != nil || len(rest) > 0 || o.cell != time.Second/2 || !o.measures("lists") || o.measures("memory") ||
		len(o.listed()) != 1 {
		t.Errorf("%+v %v %v", o, rest, err)
	}
	if o, _, err = readOptions(nil); err != nil || !o.measures("memory") || len(o.sized()) != 2 ||
		len(o.listed()) != 3 {
		t.Errorf("%+v %v", o, err)
	}
	if o, _, err = readOptions([]string{"-products", "10000", "-measure", "sizes"}); err != nil ||
		len(o.sized()) != 1 ||
		o.measures("lists") {
		t.Errorf("%+v %v", o, err)
	}
	if _, _, err = readOptions([]string{"-measure", "lists,all"}); err == nil ||
		err.Error() != `-measure knows no "all": it takes lists, cached, pages, orders, writes, buyers, `+
			`sizes, handler, memory` {
		t.Error(err)
	}
	if _, rest, err = readOptions([]string{"tables", "figures.json"}); err != nil || len(rest) != 2 {
		t.Error(rest, err)
	}
}

func TestFoldersAreNotRecorded(t *testing.T) {
	got := measuring([]string{
		"-only", "sqlite", "-keep", "folder", "--record=figures.json", "-short", "-compare", "figures.json",
	})
	if want := []string{"-only", "sqlite", "-short"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
