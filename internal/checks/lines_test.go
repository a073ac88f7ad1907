package checks_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	longestLine = 120 // columns; most lines stay under 110
	tabWidth    = 4
)

// TestLinesAreShort checks that the lines of hand-written Go fit a screen.
func TestLinesAreShort(t *testing.T) {
	for _, name := range sources(t) {
		if filepath.Ext(name) != ".go" {
			continue
		}
		text := read(t, name)
		if generated.MatchString(text) {
			continue
		}
		number := 0
		for line := range strings.Lines(text) {
			number++
			line = strings.TrimRight(line, "\n")
			if columns := utf8.RuneCountInString(line) + (tabWidth-1)*strings.Count(line, "\t"); columns > longestLine {
				t.Errorf("%s:%d has %d columns; the most are %d", name, number, columns, longestLine)
			}
		}
	}
}

// TestProseIsShort checks the lines of the schema and of documents, besides tables, pictures and what is shown of a
// terminal.
func TestProseIsShort(t *testing.T) {
	for _, name := range append(documents(t), "schema.graphql") {
		isShown, number := false, 0
		for line := range strings.Lines(read(t, name)) {
			number++
			line = strings.TrimRight(line, "\n")
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				isShown = !isShown
			}
			columns := utf8.RuneCountInString(line)
			if columns > longestLine && !isShown && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "<") {
				t.Errorf("%s:%d has %d columns; the most are %d", name, number, columns, longestLine)
			}
		}
	}
}
