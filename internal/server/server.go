// Package server is the outside of the service: one http.Handler around the REST and GraphQL doors, and its listener.
//
// From the outside in: request id, language, client address and deadline (begin), access log and metrics (observe), recover, CORS,
// the bound on requests running at once (places), gzip, and then the doors. What a door reads of the request without
// importing this package: RemoteAddr is the client's address, behind trusted proxies too; the answer's X-Request-Id
// header is already set; the context ends with the request's time. What it tells back: a door sets r.Pattern to its
// route, as http.ServeMux does, on the very *http.Request it was given; log and metrics name the route by it.
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

// Options is what a Server is made of. API, GraphQL and Log are required.
type Options struct {
	API     http.Handler            // serves /api/v1 and all below; sees the whole path
	GraphQL http.Handler            // serves /graphql
	Pages   map[string]http.Handler // further paths: "/docs" is one page, "/playground/" all below it as well

	OwnsHost func(ctx context.Context, host string) bool // is this lower-case host a tenant's domain or below one? nil: none is
	Ready    func(ctx context.Context) error             // may requests come? nil: always

	Origins        []origin.Origin // origins CORS allows beside tenants' and loopback
	TrustedProxies []netip.Prefix  // peers whose X-Forwarded-For is believed
	Log            *slog.Logger
	Metrics        *prometheus.Registry // where the server registers its metrics; nil: one of its own

	MaxRunning int // requests worked on at once; 0: 1024
}

// Server answers every request of the service. It is an http.Handler; Serve gives it a listener.
type Server struct {
	doors     http.Handler
	ready     func(ctx context.Context) error
	readiness singleflight.Group
	stopping  atomic.Bool
	proxies   []netip.Prefix
	log       *slog.Logger
	registry  *prometheus.Registry
	metrics   metrics
}

// New puts the service together. It panics on a page whose path is taken or malformed, as http.ServeMux does.
func New(o Options) *Server {
	s := &Server{
		ready:    o.Ready,
		proxies:  o.TrustedProxies,
		log:      slog.New(WithRequestID(o.Log.Handler())),
		registry: o.Metrics,
	}
	if s.registry == nil {
		s.registry = prometheus.NewRegistry()
	}
	s.metrics = newMetrics(s.registry)
	running := newPlaces(o.MaxRunning)
	s.doors = allowOrigins(o, s.paths(o, func(door http.Handler) http.Handler { return running.limit(compress(door)) }))
	return s
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	r, end := s.begin(w, r)
	defer end()
	a := &answer{ResponseWriter: w}
	s.metrics.running.Inc()
	defer s.observe(a, r, start)
	defer s.recover(a, r)
	s.doors.ServeHTTP(a, r)
}
