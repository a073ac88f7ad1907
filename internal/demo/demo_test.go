package demo_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"storefront/internal/demo"
	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/shops"
)

// The three shops in the order of shops.All.
const (
	sanat = iota
	paperlane
	memar
)

func TestFilesAreWhatTheGeneratorMakes(t *testing.T) {
	made, files := shops.All(), demo.Bundles()
	if len(made) != len(files) {
		t.Fatalf("%d shops, %d files", len(made), len(files))
	}
	size := 0
	for i, f := range files {
		if f.Domain != made[i].Tenant.Domain {
			t.Errorf("file %d is of %s, shop of %s", i, f.Domain, made[i].Tenant.Domain)
		}
		if !bytes.Equal(unpack(t, f.Data), encode(t, made[i])) {
			t.Errorf("%s is stale: go run ./internal/demo/gen", f.Domain)
		}
		size += len(f.Data)
	}
	if size > 400_000 {
		t.Errorf("%d bytes together, at most 400,000 are wanted", size)
	}
}

// The packed bytes are compared among themselves only: another version of Go may pack otherwise.
func TestSameBytesTwice(t *testing.T) {
	first, second := shops.All(), shops.All()
	for i := range first {
		a, err := bundle.Gzip(encode(t, first[i]))
		if err != nil {
			t.Fatal(err)
		}
		b, err := bundle.Gzip(encode(t, second[i]))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs from run to run", first[i].Tenant.Domain)
		}
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

func encode(t testing.TB, b bundle.Bundle) []byte {
	t.Helper()
	data, err := b.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return data
}
