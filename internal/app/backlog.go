package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"storefront/internal/event/webhook"
)

// backlogMetrics reports how many events wait for webhooks. They are counted when metrics are collected; if
// that fails nothing is reported.
type backlogMetrics struct {
	webhooks *webhook.Service
	log      *slog.Logger
}

// backlogTime is how long counting may take.
const backlogTime = 3 * time.Second

var (
	eventsWaiting = prometheus.NewDesc("webhook_events_waiting",
		"Events that wait to be sent, by whether the last attempt at their receiver failed.", []string{"receiver"}, nil)
	receiversWaiting = prometheus.NewDesc("webhook_receivers_waiting",
		"Receivers that events wait for, by whether the last attempt at them failed.", []string{"receiver"}, nil)
	oldestEvent = prometheus.NewDesc("webhook_oldest_event_age_seconds",
		"Age of the oldest event that waits to be sent; 0: none does.", []string{"receiver"}, nil)
)

func (backlogMetrics) Describe(to chan<- *prometheus.Desc) {
	to <- eventsWaiting
	to <- receiversWaiting
	to <- oldestEvent
}

func (b backlogMetrics) Collect(to chan<- prometheus.Metric) {
	ctx, stop := context.WithTimeout(context.Background(), backlogTime)
	defer stop()
	working, failing, err := b.webhooks.Backlog(ctx)
	if err != nil {
		b.log.Warn("the metrics lack what waits for webhooks", "error", err)
		return
	}
	for receiver, waits := range map[string]webhook.Backlog{"works": working, "fails": failing} {
		to <- prometheus.MustNewConstMetric(eventsWaiting, prometheus.GaugeValue, float64(waits.Events), receiver)
		to <- prometheus.MustNewConstMetric(receiversWaiting, prometheus.GaugeValue, float64(waits.Endpoints), receiver)
		to <- prometheus.MustNewConstMetric(oldestEvent, prometheus.GaugeValue, waits.Oldest.Seconds(), receiver)
	}
}
