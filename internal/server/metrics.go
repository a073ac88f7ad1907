package server

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"storefront/internal/fault"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
)

// metrics counts requests by route, method and class of status: "2xx" to "5xx", "499" if the client left
// before the response, "aborted" if the connection was cut. An internal error in a GraphQL response counts
// as "5xx", although its status is 200. Operations are counted by their fields and error code. Probes are
// not counted.
type metrics struct {
	requests   *prometheus.CounterVec
	operations *prometheus.CounterVec
	seconds    *prometheus.HistogramVec
	taking     *prometheus.HistogramVec
	running    prometheus.Gauge
	shops      *busyShops
}

func newMetrics(to prometheus.Registerer, clock func() time.Time) metrics {
	labels := []string{"route", "method", "status"}
	m := metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "http_requests_total", Help: "Requests answered.",
		}, labels),
		operations: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "operations_total",
			Help: "Operations that were run, by what they ask for, and the code of the gravest error.",
		}, []string{"operation", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "http_request_duration_seconds", Help: "Time from the request's header to the end of its answer.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, labels),
		taking: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "operation_duration_seconds", Help: "Time of requests that ran an operation, by what it asks for.",
			Buckets: []float64{.005, .025, .1, .25, .5, 1, 2.5, 5},
		}, []string{"operation"}),
		shops: newBusyShops(clock),
		running: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "http_requests_in_flight", Help: "Requests being answered now.",
		}),
	}
	to.MustRegister(m.requests, m.operations, m.seconds, m.taking, m.running, m.shops,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m metrics) count(method, route string, status int, took time.Duration, noted request.Facts) {
	if isProbe(route) {
		return
	}
	if status == http.StatusOK && wire.Failed(fault.Code(noted.Code)) {
		status = http.StatusInternalServerError
	}
	class := strconv.Itoa(status/100) + "xx"
	switch status {
	case 0:
		class = "aborted"
	case statusClientLeft:
		class = strconv.Itoa(statusClientLeft)
	}
	if noted.Fields != "" {
		m.operations.WithLabelValues(noted.Fields, string(fault.Unavailable)) // as with 5xx below
		m.operations.WithLabelValues(noted.Fields, string(fault.Internal))
		m.operations.WithLabelValues(noted.Fields, cmp.Or(noted.Code, "OK")).Inc()
		if route != liveStreamPath { // the client chooses its duration
			m.taking.WithLabelValues(noted.Fields).Observe(took.Seconds())
		}
	}
	if noted.Tenant != "" && (noted.Found || noted.Code == "") {
		failed := status >= http.StatusInternalServerError && noted.Code != string(fault.ShopClosed)
		m.shops.count(noted.Tenant, failed, noted.Database)
	}
	// The series must exist before the first fault, or Prometheus sees no increase.
	m.requests.WithLabelValues(route, method, "5xx")
	m.requests.WithLabelValues(route, method, class).Inc()
	if route != liveStreamPath {
		m.seconds.WithLabelValues(route, method, class).Observe(took.Seconds())
	}
}

// metricsHandler serves /metrics for Prometheus, and 404 elsewhere. It is for an address of its own, as the
// figures are only for the operator.
func (s *Server) metricsHandler() http.Handler {
	numbers := readOnly(promhttp.HandlerFor(s.o.Metrics, promhttp.HandlerOpts{ErrorLog: s.errorLog()}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/metrics" {
			notFound(w, r)
			return
		}
		numbers.ServeHTTP(w, r)
	})
}
