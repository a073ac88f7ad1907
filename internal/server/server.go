// Package server is the outermost layer of the service: one http.Handler around the REST and GraphQL doors,
// and the listeners it serves on. It knows HTTP and nothing of shops; package app gives it the doors.
//
// A request passes, from the outside in: request id, language, client address and deadline (begin.go), access
// log and metrics (observe.go), recovery from panics (recover.go), CORS (cors.go), the bound on requests
// running at once (places.go), gzip (gzip.go), and then its door (paths.go). serve.go opens the listeners,
// bounds connections (connections.go) and stops the service.
//
// A door needs nothing of this package: RemoteAddr of the request is the client's address, behind trusted
// proxies too; the header X-Request-Id of the answer is already set; the context ends when the request's time
// is over. In return a door sets r.Pattern to its route, as http.ServeMux does, on the *http.Request it was
// given, and log and metrics show that route.
package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/singleflight"

	"storefront/internal/server/origin"
)

// Options are the parts and settings of a Server. API, GraphQL and Log are required.
type Options struct {
	API     http.Handler            // serves /api/v1 and all below; sees the whole path
	GraphQL http.Handler            // serves /graphql
	Pages   map[string]http.Handler // further paths: "/docs" is one page, "/playground/" all below it as well

	// OwnsHost reports whether a lower-case host is the domain of a tenant or a subdomain of one; nil: none
	// is.
	OwnsHost func(ctx context.Context, host string) bool
	Ready    func(ctx context.Context) error // fails while requests cannot be served; nil: never

	Origins        []origin.Origin // origins that CORS allows in addition to tenants' and loopback
	TrustedProxies []netip.Prefix  // peers whose X-Forwarded-For is believed
	Log            *slog.Logger
	Metrics        *prometheus.Registry // where the server registers its metrics; nil: one of its own

	DrainTime time.Duration // how long the server still accepts requests while it is not ready any more

	MaxConnections int // open at once; 0: 8192
	MaxRunning     int // requests worked on at once; 0: 1024
}

// Server answers every request of the service. It is an http.Handler; Serve gives it a listener.
type Server struct {
	doors     http.Handler
	ready     func(ctx context.Context) error
	readiness singleflight.Group
	stopping  atomic.Bool
	drainTime time.Duration

	maxConnections int
	proxies        []netip.Prefix
	log            *slog.Logger
	registry       *prometheus.Registry
	metrics        metrics
}

// New puts the layers together. It panics on a page whose path is taken or malformed, as http.ServeMux does.
func New(o Options) *Server {
	s := &Server{
		ready:     o.Ready,
		drainTime: o.DrainTime,

		maxConnections: o.MaxConnections,

		proxies:  o.TrustedProxies,
		log:      slog.New(WithRequestID(o.Log.Handler())),
		registry: o.Metrics,
	}
	if s.registry == nil {
		s.registry = prometheus.NewRegistry()
	}
	s.metrics = newMetrics(s.registry)
	running := newPlaces(o.MaxRunning)
	around := func(door http.Handler) http.Handler { return running.limit(compress(door)) }
	s.doors = allowOrigins(o, s.paths(o, around))
	return s
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	r, end := s.begin(w, r)
	defer end()
	a := &answer{ResponseWriter: w, body: watchBody(r), stopping: s.stopping.Load}
	s.metrics.running.Inc()
	defer s.observe(a, r, start)
	defer a.finish()
	defer s.recover(a, r)
	s.doors.ServeHTTP(a, r)
}
