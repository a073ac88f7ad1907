package engine

import (
	"crypto/sha256"
	"sync/atomic"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/graph/plan"
	"storefront/internal/catalog/selection"
	"storefront/internal/platform/bounded"
)

// documentCache caches valid client documents, parsed, by the SHA-256 of their source. Clients send documents
// again, or only their hash (automatic persisted queries).
type documentCache struct {
	engine *Engine
	parsed bounded.Cache[*Documents]
	hits   *atomic.Uint64
	misses *atomic.Uint64
}

// DocumentStats is the state of the cache of client documents.
type DocumentStats struct {
	Bytes        uint64 // at most
	Hits, Misses uint64 // since the start
}

// Documents returns the present state of the document cache.
func (h *Handler) Documents() DocumentStats {
	return DocumentStats{h.documents.parsed.Weight(), h.documents.hits.Load(), h.documents.misses.Load()}
}

// sourceHash is the SHA-256 of a document's source.
type sourceHash [sha256.Size]byte

// documentCacheSize is the most memory that cached documents may take, in bytes.
const documentCacheSize = 32 << 20

func newDocumentCache(engine *Engine) documentCache {
	hits, misses := new(atomic.Uint64), new(atomic.Uint64)
	return documentCache{engine: engine, hits: hits, misses: misses,
		parsed: bounded.New(documentCacheSize, func(_ string, d *Documents) uint32 { return d.weight() })}
}

// plannedOfWord is how many fields the plans of a document may have for each of its words. The fields of a
// fragment stand in the document once, but in the plans as often as the fragment is spread.
const plannedOfWord = 2

// selectedOfWord is how many fields of selections are remembered for each word of a document. A field belongs
// to the selection of every field above it.
const selectedOfWord = 2

// weight returns the most memory that a document takes, in bytes: for its source, its parsed words, its plans
// and its remembered selections.
func (d *Documents) weight() uint32 {
	const parsed = 440
	perWord := parsed + plannedOfWord*plan.FieldBytes + selectedOfWord*selection.FieldBytes
	return uint32(1024 + len(d.source)*9/8 + perWord*d.words)
}

// get returns the documents of a source with the given hash. An empty source stands for one that was sent
// before; get returns nil and no error if its hash is unknown.
func (c documentCache) get(hash sourceHash, source string) (*Documents, gqlerror.List) {
	known, ok := c.parsed.Get(string(hash[:]))
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
		c.parsed.Set(string(hash[:]), documents)
	}
	return documents, errs
}
