// Package catalog reads the lists of shops: what is public of them, and how any list is filtered, sorted, counted and
// shown.
//
// A public list takes these steps. A resolver puts its arguments into one struct, which makes a filter of them
// (products.go). The filter narrows a query, by the index of listings where it names a category or a tag
// (listings.go). The list knows its order and where a record stands in it (sorting.go, cursor.go), and is shown as a
// page by number (paging.go) or as a connection (connection.go). Both read only the columns that were asked for, and
// count only when asked; counts are kept until the shop's content changes (counts.go, facetcount.go). Fields of many
// records are resolved for all of them at once (batch.go, siblings.go). What is public begins with one query for its
// kind, such as PublishedProducts.
package catalog

import (
	"github.com/prometheus/client_golang/prometheus"

	"storefront/ent"
	"storefront/internal/lookup"
	"storefront/internal/share"
)

// Catalog reads the lists of shops.
type Catalog struct {
	store       *ent.Client // guarded by tenancy.Guard
	tenants     *lookup.Tenants
	counts      *countCache
	facetCounts *share.Slots // of facet counts that run
}

// NewCatalog makes a catalog. metrics takes the metrics of kept counts; nil: there are none.
func NewCatalog(store *ent.Client, tenants *lookup.Tenants, metrics prometheus.Registerer) *Catalog {
	c := &Catalog{store: store, tenants: tenants, counts: newCountCache(), facetCounts: newFacetCounts()}
	c.counts.measure(metrics)
	return c
}
