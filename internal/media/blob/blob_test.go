package blob_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"storefront/internal/media/blob"
	"storefront/internal/media/blob/blobtest"
)

func TestFolder(t *testing.T) { blobtest.Run(t, blob.NewFolder(t.TempDir())) }

func TestBucket(t *testing.T) { blobtest.Run(t, blobtest.Bucket(t)) }

// TestBucketsThatRefuse checks the errors that an operator sees for wrong settings.
func TestBucketsThatRefuse(t *testing.T) {
	right := blobtest.BucketOptions(t)
	at, err := url.Parse(right.URL)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*blob.BucketOptions){
		"another key":        func(o *blob.BucketOptions) { o.Key += "x" },
		"nobody's key":       func(o *blob.BucketOptions) { o.KeyID = "nobody" },
		"a missing bucket":   func(o *blob.BucketOptions) { o.URL = at.Scheme + "://" + at.Host + "/no-such-bucket" },
		"another region":     func(o *blob.BucketOptions) { o.Region = "elsewhere-1" },
		"nothing at the URL": func(o *blob.BucketOptions) { o.URL = "http://127.0.0.1:1/bucket" },
	} {
		o := right
		change(&o)
		s, err := blob.NewBucket(o)
		if err != nil {
			t.Fatal(err)
		}
		answered := name != "nothing at the URL"
		_, unreached := s.Reach(t.Context())
		for which, err := range map[string]error{"Check": s.Check(t.Context()), "Reach": unreached} {
			if err == nil || errors.Is(err, blob.ErrRefused) != answered || !strings.Contains(err.Error(), "bucket") ||
				strings.Contains(err.Error(), right.Key) {
				t.Errorf("%s: %s: got %v", name, which, err)
			}
		}
	}
}

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
	wrong := []string{"", "/", ".", "..", "../secret", "a/../../secret", "/etc/passwd", "a//b.jpg",
		`a\b.jpg`, "a/./b.jpg", "a/.hidden", "a/b.jpg\x00", "A/b.jpg", "a/b.jpg/../b.jpg", "%2e%2e/secret",
		strings.Repeat("a", 600)}
	bucket := blobtest.Bucket(t)
	for _, key := range wrong {
		if _, err := bucket.Open(t.Context(), key); err == nil || errors.Is(err, blob.ErrNotFound) {
			t.Errorf("%q is looked for in a bucket: got %v", key, err)
		}
		if bucket.Put(t.Context(), key, strings.NewReader("x"), 1) == nil || bucket.RemoveAll(t.Context(), key) == nil {
			t.Errorf("%q is kept in a bucket, or removed", key)
		}
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

// TestNothingIsHalfThere stores files that end too early, and files that are read meanwhile.
func TestNothingIsHalfThere(t *testing.T) {
	root := t.TempDir()
	nothingIsHalfThere(t, blob.NewFolder(root))
	if hidden, _ := filepath.Glob(filepath.Join(root, "a", ".*")); len(hidden) > 0 {
		t.Errorf("%v are left", hidden)
	}
	nothingIsHalfThere(t, blobtest.Bucket(t))
}

func nothingIsHalfThere(t *testing.T, s blob.Store) {
	t.Helper()
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
	for one, err := range s.List(t.Context(), "") {
		t.Errorf("%q is left, %v", one.Key, err)
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
