package checks_test

import (
	"go/format"
	"path/filepath"
	"testing"
)

// TestFilesAreFormatted checks that hand-written Go is formatted by gofmt.
func TestFilesAreFormatted(t *testing.T) {
	for _, name := range sources(t) {
		text := read(t, name)
		if filepath.Ext(name) != ".go" || generated.MatchString(text) {
			continue
		}
		if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
			t.Errorf("%s is not as gofmt writes it; run gofmt -w %s (%v)", name, name, err)
		}
	}
}
