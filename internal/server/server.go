// Package server is the outermost layer of the service: one http.Handler around the REST and GraphQL
// handlers, which package app passes to it, and the listeners it serves on. It knows HTTP and nothing of
// shops.
//
// A request passes, from the outside in: request id, language, client address and deadline (begin.go),
// access log and metrics (observe.go), recovery from panics, the limit on heads (head.go), CORS
// (cors.go), the limit on concurrent requests (places.go), gzip (answer.go), and then its handler (paths.go).
// serve.go opens the listeners, limits connections (connections.go) and stops the service.
//
// A handler needs nothing of this package: RemoteAddr of the request is the client's address, even behind
// trusted proxies; the header X-Request-Id of the response is already set; the context ends when the
// request's time is over. In return a handler sets r.Pattern to its route, as http.ServeMux does, on the
// *http.Request it was given, for log and metrics.
package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/singleflight"

	"storefront/internal/fault"
	"storefront/internal/platform/tracing"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
	"storefront/internal/server/origin"
)

// Handlers are what a server answers with. API and GraphQL are required.
type Handlers struct {
	API     http.Handler            // serves /api/v1 and all below; sees the whole path
	GraphQL http.Handler            // serves /graphql
	Live    http.Handler            // serves /graphql/stream: answers may last until the server stops
	Streams map[string]http.Handler // what is below streamPaths: bodies and answers may take minutes
	Pages   map[string]http.Handler // further paths: "/docs" or "/" is one page, "/playground/" all below it as well

	// OwnsHost reports whether a lower-case host is the domain of a tenant or a subdomain of one; nil: none
	// is.
	OwnsHost func(ctx context.Context, host string) bool
	Ready    func(ctx context.Context) Readiness // what requests can be served; nil: all
}

// Options are the settings of a Server. Log is required.
type Options struct {
	Handlers // of New; Starting leaves them to Open

	Origins        []origin.Origin // origins that CORS allows in addition to tenants' and loopback
	Headers        []string        // request headers that CORS allows in addition to the usual ones
	TrustedProxies []netip.Prefix  // peers whose X-Forwarded-For is believed
	Log            *slog.Logger
	Database       string               // what the log calls the database; it holds no secret
	Metrics        *prometheus.Registry // where the server registers its metrics; nil: one of its own

	Clock     func() time.Time // by which requests arrive; nil: the real one
	Tracer    *tracing.Tracer  // makes a span of each request; nil: none
	DrainTime time.Duration    // how long the server still accepts requests while it is not ready any more

	MaxConnections int // open at once; 0: 8192
	MaxRunning     int // requests worked on at once; 0: 1024
}

// Server answers every request of the service. It is an http.Handler; Serve gives it a listener.
type Server struct {
	endpoints atomic.Pointer[endpoints]
	opened    chan struct{} // closed when the handlers are added
	readiness singleflight.Group
	stopping  atomic.Bool
	ending    context.Context // ends when the server begins to stop
	endLive   func()
	o         Options
	metrics   metrics
}

// endpoints are the handlers of a server, and the check whether they can be used.
type endpoints struct {
	http.Handler
	ready func(ctx context.Context) Readiness
}

// Starting returns a server without its handlers, which Open adds: until then /healthz is 200, and
// everything else 503.
func Starting(o Options) *Server {
	o.Log = slog.New(WithRequestID(o.Log.Handler()))
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Metrics == nil {
		o.Metrics = prometheus.NewRegistry()
	}
	s := &Server{opened: make(chan struct{}), o: o, metrics: newMetrics(o.Metrics, o.Clock)}
	s.ending, s.endLive = context.WithCancel(context.Background())
	closed := s.paths(Handlers{}, func(h http.Handler) http.Handler { return h }, notStarted)
	s.endpoints.Store(&endpoints{closed, func(context.Context) Readiness {
		return Readiness{Reads: errStarting, Writes: errStarting, Cause: "starting"}
	}})
	return s
}

var errStarting = errors.New("the service is starting: the database is being opened or migrated")

// notStarted answers all paths while the service starts: which of them exist is known once the handlers are
// added.
func notStarted(w http.ResponseWriter, r *http.Request) {
	wire.WriteError(w, r, fault.New(fault.Unavailable, "the server is starting; try again in a moment").
		After(time.Second))
}

// Registry returns the registry of the service's metrics.
func (s *Server) Registry() *prometheus.Registry { return s.o.Metrics }

// Open adds the handlers to a server that is starting. It panics on a page whose path is taken or malformed, as
// http.ServeMux does.
func (s *Server) Open(h Handlers) {
	running := newPlaces(s.o.MaxRunning)
	around := func(h http.Handler) http.Handler { return running.limit(compress(h)) }
	o := s.o
	o.Handlers = h
	s.endpoints.Store(&endpoints{limitHead(allowOrigins(o, s.paths(h, around, notFound))), h.Ready})
	close(s.opened)
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	r, body, pace, end := s.begin(w, r)
	defer end()
	a := &answer{ResponseWriter: w, body: body, pace: pace, head: r.Method == http.MethodHead, mustClose: mustClose(r),
		stopping: s.stopping.Load, noted: request.Of(r.Context()).Note}
	s.metrics.running.Inc()
	defer s.observe(a, r, start)
	defer a.finish()
	defer s.recover(a, r)
	s.endpoints.Load().ServeHTTP(a, r)
}
