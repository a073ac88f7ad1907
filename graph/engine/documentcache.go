package engine

import (
	"crypto/sha256"
	"sync/atomic"

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
	hits   *atomic.Uint64
	misses *atomic.Uint64
}

// DocumentStats is how the documents of clients are kept.
type DocumentStats struct {
	Bytes        uint64 // at most
	Hits, Misses uint64 // since the start
}

// Documents returns how documents are kept now.
func (h *Handler) Documents() DocumentStats {
	return DocumentStats{h.documents.parsed.WeightedSize(), h.documents.hits.Load(), h.documents.misses.Load()}
}

// sourceHash is the SHA-256 of a document's source.
type sourceHash [sha256.Size]byte

// documentCacheSize bounds the memory of the documents that stay parsed, in bytes.
const documentCacheSize = 32 << 20

func newDocumentCache(engine *Engine) documentCache {
	hits, misses := new(atomic.Uint64), new(atomic.Uint64)
	return documentCache{engine: engine, hits: hits, misses: misses,
		parsed: otter.Must(&otter.Options[sourceHash, *Documents]{
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
	if ok {
		c.hits.Add(1)
		return known, nil
	}
	c.misses.Add(1)
	if source == "" {
		return nil, nil
	}
	documents, errs := c.engine.ParseClient(source)
	if len(errs) == 0 {
		c.parsed.Set(hash, documents)
	}
	return documents, errs
}
