package demo_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"storefront/internal/demo"
)

func TestFilesAreSmall(t *testing.T) {
	all, size := shops(t), 0
	for i, f := range demo.Bundles() {
		if f.Domain != all[i].Tenant.Domain || all[i].Format != "storefront-bundle/1" {
			t.Errorf("file %d: got a %s of %s, want a storefront-bundle/1 of %s", i, all[i].Format,
				all[i].Tenant.Domain, f.Domain)
		}
		size += len(f.Data)
	}
	if len(all) != 3 || size > 400_000 {
		t.Errorf("%d shops have %d bytes together, at most 400,000 are wanted", len(all), size)
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
