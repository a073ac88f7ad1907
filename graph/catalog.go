package graph

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
