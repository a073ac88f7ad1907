package main

import (
	"context"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"storefront/internal/database"
	"storefront/internal/goroutine"
	"storefront/internal/store"
)

// follow sets the clock of a server by that of its database until ctx is done, and reports the difference as
// a metric.
func follow(ctx context.Context, clock *database.Clock, s *store.Store, to prometheus.Registerer, log *slog.Logger) {
	to.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "database_clock_ahead_seconds", Help: "By how much the database's clock is ahead of the server's own.",
	}, func() float64 { return clock.Ahead().Seconds() }))
	goroutine.Keep(ctx, "following the database's clock", func(ctx context.Context) { clock.Follow(ctx, s.DB, log) })
}
