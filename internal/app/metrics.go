package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	graphql "storefront/graph/http"
	"storefront/internal/catalog"
	"storefront/internal/customer/account"
	"storefront/internal/database"
	"storefront/internal/database/store"
	"storefront/internal/event/live"
	"storefront/internal/event/webhook"
	"storefront/internal/media"
	"storefront/internal/message/sms"
	"storefront/internal/platform/goroutine"
	"storefront/internal/platform/share"
	"storefront/internal/record"
	"storefront/internal/server"
)

// meters count what the services do. Their labels have few values, and clients cannot choose these.
type meters struct {
	provider                         string // of SMS
	messages, codes, moves, webhooks *prometheus.CounterVec
	refusals                         *prometheus.CounterVec // of codes
	payments                         *prometheus.CounterVec
	placed                           prometheus.Counter
}

// newMeters registers the meters. All possible values begin at 0, so that what has not happened yet is
// reported too.
func newMeters(to prometheus.Registerer, provider string) *meters {
	counter := func(name, help, label string, values ...string) *prometheus.CounterVec {
		made := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{label})
		to.MustRegister(made)
		for _, value := range values {
			made.WithLabelValues(value)
		}
		return made
	}
	m := &meters{
		provider: provider,
		messages: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "sms_messages_total",
			Help: "Messages given to the SMS provider, by what for (code, notice, partner) and what came of it " +
				"(sent, or the kind of failure)."}, []string{"provider", "purpose", "outcome"}),
		codes: counter("codes_checked_total",
			"One-time codes that were tried, by whether they were right.", "outcome", "right", "wrong"),
		refusals: counter("codes_refused_total",
			"One-time codes that were asked for and not sent, by whose limit was full.", "limit",
			account.Refusals...),
		moves: counter("order_moves_total", "Orders that this server moved to a status.", "status",
			record.OrderStatus("").Values()...),
		payments: counter("payment_marks_total", "Payments that staff marked at this server.", "status",
			record.PaymentStatus("").Values()...),
		webhooks: counter("webhook_attempts_total", "Attempts to deliver an event, by what came of it.", "outcome",
			append(record.WebhookFailure("").Values(), webhook.Delivered)...),
		placed: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "orders_placed_total", Help: "Orders that this server wrote.",
		}),
	}
	to.MustRegister(m.messages, m.placed)
	for _, purpose := range []string{purposeCode, purposePartner, purposeNotice} {
		for _, outcome := range append(slices.Clone(sms.Kinds), "sent") {
			m.messages.WithLabelValues(provider, purpose, string(outcome))
		}
	}
	return m
}

func (m *meters) checked(right bool) {
	outcome := "wrong"
	if right {
		outcome = "right"
	}
	m.codes.WithLabelValues(outcome).Inc()
}

// by returns a function that counts under the value of a label.
func by[S ~string](counter *prometheus.CounterVec) func(value S) {
	return func(value S) { counter.WithLabelValues(string(value)).Inc() }
}

// The purposes of messages.
const purposeCode, purposePartner, purposeNotice = "code", "partner", "notice"

// countedSender counts messages by their outcome.
type countedSender struct {
	sms.Sender
	count func(outcome string)
}

// counting returns a sender that counts the messages it sends under a purpose.
func (m *meters) counting(s sms.Sender, purpose string) sms.Sender {
	return countedSender{Sender: s, count: func(outcome string) {
		m.messages.WithLabelValues(m.provider, purpose, outcome).Inc()
	}}
}

func (s countedSender) Send(ctx context.Context, message sms.Message) (string, error) {
	id, err := s.Sender.Send(ctx, message)
	outcome := "sent"
	if failed, ok := errors.AsType[*sms.Error](err); ok {
		outcome = string(failed.Kind)
	} else if err != nil {
		outcome = string(sms.Unknown)
	}
	s.count(outcome)
	return id, err
}

