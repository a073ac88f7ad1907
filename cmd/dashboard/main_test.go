package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCount(t *testing.T) {
	one := func(value string) sample { return sample{map[string]string{"b": "2", "a": "1"}, [2]any{1.5, value}} }
	for name, c := range map[string]struct {
		all  []sample
		want result
	}{
		"nothing":    {nil, result{}},
		"zero":       {[]sample{one("0")}, result{1, "0 a=1 b=2"}},
		"no number":  {[]sample{one("NaN")}, result{}},
		"one of two": {[]sample{one("NaN"), one("7"), one("8")}, result{2, "8 a=1 b=2"}},
	} {
		if got := count(c.all); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestShowFails(t *testing.T) {
	var out bytes.Buffer
	panels := []query{{"Memory A", "x"}, {"CPU A", "y"}}
	if err := show(&out, panels, []result{{1, "5"}, {2, "6"}}); err != nil {
		t.Error(err)
	}
	if err := show(&out, panels, []result{{1, "5"}, {}}); err == nil || err.Error() != "CPU A shows nothing: y" {
		t.Error(err)
	}
}

func TestReadPanels(t *testing.T) {
	for text, want := range map[string]string{
		`{"panels": [{"type": "row"}, {"type": "table", "title": "T",
			"targets": [{"refId": "A", "expr": "m{job=~\"$job\"}[$__rate_interval]"}]}]}`: "",
		`{"panels": [{"type": "table", "title": "T"}]}`:                                               "asks for nothing",
		`{"panels": [{"type": "table", "title": "T", "targets": [{"refId": "A", "expr": "$shop"}]}]}`: "another variable",
		`{`: "unexpected end",
	} {
		file := filepath.Join(t.TempDir(), "board.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		all, err := readPanels(file)
		if want == "" && (err != nil || len(all) != 1 || all[0] != query{"T A", `m{job=~"storefront"}[15s]`}) {
			t.Error(all, err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
