package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"storefront/internal/database"
)

// replicaMetrics shows the state of each replica.
type replicaMetrics struct {
	db  *database.DB
	log *slog.Logger
}

var (
	replicaUp = prometheus.NewDesc("database_replica_up",
		"1 for a replica that takes public reads, 0 for one that is left out; not shown of one that is the primary.",
		[]string{"replica"}, nil)
	replicaBytes = prometheus.NewDesc("database_replica_lag_bytes",
		"What the primary has written and the replica has not replayed.", []string{"replica"}, nil)
	replicaAge = prometheus.NewDesc("database_replica_lag_seconds",
		"Age of what the replica replayed last, where it lacks something, else 0.", []string{"replica"}, nil)
	replicaReads = prometheus.NewDesc("database_replica_statements_total",
		"Statements of public reads that were to go to a replica: answered, or by the primary "+
			"because it lagged or failed.",
		[]string{"replica", "outcome"}, nil)
)

// Describe names the metrics.
func (replicaMetrics) Describe(to chan<- *prometheus.Desc) {
	to <- replicaUp
	to <- replicaBytes
	to <- replicaAge
	to <- replicaReads
}

// Collect reads them.
func (m replicaMetrics) Collect(to chan<- prometheus.Metric) {
	for _, r := range m.db.Replicas() {
		if !r.Primary {
			to <- prometheus.MustNewConstMetric(replicaUp, prometheus.GaugeValue, oneIf(r.Up), r.Name)
		}
		for _, of := range []struct {
			outcome string
			n       int64
		}{{"answered", r.Reads}, {"lagged", r.Lagged}, {"failed", r.Failed}} {
			to <- prometheus.MustNewConstMetric(replicaReads, prometheus.CounterValue,
				float64(of.n), r.Name, of.outcome)
		}
	}
	ctx, stop := context.WithTimeout(context.Background(), lagTime)
	defer stop()
	lags, err := m.db.Lags(ctx)
	if err != nil {
		m.log.Warn("the metrics lack how far replicas are behind", "error", err)
	}
	for _, lag := range lags {
		to <- prometheus.MustNewConstMetric(replicaBytes, prometheus.GaugeValue, float64(lag.Bytes), lag.Name)
		to <- prometheus.MustNewConstMetric(replicaAge, prometheus.GaugeValue, lag.Age.Seconds(), lag.Name)
	}
}

// lagTime is how long reading the lag of replicas may take.
const lagTime = 2 * time.Second

// hostMetrics reports the last known state of each host of the database.
type hostMetrics struct{ db *database.DB }

var (
	hostPrimary = prometheus.NewDesc("database_host_primary",
		"1 for a host that takes changes as far as it knows, else 0.", []string{"host"}, nil)
	hostReplaced = prometheus.NewDesc("database_host_replaced",
		"1 for a host that takes changes although another has replaced it: it is not used.", []string{"host"}, nil)
	hostTimeline = prometheus.NewDesc("database_host_timeline",
		"PostgreSQL's timeline of a host, which each promotion raises; 0: unknown.", []string{"host"}, nil)
)

// Describe names the metrics.
func (hostMetrics) Describe(to chan<- *prometheus.Desc) {
	to <- hostPrimary
	to <- hostReplaced
	to <- hostTimeline
}

// Collect reads them.
func (m hostMetrics) Collect(to chan<- prometheus.Metric) {
	for _, h := range m.db.Hosts() {
		show := func(what *prometheus.Desc, value float64) {
			to <- prometheus.MustNewConstMetric(what, prometheus.GaugeValue, value, h.Name)
		}
		show(hostPrimary, oneIf(h.Primary))
		show(hostReplaced, oneIf(h.Replaced))
		show(hostTimeline, float64(h.Timeline))
	}
}

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
