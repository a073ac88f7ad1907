package app

import (
	"github.com/prometheus/client_golang/prometheus"

	"storefront/internal/database"
)

// replicaMetrics shows the state of each replica.
type replicaMetrics struct{ db *database.DB }

var (
	replicaUp = prometheus.NewDesc("database_replica_up",
		"1 for a replica that takes public reads, 0 for one that is left out.", []string{"replica"}, nil)
	replicaReads = prometheus.NewDesc("database_replica_statements_total",
		"Statements of public reads that were to go to a replica: answered, or by the primary "+
			"because it lagged or failed.",
		[]string{"replica", "outcome"}, nil)
)

// Describe names the metrics.
func (replicaMetrics) Describe(to chan<- *prometheus.Desc) {
	to <- replicaUp
	to <- replicaReads
}

// Collect reads them.
func (m replicaMetrics) Collect(to chan<- prometheus.Metric) {
	for _, r := range m.db.Replicas() {
		up := 0.0
		if r.Up {
			up = 1
		}
		to <- prometheus.MustNewConstMetric(replicaUp, prometheus.GaugeValue, up, r.Name)
		for _, of := range []struct {
			outcome string
			n       int64
		}{{"answered", r.Reads}, {"lagged", r.Lagged}, {"failed", r.Failed}} {
			to <- prometheus.MustNewConstMetric(replicaReads, prometheus.CounterValue,
				float64(of.n), r.Name, of.outcome)
		}
	}
}
