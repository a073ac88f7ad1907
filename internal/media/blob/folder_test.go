package blob

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAFileIsFoundAfterAPowerCut checks that each folder that leads to a file is flushed once the file has its name,
// from the inside out.
func TestAFileIsFoundAfterAPowerCut(t *testing.T) {
	f := NewFolder(t.TempDir() + "/media/")
	var flushed []string
	f.sync = func(folder string) error {
		if _, err := os.Stat(filepath.Join(f.root, "shop", "image", "x.jpg")); err != nil {
			t.Errorf("before its name is there: %s is flushed", folder)
		}
		flushed = append(flushed, folder)
		return syncFolder(folder)
	}
	if err := f.Put(t.Context(), "shop/image/x.jpg", strings.NewReader("x"), 1); err != nil {
		t.Fatal(err)
	}
	shop := filepath.Join(f.root, "shop")
	if want := []string{filepath.Join(shop, "image"), shop, f.root}; !slices.Equal(flushed, want) {
		t.Errorf("got %v, want %v", flushed, want)
	}
}

// TestReach checks a folder that is not there yet, and one that cannot be written to.
func TestReach(t *testing.T) {
	root := filepath.Join(t.TempDir(), "media")
	if _, err := NewFolder(root).Reach(t.Context()); err != nil {
		t.Errorf("before the first file: got %v", err)
	}
	if err := os.WriteFile(root, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := NewFolder(root).Reach(t.Context()); err == nil {
		t.Error("a file is taken for a folder")
	}
}
