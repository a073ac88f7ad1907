// Package bundle reads and writes tenant bundles (contract 6): all content of a shop as one JSON object,
// plain or gzipped.
//
// An import reads the file three times. readOutline looks over its syntax and counts its elements. Then
// walkSections reads element after element, each section after those that it refers to, and gives them to the
// functions named take…: these find the records that the tenant has by their natural keys, put the members of
// the file into them, note every fault, and plan what is to be written. After this check nothing is written
// yet. The last reading takes only the elements that differ, and a writer plans them once more and writes
// them in short transactions, under the lock of the shop's content, with what internal/derive computes from
// them. A file is never in memory as a whole: what is kept of it are the slugs and keys that its records
// refer to, and which elements differ.
//
// An export reads the tenant's records in one read-only transaction, and writes them as they can be imported.
//
// The commands `storefront import` and `export` call it, and the demo. It works on internal/store; nothing of it
// is part of a request.
package bundle

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

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

// Progress is how far an import has come.
type Progress struct {
	Section string // member of the bundle, such as "products"
	Done    int    // its elements read so far
	Total   int    // its elements in the file
	Writing bool   // the bundle was checked and is being written
}

// Summary counts what an import did.
type Summary struct {
	Tenant   uuid.UUID
	Domain   string
	Created  bool     // the tenant is new
	Sections Sections // by member of the bundle; "variants" stand by themselves
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

// String says in words what an import did: "products: 3 new, 1 changed, 9 as before".
func (s Summary) String() string {
	var parts []string
	for _, section := range slices.Sorted(maps.Keys(s.Sections)) {
		c := s.Sections[section]
		parts = append(parts, fmt.Sprintf("%s: %d new, %d changed%s, %d as before", section, c.Created, c.Updated,
			c.moves(), c.Unchanged))
	}
	return strings.Join(parts, "; ")
}

// changes says in words what an import wrote that did not come to its end: "products: 3 new, 1 changed".
func (s Summary) changes() string {
	var parts []string
	for _, section := range slices.Sorted(maps.Keys(s.Sections)) {
		if c := s.Sections[section]; c.Created+c.Updated > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d new, %d changed%s", section, c.Created, c.Updated, c.moves()))
		}
	}
	return cmp.Or(strings.Join(parts, "; "), "nothing that is known of")
}

// Sections are the records of sections.
type Sections map[string]Counts

// Counts are the records of a section by what became of them.
type Counts struct {
	Created, Updated, Unchanged int
	Moved                       int // of the updated variants: to another product
}

func (c Counts) moves() string {
	if c.Moved == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d of them moved to another product)", c.Moved)
}

// move notes that a variant goes to another product.
func (s Sections) move() {
	c := s["variants"]
	c.Moved++
	s["variants"] = c
}

// count adds a record.
func (s *Sections) count(section string, f fate) {
	if *s == nil {
		*s = Sections{}
	}
	counts := (*s)[section]
	switch f {
	case created:
		counts.Created++
	case updated:
		counts.Updated++
	default:
		counts.Unchanged++
	}
	(*s)[section] = counts
}

// with returns the sum of the records written and those written after them.
func (s Sections) with(more Sections) Sections {
	sum := Sections{}
	maps.Copy(sum, s)
	for section, c := range more {
		before := sum[section]
		sum[section] = Counts{Created: before.Created + c.Created, Updated: before.Updated + c.Updated,
			Moved: before.Moved + c.Moved}
	}
	return sum
}

// changes are the records that are new or changed, as the audit log names them.
func (s Sections) changes() map[string]any {
	all := map[string]any{}
	for section, c := range s {
		if c.Created+c.Updated > 0 {
			all[section] = map[string]int{"created": c.Created, "updated": c.Updated}
		}
	}
	return all
}
