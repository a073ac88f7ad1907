// Package bundle reads and writes tenant bundles (contract 6): all content of a shop as one JSON object,
// plain or gzipped.
//
// An import reads the file at least twice. First readOutline checks its syntax and counts its elements. Then
// walkSections reads element after element, each section after those that it refers to, for which it may have to
// begin again. A plan.Planner finds the tenant's records by their natural keys, applies the members of the file, and
// notes every fault; the import notes which elements differ. Nothing is written so far. If any differ, they are read
// once more, planned again, and written in short transactions, under the lock of the shop's content, with the data
// that package derive computes from them. A file is never in memory as a whole: only the slugs and keys that its
// records refer to are, and which elements differ.
//
// An export reads the tenant's records in one read-only transaction, and writes a bundle that can be
// imported.
//
// The commands `storefront import` and `export` and the demo call Import and Export. Edits of staff are elements of a
// bundle too (package edit).
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

	"storefront/internal/content/stored"
)

// Format is the value of the member "format".
const Format = "storefront-bundle/1"

// Opener opens a bundle from its beginning. An import calls it several times; it must return the same bytes
// each time.
type Opener func() (io.ReadCloser, error)

// File opens a bundle on disk.
func File(path string) Opener { return func() (io.ReadCloser, error) { return os.Open(path) } }

// Bytes opens a bundle in memory.
func Bytes(data []byte) Opener {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
}

// Progress is the progress of an import.
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
	Sections Sections // by member of the bundle; "variants" are counted on their own
}

// Changed reports whether anything was written. Unchanged content is not, and content_version stays the same.
func (s Summary) Changed() bool {
	for _, counts := range s.Sections {
		if counts.Created+counts.Updated > 0 {
			return true
		}
	}
	return false
}

// String returns a summary for people, such as "products: 3 new, 1 changed, 9 as before".
func (s Summary) String() string { return s.list(true) }

// changes returns a summary of what an unfinished import wrote, such as "products: 3 new, 1 changed".
func (s Summary) changes() string { return cmp.Or(s.list(false), "nothing that is known of") }

func (s Summary) list(unchanged bool) string {
	var parts []string
	for _, section := range slices.Sorted(maps.Keys(s.Sections)) {
		c := s.Sections[section]
		text := fmt.Sprintf("%s: %d new, %d changed%s", section, c.Created, c.Updated, c.moves())
		if unchanged {
			parts = append(parts, fmt.Sprintf("%s, %d as before", text, c.Unchanged))
		} else if c.Created+c.Updated > 0 {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "; ")
}

// Sections are the counts of records by section.
type Sections map[string]Counts

// Counts are the numbers of records of a section by outcome.
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

// count adds a record.
func (s *Sections) count(outcome stored.Outcome) {
	if *s == nil {
		*s = Sections{}
	}
	counts := (*s)[outcome.Section]
	switch outcome.Fate {
	case stored.Created:
		counts.Created++
	case stored.Updated:
		counts.Updated++
	default:
		counts.Unchanged++
	}
	if outcome.Moved {
		counts.Moved++
	}
	(*s)[outcome.Section] = counts
}

// with returns the sums of two counts.
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

// changes returns the counts of new and changed records for the audit log.
func (s Sections) changes() map[string]any {
	all := map[string]any{}
	for section, c := range s {
		if c.Created+c.Updated > 0 {
			all[section] = map[string]int{"created": c.Created, "updated": c.Updated}
		}
	}
	return all
}