// measure registers the metrics that are read on collection: the build, the database pools and their shares,
// the caches of documents and counts, and subscriptions.
func measure(
	to prometheus.Registerer, o Options, s *store.Store, graphQL *graphql.Handler, listening *live.Service,
	lists *catalog.Catalog,
) {
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "build_info", Help: "Always 1; what runs.",
		ConstLabels: prometheus.Labels{
			"version": cmp.Or(o.Version, "unknown"), "commit": cmp.Or(o.Commit, "unknown"),
			"go_version": runtime.Version(),
		},
	})
	build.Set(1)
	to.MustRegister(build)
	for name, pool := range s.Pools() {
		to.MustRegister(collectors.NewDBStatsCollector(pool, name))
	}
	reads, transactions := s.Shares()
	to.MustRegister(shares{"read": reads, "transaction": transactions})
	gauge := func(name, help string, of func() float64) {
		to.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, of))
	}
	counter := func(name, help string, of func() float64) {
		to.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, of))
	}
	counter("background_panics_total",
		"Panics beside requests: in what is sent, deleted, moved or counted in the background.",
		func() float64 { return float64(goroutine.Panics()) })
	gauge("database_clock_ahead_seconds", "By how much the database's clock is ahead of the server's own.",
		func() float64 {
			if o.Ahead == nil {
				return 0
			}
			return o.Ahead().Seconds()
		})
	counter("log_lines_dropped_total", "Lines of the log that were dropped, as nobody read those before them.",
		func() float64 {
			if o.LogDropped == nil {
				return 0
			}
			return float64(o.LogDropped())
		})
	gauge("codes_per_minute_limit", "Codes that all servers may send in a minute.", func() float64 {
		return float64(o.CodesInMinute)
	})
	gauge("graphql_subscriptions", "GraphQL subscriptions that this server answers now.",
		func() float64 { return float64(listening.Listeners()) })
	gauge("document_cache_bytes", "Memory of the documents of clients that are kept parsed, at most.",
		func() float64 { return float64(graphQL.Documents.Stats().Bytes) })
	counter("document_cache_hits_total", "Documents of clients that were kept parsed.",
		func() float64 { return float64(graphQL.Documents.Stats().Hits) })
	counter("document_cache_misses_total",
		"Documents of clients that were parsed, or asked for by a hash that is not known.",
		func() float64 { return float64(graphQL.Documents.Stats().Misses) })
	counter("count_cache_hits_total", "Totals, facets and numbers of items that were kept.",
		func() float64 { hits, _, _ := catalog.Kept(lists); return float64(hits) })
	counter("count_cache_misses_total", "Totals, facets and numbers of items that were not kept, or no longer held.",
		func() float64 { _, misses, _ := catalog.Kept(lists); return float64(misses) })
	gauge("count_cache_bytes", "Memory of the counts that are kept.",
		func() float64 { _, _, bytes := catalog.Kept(lists); return float64(bytes) })
}

// shares reports how connections are shared, by their use.
type shares map[string]*share.Slots

var (
	slots = prometheus.NewDesc("database_slots", "Turns at the database that there are at once.", []string{"kind"}, nil)
	taken = prometheus.NewDesc("database_slots_taken",
		"Turns at the database that are taken, by whether those who have them hold them long.",
		[]string{"kind", "held"}, nil)
	waiting = prometheus.NewDesc("database_slots_waiting", "Statements and transactions that wait for a turn.",
		[]string{"kind"}, nil)
	ofShop = prometheus.NewDesc("database_shop_slots", "Turns that the shop with most of them has.",
		[]string{"kind"}, nil)
	shopMay = prometheus.NewDesc("database_shop_slots_limit",
		"Turns that one shop may have while others want some, by whether it holds them long.",
		[]string{"kind", "held"}, nil)
)

func (s shares) Describe(to chan<- *prometheus.Desc) {
	for _, one := range []*prometheus.Desc{slots, taken, waiting, ofShop, shopMay} {
		to <- one
	}
}

func (s shares) Collect(to chan<- prometheus.Metric) {
	for kind, of := range s {
		show := func(what *prometheus.Desc, value int, labels ...string) {
			to <- prometheus.MustNewConstMetric(what, prometheus.GaugeValue, float64(value),
				append([]string{kind}, labels...)...)
		}
		now := of.Stats()
		most, mostLong := of.ShareOf()
		show(slots, now.Capacity)
		show(taken, now.Taken-now.Long, "briefly")
		show(taken, now.Long, "long")
		show(waiting, now.Waiting)
		show(ofShop, now.OfOneTenant)
		show(shopMay, most, "briefly")
		show(shopMay, mostLong, "long")
	}
}

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
