package main

import (
	"bytes"
	"os"
	"testing"
)

// TestGuidesAreGenerated checks that the pages show the documents as they are.
func TestGuidesAreGenerated(t *testing.T) {
	rendered, err := render(os.DirFS("../../../docs"))
	if err != nil {
		t.Fatal(err)
	}
	stored, err := os.ReadFile("../../pages/guides.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(rendered, stored) {
		t.Error("internal/pages/guides.json is not what docs has; run: go run ./internal/generate/guides")
	}
}
