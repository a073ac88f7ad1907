package demo_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"regexp"
	"testing"
	"time"

	"storefront/internal/demo"
)

func TestFilesAreSmall(t *testing.T) {
	all, size := shops(t), 0
	for i, f := range demo.Bundles() {
		if f.Domain != all[i].Tenant.Domain || all[i].Format != "storefront-bundle/1" {
			t.Errorf("file %d: got a %s of %s, want a storefront-bundle/1 of %s", i, all[i].Format,
				all[i].Tenant.Domain, f.Domain)
		}
		unpack(t, f.Customers)
		size += len(f.Data) + len(f.Customers)
	}
	if len(all) != 3 || size > 750_000 {
		t.Errorf("%d shops have %d bytes together, at most 750,000 are wanted", len(all), size)
	}
}

// TestTimesMove moves the customers' files to a later day. The newest time must be of the day before it, the
// others as far from it as they were, and all else as it was.
func TestTimesMove(t *testing.T) {
	form := regexp.MustCompile(`"(20..-..-..T..:..:..Z)"`)
	days := demo.DaysUntil(demo.Newest.AddDate(0, 0, 400).Add(23 * time.Hour))
	newest := time.Time{}
	for _, f := range demo.Bundles() {
		moved, err := demo.Moved(f.Customers, days)
		if err != nil {
			t.Fatal(err)
		}
		was := form.FindAllStringSubmatch(string(unpack(t, f.Customers)), -1)
		is := form.FindAllStringSubmatch(string(moved), -1)
		for i := range was {
			before, err := time.Parse(time.RFC3339, was[i][1])
			after, err2 := time.Parse(time.RFC3339, is[i][1])
			if err != nil || err2 != nil || !after.Equal(before.AddDate(0, 0, 400)) {
				t.Fatalf("%s: %s became %s, want 400 days later", f.Domain, was[i][1], is[i][1])
			}
			if newest.Before(before) {
				newest = before
			}
		}
		if rest := form.ReplaceAll(moved, nil); !bytes.Equal(rest, form.ReplaceAll(unpack(t, f.Customers), nil)) {
			t.Errorf("%s: more than times has changed", f.Domain)
		}
	}
	if age := demo.Newest.Sub(newest); age < 0 || age > 24*time.Hour {
		t.Errorf("the newest time is %v, want one of the day before %v", newest, demo.Newest)
	}
}

func unpack(t testing.TB, data []byte) []byte {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if zip.Name != "" || !zip.ModTime.IsZero() {
		t.Error("the gzip header has a name or a time")
	}
	out, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
