//go:build unix

package blob

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFilesBelongToTheFolder checks that what a command of root writes belongs to the folder's owner, whose server
// could not read it otherwise.
func TestFilesBelongToTheFolder(t *testing.T) {
	root, owner := t.TempDir(), os.Geteuid()
	if owner == 0 { // only root can give files away
		owner = 1
		if err := os.Chown(root, owner, owner); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{MarkKey, "shop/image/file.jpg"} {
		if err := NewFolder(root).Put(t.Context(), key, strings.NewReader("x"), 1); err != nil {
			t.Fatal(err)
		}
	}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && int(info.Sys().(*syscall.Stat_t).Uid) != owner {
			t.Errorf("%s belongs to %d, want %d", name, info.Sys().(*syscall.Stat_t).Uid, owner)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestNoLinkIsGiven checks that a folder that only a link of the owner leads to stays root's.
func TestNoLinkIsGiven(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	root, others := t.TempDir(), t.TempDir()
	if err := errors.Join(os.Chown(root, 1, 1), os.Symlink(others, filepath.Join(root, "shop"))); err != nil {
		t.Fatal(err)
	}
	if err := NewFolder(root).Put(t.Context(), "shop/image/file.jpg", strings.NewReader("x"), 1); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(others); err != nil || info.Sys().(*syscall.Stat_t).Uid != 0 {
		t.Errorf("a folder elsewhere was given away: %v", err)
	}
}

// TestGivingBesideARemoval stores files in a folder that is being removed again and again.
func TestGivingBesideARemoval(t *testing.T) {
	root := t.TempDir()
	if os.Geteuid() == 0 {
		if err := os.Chown(root, 1, 1); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		made := make(chan error, 1)
		go func() {
			_, err := NewFolder(root).PutNew(t.Context(), "shop/image/file.jpg", strings.NewReader("x"), 1)
			made <- err
		}()
		_ = os.Remove(filepath.Join(root, "shop", "image")) // fails once a file is in it
		_ = os.Remove(filepath.Join(root, "shop"))
		if err := <-made; err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(root, "shop")); err != nil {
			t.Fatal(err)
		}
	}
}
