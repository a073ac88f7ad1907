package catalog

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"math"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"storefront/internal/platform/bounded"
)

// countCache caches results that need a whole list to be read: totals of lists, facets, items of categories,
// forms. A count is cached under the content version of its tenant, which every change of public content
// raises in its own transaction, so that it is never outdated. It is valid only until the next scheduled
// publication, which changes lists without a write.
type countCache struct {
	cache bounded.Cache[keptCount]
	seeds [2]maphash.Seed // unknown to clients, so that nobody can choose filters with equal hashes

	hits, misses atomic.Int64
}

// subject identifies a count.
type subject struct {
	tenant uuid.UUID
	what   string // such as "products.total"; a constant
	filter any    // a comparable value that determines what is counted, or nil
}

type keptCount struct {
	value any
	until time.Time // zero: until the content changes
}

// overtaken is the expiry of a count that was overtaken by a change of the content: it is never valid.
var overtaken = time.Unix(0, 0)

// maxCountBytes is the most memory of all cached counts. The least used ones are evicted first.
const maxCountBytes = 32 << 20

// countOverhead is the memory that the cache needs for a count besides its value.
const countOverhead = 400

func newCountCache(bytes uint64) *countCache {
	return &countCache{
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		cache: bounded.New(bytes, func(_ string, c keptCount) uint32 {
			return uint32(min(countOverhead+bytesOf(c.value), math.MaxUint32))
		}),
	}
}

// key returns the key of a subject at the content version that the request reached. The filter is hashed, because
// filters hold search texts of any length and keys should have about the same size.
func (c *countCache) key(ctx context.Context, s subject) string {
	var version int64
	if t := ScopeOf(ctx).tenant(s.tenant); t != nil {
		version = t.ContentVersion
	}
	key := make([]byte, 0, 64)
	key = append(key, s.tenant[:]...)
	key = binary.BigEndian.AppendUint64(key, uint64(version))
	for _, seed := range c.seeds {
		key = binary.BigEndian.AppendUint64(key, maphash.Comparable(seed, s.filter))
	}
	return string(append(key, s.what...))
}

// sized is a cached value that is larger than a number.
type sized interface{ Bytes() int }

func bytesOf(value any) int {
	if s, ok := value.(sized); ok {
		return s.Bytes()
	}
	return 8
}
