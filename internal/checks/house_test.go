package checks_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var draw = flag.Bool("draw", false, "draw the house into docs/architecture.md")

// The lines around the picture in docs/architecture.md.
const (
	pictureBegins = "<!-- The house, drawn by go test ./internal/checks -run House -draw -->\n\n```\n"
	pictureEnds   = "```\n"
)

// house returns the packages in storeys: each imports only packages of storeys below its own. Packages of one room
// share an entry.
func house() string {
	storeyOf := map[string]int{}
	var build func(name string) int
	build = func(name string) int {
		storey, known := storeyOf[name]
		if !known {
			for below := range strings.FieldsSeq(allowedImports[name]) {
				storey = max(storey, build(below)+1)
			}
			storeyOf[name] = storey
		}
		return storey
	}
	storeys := map[int][]string{}
	for name := range allowedImports {
		if name != "" {
			storeys[build(name)] = append(storeys[build(name)], name)
		}
	}
	var picture strings.Builder
	for _, storey := range slices.Backward(slices.Sorted(maps.Keys(storeys))) {
		rooms := map[string][]string{}
		for _, name := range storeys[storey] {
			room, inner, within := strings.Cut(strings.TrimPrefix(name, "/"), "/")
			if !within {
				inner = "·"
			}
			rooms[room] = append(rooms[room], inner)
		}
		line := ""
		for _, room := range slices.Sorted(maps.Keys(rooms)) {
			slices.Sort(rooms[room])
			text := room
			if inner := strings.Join(rooms[room], " "); inner != "·" {
				text += "(" + inner + ")"
			}
			if len([]rune(line+"   "+text)) > 110 {
				picture.WriteString(line + "\n")
				line = "   "
			}
			line += "  " + text
		}
		picture.WriteString(line + "\n")
	}
	return picture.String()
}

func TestHouseIsAsDrawn(t *testing.T) {
	name := filepath.Join(root, "docs/architecture.md")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), pictureBegins)
	picture, after, ends := strings.Cut(rest, pictureEnds)
	switch {
	case !begins || !ends:
		t.Fatal("docs/architecture.md has no picture of the house")
	case picture == house():
	case *draw:
		drawn := before + pictureBegins + house() + pictureEnds + after
		if err := os.WriteFile(name, []byte(drawn), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("docs/architecture.md has another picture; go test ./internal/checks -run House -draw:\n%s", house())
	}
}
