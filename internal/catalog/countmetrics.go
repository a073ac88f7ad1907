package catalog

import "github.com/prometheus/client_golang/prometheus"

// measure registers the metrics of the cache, unless to is nil.
func (c *countCache) measure(to prometheus.Registerer) {
	if to == nil {
		return
	}
	to.MustRegister(
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "count_cache_hits_total", Help: "Totals, facets and numbers of items that were kept.",
		}, func() float64 { return float64(c.hits.Load()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "count_cache_misses_total",
			Help: "Totals, facets and numbers of items that were not kept, or no longer held.",
		}, func() float64 { return float64(c.misses.Load()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "count_cache_bytes", Help: "Memory of the counts that are kept.",
		}, func() float64 { return float64(c.cache.Weight()) }),
	)
}
