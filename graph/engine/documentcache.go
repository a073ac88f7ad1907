package engine

import (
	"crypto/sha256"

	"github.com/maypok86/otter/v2"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/graph/plan"
	"storefront/internal/selection"
)

// documentCache keeps client documents parsed, by the SHA-256 of their source: clients send them again, or
// name them by that hash alone (automatic persisted queries). Only valid ones are kept.
type documentCache struct {
	engine *Engine
	parsed *otter.Cache[sourceHash, *Documents]
}

// sourceHash is the SHA-256 of a document's source.
type sourceHash [sha256.Size]byte

// documentCacheSize bounds the memory of the documents that stay parsed, in bytes.
const documentCacheSize = 32 << 20

func newDocumentCache(engine *Engine) documentCache {
	return documentCache{engine, otter.Must(&otter.Options[sourceHash, *Documents]{
		MaximumWeight: documentCacheSize,
		Weigher:       func(_ sourceHash, d *Documents) uint32 { return d.weight() },
	})}
}

// plannedOfWord is how many fields plans of a document may have for each of its words. A fragment has its
// fields once in the document, and in the plans as often as it is spread.
const plannedOfWord = 2

// selectedOfWord is how many fields are remembered of the selections of a document for each of its words. A field
// belongs to the selections of all that stand above it.
const selectedOfWord = 2

// weight is what a document takes in memory at most, in bytes: its source, what was parsed of each word, its plans,
// and what is remembered of its selections.
func (d *Documents) weight() uint32 {
	const parsed = 440
	perWord := parsed + plannedOfWord*plan.FieldBytes + selectedOfWord*selection.FieldBytes
	return uint32(1024 + len(d.source)*9/8 + perWord*d.words)
}

// get returns the documents of a source, hash being its own. An empty source stands for one that was sent
// before; where it is not known, nil is returned without errors.
func (c documentCache) get(hash sourceHash, source string) (*Documents, gqlerror.List) {
	known, ok := c.parsed.GetIfPresent(hash)
	if ok || source == "" {
		return known, nil
	}
	documents, errs := c.engine.ParseClient(source)
	if len(errs) == 0 {
		c.parsed.Set(hash, documents)
	}
	return documents, errs
}
