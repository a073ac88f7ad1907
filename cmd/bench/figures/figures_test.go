package figures_test

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"storefront/cmd/bench/figures"
)

func list(database string, ratio float64) figures.Figure {
	return figures.Figure{Group: figures.Lists, Database: database, Shop: "10000 products",
		Operation: "list", Clients: 16, PerSecond: 1000,
		Against: []figures.Against{{Name: "by hand", PerSecond: 1000 / ratio, Ratio: ratio, Lowest: ratio - 0.05,
			Highest: ratio + 0.05, Aim: 1}}}
}

func memory(ratio float64) figures.Figure {
	return figures.Figure{Group: figures.Memory, Database: "sqlite", Shop: "10000 products",
		Operation: "mixed requests",
		Against: []figures.Against{{
			Name: "150 MiB", Ratio: ratio, Lowest: ratio, Highest: ratio, Aim: 1, AtMost: true,
		}}}
}

func on(day int) figures.Run {
	return figures.Run{Date: time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC), Commit: "abcdef", Command: "bench"}
}

func TestFileKeepsTheNewestOfEachFigure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "figures.json")
	file, err := figures.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	file.Add(on(1), []figures.Figure{memory(0.8), list("sqlite", 0.9)})
	file.Add(on(2), []figures.Figure{list("postgres", 0.7)})
	file.Add(on(3), []figures.Figure{list("postgres", 1.1)})
	if err := file.Write(path); err != nil {
		t.Fatal(err)
	}
	again, err := figures.Read(path)
	if err != nil || !reflect.DeepEqual(file, again) {
		t.Errorf("what was written is read otherwise: %v %v", again, err)
	}
	if len(file.Runs) != 2 || len(file.Figures) != 3 || file.Figures[2].Group != figures.Memory {
		t.Errorf("%+v", file)
	}
	now := list("postgres", 1.2)
	if file.Note(&now); now.Against[0].Was != 1.1 {
		t.Errorf("the ratio on PostgreSQL was %v", now.Against[0])
	}
}

func TestLosses(t *testing.T) {
	var file figures.File
	file.Add(on(1), []figures.Figure{list("sqlite", 0.9), memory(0.8)})
	for _, c := range []struct {
		now  figures.Figure
		lost bool
	}{
		{list("sqlite", 0.9), false}, {list("sqlite", 2), false}, {list("sqlite", 0.8), false},
		{list("sqlite", 0.7), true}, {list("postgres", 0.1), false}, // nothing to compare with
		{memory(0.5), false}, {memory(0.9), false}, {memory(0.95), true},
	} {
		if losses := file.Losses([]figures.Figure{c.now}); len(losses) > 0 != c.lost {
			t.Errorf("%s with %.2f: %v", c.now.Name(), c.now.Against[0].Ratio, losses)
		}
	}
}

func TestCompareTakesTheMedianOfTheTurns(t *testing.T) {
	a := figures.Compare("by hand", []float64{10, 30, 20, 50, 40}, []float64{100, 100, 100, 100, 400}, 0.25)
	want := figures.Against{Name: "by hand", PerSecond: 100, Ratio: 0.2, Lowest: 0.1, Highest: 0.5, Aim: 0.25}
	if a != want || a.Met() {
		t.Errorf("%+v", a)
	}
	if within := figures.Within("150 MiB", []float64{120}, 150); within.Ratio != 0.8 || !within.Met() {
		t.Errorf("%+v", within)
	}
}

func TestMarkdownSaysWhatIsMissed(t *testing.T) {
	var file figures.File
	file.Add(on(1), []figures.Figure{list("sqlite", 0.5), memory(0.8)})
	var text strings.Builder
	if err := file.Markdown(&text); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| sqlite, 10000 products, list, 16 clients | 1000 | 0.50 of by hand (2000/s), aim at least 1.0: " +
			"**missed** | abcdef |",
		"| sqlite, 10000 products, mixed requests | 0.80 of 150 MiB, aim at most 1.0: met | abcdef |",
		"| 2026-11-01 00:00 | abcdef | `bench` |",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("there is no %q in\n%s", line, text.String())
		}
	}
}
