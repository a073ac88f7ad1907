// Package catalog reads the public lists of shops. It decides which records are public, and filters, sorts and counts
// them.
//
// A public list takes these steps. A resolver passes its arguments as one struct, which makes a Filter of them
// (products.go). The filter narrows a query of any kind of records (filter.go, publiclist.go); for a category or a tag
// it uses the index of listings (listings.go). Package list shows the list as a page or a connection, and package
// facets counts it by property. Counts are cached until the shop's content changes (counts.go). Every public read
// starts from one query for its kind, such as PublishedProducts.
package catalog

import (
	"storefront/ent"
	"storefront/internal/catalog/lookup"
	"storefront/internal/platform/share"
)

// Catalog reads the lists of shops.
type Catalog struct {
	Store       *ent.Client // guarded by tenancy.Guard
	tenants     *lookup.Tenants
	counts      *countCache
	facetCounts *share.Slots // limits the facet counts that run at once
}

// NewCatalog returns a catalog.
func NewCatalog(store *ent.Client, tenants *lookup.Tenants) *Catalog {
	return &Catalog{Store: store, tenants: tenants, counts: newCountCache(maxCountBytes), facetCounts: newFacetCounts()}
}

// Kept returns how often a count was found in the cache and how often not, and the memory of those that are kept.
func Kept(r *Catalog) (hits, misses int64, bytes uint64) {
	return r.counts.hits.Load(), r.counts.misses.Load(), r.counts.cache.Weight()
}

// maxFacetCounts is how many facet counts run at once, of all shops: each may read all records of one.
const maxFacetCounts = 4

func newFacetCounts() *share.Slots { return share.New(maxFacetCounts, maxFacetCounts/2) }
