// Package bundle reads and writes tenant bundles (contract 6): all content of a shop as one JSON object,
// plain or gzipped.
//
// A file is read element by element, so that its size is bounded by the disk and not by memory; what is
// kept of it is the slugs and keys that its other records refer to. One transaction brings in a whole
// bundle or none of it.
package bundle

import (
	"bytes"
	"io"
	"os"

	"github.com/google/uuid"
)

// Format is the value of the member "format".
const Format = "storefront-bundle/1"

// Opener opens a bundle from its beginning. It is called several times for one import and must give the
// same bytes.
type Opener func() (io.ReadCloser, error)

// File opens a bundle on disk.
func File(path string) Opener { return func() (io.ReadCloser, error) { return os.Open(path) } }

// Bytes opens a bundle in memory.
func Bytes(data []byte) Opener {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
}

// Progress tells how far an import is.
type Progress struct {
	Section string // member of the bundle, such as "products"
	Done    int    // its elements read so far
	Total   int    // its elements in the file
	Writing bool   // the bundle was checked and is being written
}

// Summary tells what an import did.
type Summary struct {
	Tenant   uuid.UUID
	Domain   string
	Created  bool              // the tenant is new
	Sections map[string]Counts // by member of the bundle; "variants" stand by themselves
}

// Changed reports whether anything was written. Content that was there already is not, so content_version
// stays.
func (s Summary) Changed() bool {
	for _, counts := range s.Sections {
		if counts.Created+counts.Updated > 0 {
			return true
		}
	}
	return false
}

// Counts are the records of a section by what became of them.
type Counts struct{ Created, Updated, Unchanged int }
