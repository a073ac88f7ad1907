// Package blobtest tries stores of files: each must do the same.
package blobtest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"storefront/internal/media/blob"
)

// Run tries a store, which must be empty.
func Run(t *testing.T, s blob.Store) {
	t.Helper()
	ctx := t.Context()
	mark, err := s.Reach(ctx)
	if err = errors.Join(s.Check(ctx), err); err != nil || mark != "" {
		t.Fatal(mark, err)
	}
	if _, err := s.PutNew(ctx, blob.MarkKey, strings.NewReader("mine"), 4); err != nil {
		t.Fatal(err)
	}
	if mark, err := s.Reach(ctx); mark != "mine" || err != nil {
		t.Errorf("got the mark %q, %v", mark, err)
	}
	content := bytes.Repeat([]byte("0123456789"), 100_000)
	replace := func(ctx context.Context, key string, from io.ReadSeeker, size int64) (bool, error) {
		return true, s.Put(ctx, key, from, size)
	}
	keys := []string{"shop-a/one/x.jpg", "shop-a/one/x-640.webp", "shop-a/one-more/x.jpg", "shop-b/one/x.jpg"}
	for _, key := range keys {
		if _, err := s.Open(ctx, key); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("%s: got %v, want %v", key, err, blob.ErrNotFound)
		}
		for _, put := range []struct {
			content []byte
			put     func(context.Context, string, io.ReadSeeker, int64) (bool, error)
			isNew   bool
		}{{[]byte("older"), s.PutNew, true}, {content, replace, true}, {[]byte("newer"), s.PutNew, false}} {
			isNew, err := put.put(ctx, key, bytes.NewReader(put.content), int64(len(put.content)))
			if err != nil || isNew != put.isNew {
				t.Fatalf("%s: is new: %t, want %t; %v", key, isNew, put.isNew, err)
			}
		}
	}
	f, err := s.Open(ctx, keys[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Size != int64(len(content)) || f.Modified.IsZero() {
		t.Errorf("got size %d, modified %v", f.Size, f.Modified)
	}
	if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, content) {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
	if _, err := f.Seek(123_456, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, content[123_456:]) {
		t.Errorf("got %d bytes from the middle, %v", len(got), err)
	}
	for prefix, want := range map[string][]string{
		"": keys, "shop-a/": keys[:3], "shop-a/one/": keys[:2], "shop-c/": nil,
	} {
		got := Keys(t, s, prefix)
		want = slices.Clone(want)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q: got the keys %v, want %v", prefix, got, want)
		}
	}
	ended, end := context.WithCancel(ctx)
	end()
	for _, failure := range s.List(ended, "") {
		err = failure
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a list whose context has ended: got %v", err)
	}
	if err := s.Put(ctx, "shop-a/two/x.jpg", strings.NewReader("short"), 6); err == nil {
		t.Error("a file that ends too early is kept")
	}
	for range 2 {
		if err := s.RemoveAll(ctx, "shop-a/one/"); err != nil {
			t.Fatal(err)
		}
	}
	for i, key := range append(keys, "shop-a/two/x.jpg") {
		f, err := s.Open(ctx, key)
		if gone := i < 2 || i == 4; gone != errors.Is(err, blob.ErrNotFound) {
			t.Errorf("%s: got %v", key, err)
		}
		if err == nil {
			_ = f.Close()
		}
	}
}

// Keys returns the keys of a store that begin with a prefix, in their order, except blob.MarkKey.
func Keys(t testing.TB, s blob.Store, prefix string) (keys []string) {
	t.Helper()
	for one, err := range s.List(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		if one.Key != blob.MarkKey {
			keys = append(keys, one.Key)
		}
	}
	slices.Sort(keys)
	return keys
}

// Bucket returns the store of an empty folder in the bucket that TEST_S3_URL names.
func Bucket(t testing.TB) *blob.Bucket {
	t.Helper()
	return At(t, BucketOptions(t))
}

// At returns the store of a bucket.
func At(t testing.TB, o blob.BucketOptions) *blob.Bucket {
	t.Helper()
	s, err := blob.NewBucket(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// BucketOptions are those of Bucket.
func BucketOptions(t testing.TB) blob.BucketOptions {
	t.Helper()
	given := os.Getenv("TEST_S3_URL")
	at, err := url.Parse(given)
	if given == "" || err != nil || at.User == nil {
		t.Fatal("TEST_S3_URL names no bucket as http://KEYID:KEY@HOST/BUCKET: run the tests by `make test`, or one " +
			"command by scripts/with-s3")
	}
	key, _ := at.User.Password()
	o := blob.BucketOptions{Region: "us-east-1", KeyID: at.User.Username(), Key: key}
	at.User = nil
	o.URL = at.String() + "/" + strings.ToLower(rand.Text())
	return o
}
