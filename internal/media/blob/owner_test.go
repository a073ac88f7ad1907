//go:build unix

package blob

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFilesBelongToTheFolder checks that files written by a command as root belong to the folder's owner. Otherwise
// the server could not read them.
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

// TestLinksGiveNothingAway checks that a link in the folder does not change the owner of its target. The folder's owner
// could create a link to any folder.
func TestLinksGiveNothingAway(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	if os.Geteuid() == 0 {
		if err := os.Chown(root, 1, 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(elsewhere, filepath.Join(root, "shop")); err != nil {
		t.Fatal(err)
	}
	if err := NewFolder(root).Put(t.Context(), "shop/image/file.jpg", strings.NewReader("x"), 1); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(elsewhere); err != nil || int(info.Sys().(*syscall.Stat_t).Uid) != os.Geteuid() {
		t.Errorf("got %v, %v, want a folder of this user", info, err)
	}
}

// TestGivingBesideARemoval stores files while their folder is repeatedly removed.
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
