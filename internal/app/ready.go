package app

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"storefront/internal/database"
	"storefront/internal/database/store"
	"storefront/internal/media"
	"storefront/internal/server"
)

// readinessOf returns a function that reports the readiness of a service over a store.
func readinessOf(s *store.Store, images *media.Service) func(context.Context) server.Readiness {
	return func(ctx context.Context) server.Readiness {
		reads, writes := s.Ready(ctx)
		return server.Readiness{Reads: reads, Writes: writes, Cause: causeOf(writes), Images: images.Reach(ctx)}
	}
}

// causeOf returns in a word why a service is not ready, or "" if it is.
func causeOf(err error) string {
	if errors.Is(err, store.ErrNotMigrated) {
		return "not migrated"
	}
	return database.Cause(err)
}

// readinessMetrics reports what /readyz would answer.
type readinessMetrics struct {
	of     *store.Store
	images *media.Service
}

// readinessTime is how long the check may take.
const readinessTime = 3 * time.Second

var readiness = prometheus.NewDesc("ready",
	"1 while what only reads and what writes can be answered, and images can be kept, else 0.",
	[]string{"for"}, nil)

var commitWait = prometheus.NewDesc("database_commit_wait_seconds",
	"How long the oldest commit has been waiting for a synchronous standby; 0 if no commit waits.", nil, nil)

// Describe names the metrics.
func (readinessMetrics) Describe(to chan<- *prometheus.Desc) {
	to <- readiness
	to <- commitWait
}

// Collect asks the database.
func (m readinessMetrics) Collect(to chan<- prometheus.Metric) {
	ctx, stop := context.WithTimeout(context.Background(), readinessTime)
	defer stop()
	ready := readinessOf(m.of, m.images)(ctx)
	for what, err := range map[string]error{"reads": ready.Reads, "writes": ready.Writes, "images": ready.Images} {
		to <- prometheus.MustNewConstMetric(readiness, prometheus.GaugeValue, oneIf(err == nil), what)
	}
	if wait, err := m.of.CommitWait(ctx); err == nil { // else reads are not ready either
		to <- prometheus.MustNewConstMetric(commitWait, prometheus.GaugeValue, wait.Seconds())
	}
}

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
