package blob_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"storefront/internal/blob"
	"storefront/internal/blob/blobtest"
)

func TestFolder(t *testing.T) { blobtest.Run(t, blob.NewFolder(t.TempDir())) }

// TestPathsOutside tries keys that lead elsewhere.
func TestPathsOutside(t *testing.T) {
	root := t.TempDir()
	secret := filepath.Join(root, "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := blob.NewFolder(filepath.Join(root, "media"))
	if err := s.Put(t.Context(), "a/b.jpg", strings.NewReader("image"), 5); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"", "/", ".", "..", "../secret", "a/../../secret", "/etc/passwd", "a//b.jpg",
		`a\b.jpg`, "a/./b.jpg", "a/.hidden", "a/b.jpg\x00", "A/b.jpg", "a/b.jpg/../b.jpg", "%2e%2e/secret",
		strings.Repeat("a", 600)} {
		if _, err := s.Open(t.Context(), key); err == nil {
			t.Errorf("%q is opened", key)
		}
		if err := s.Put(t.Context(), key, strings.NewReader("x"), 1); err == nil {
			t.Errorf("%q is kept", key)
		}
		if err := s.RemoveAll(t.Context(), key); err == nil {
			t.Errorf("%q is removed", key)
		}
	}
	if got, err := os.ReadFile(secret); err != nil || string(got) != "secret" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := s.Open(t.Context(), "a"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("a folder is opened: got %v", err)
	}
}

// TestNothingIsHalfThere puts files that end too early, or while others read them.
func TestNothingIsHalfThere(t *testing.T) {
	root := t.TempDir()
	s := blob.NewFolder(root)
	for _, size := range []int64{3, 5} {
		if err := s.Put(t.Context(), "a/b.jpg", strings.NewReader("1234"), size); err == nil {
			t.Errorf("4 bytes are taken for %d", size)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := s.Put(ended, "a/b.jpg", strings.NewReader("1234"), 4); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := s.Open(t.Context(), "a/b.jpg"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("got %v, want %v", err, blob.ErrNotFound)
	}
	left, _ := filepath.Glob(filepath.Join(root, "a", "*"))
	if hidden, _ := filepath.Glob(filepath.Join(root, "a", ".*")); len(left)+len(hidden) > 0 {
		t.Errorf("%v and %v are left", left, hidden)
	}
	content := bytes.Repeat([]byte("abcdefgh"), 64<<10)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := s.Put(t.Context(), "a/c.jpg", bytes.NewReader(content), int64(len(content))); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			f, err := s.Open(t.Context(), "a/c.jpg")
			if errors.Is(err, blob.ErrNotFound) {
				return
			}
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Close()
			if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, content) {
				t.Errorf("got %d bytes, %v", len(got), err)
			}
		})
	}
	all.Wait()
}
