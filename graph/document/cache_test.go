package document

import (
	"crypto/sha256"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// flood returns the i-th of many different documents, long in different ways: of many short tokens, of long
// ones, or of a few.
func flood(i int) string {
	switch i % 3 {
	case 0:
		return fmt.Sprintf("query q%d {%s }", i, strings.Repeat(" __typename", 1900))
	case 1:
		return fmt.Sprintf("# %s\nquery q%d { __typename }", strings.Repeat("x", 100_000), i)
	default:
		return fmt.Sprintf("query q%d { tenant(domain: \"shop.example\") { products(pageSize: %d) { "+
			"items { id } } } }", i, i)
	}
}

// TestDocumentCacheIsBounded checks that many cached documents never exceed the limit.
func TestDocumentCacheIsBounded(t *testing.T) {
	cache := NewCache(newTestReader())
	longest := 0
	for i := range 200 {
		source := flood(i)
		hash := Hash(sha256.Sum256([]byte(source)))
		document, errs := cache.Get(hash, source)
		if len(errs) > 0 {
			t.Fatalf("%s: %v", source, errs)
		}
		if known, _ := cache.Get(hash, ""); i == 0 && known != document {
			t.Fatal("a document is not known by its hash")
		}
		longest = max(longest, int(document.weight()))
		cache.parsed.Evict()
		if weight := cache.parsed.Weight(); weight > cacheSize {
			t.Fatalf("after %d documents they weigh %d", i+1, weight)
		}
	}
	if weight := int(cache.parsed.Weight()); weight < cacheSize-longest {
		t.Errorf("the flood ends with %d bytes, which is no flood", weight)
	}
	if _, errs := cache.Get(Hash{}, "{ nothing }"); len(errs) == 0 {
		t.Error("an invalid document is taken")
	}
	if known, errs := cache.Get(Hash{}, ""); known != nil || errs != nil {
		t.Errorf("an invalid document is known: %v %v", known, errs)
	}
}

// TestWeightOfDocuments checks that a document's weight is at least the memory it takes, and not many times
// as much. Plans and selections are made by the first requests.
func TestWeightOfDocuments(t *testing.T) {
	reader := newTestReader()
	for kind, name := range []string{"short tokens", "a long comment", "a usual one"} {
		const n = 60
		held := make([]*Document, n)
		before := heap()
		for i := range held {
			document, errs := reader.ParseClient(flood(3*i + kind))
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			held[i] = document
		}
		taken := (heap() - before) / n
		if weight := int(held[0].weight()); weight < taken || weight > 8*taken {
			t.Errorf("%s: %d bytes weigh %d", name, taken, weight)
		}
		runtime.KeepAlive(held)
	}
}

// heap returns the bytes in use on the heap.
func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
