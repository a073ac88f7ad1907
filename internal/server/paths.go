package server

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"storefront/internal/fault"
	"storefront/internal/platform/wire"
)

const (
	apiPath     = "/api/v1"
	graphqlPath = "/graphql"
	livePath    = "/healthz"
	readyPath   = "/readyz"

	liveStreamPath = graphqlPath + "/stream"
)

// paths routes each path to its handler, wrapped by around except for the health checks, and all others to
// otherwise. It never redirects: a trailing slash is accepted, and a path that net/http would clean is 404.
func (s *Server) paths(o Handlers, around func(http.Handler) http.Handler, otherwise http.HandlerFunc) http.Handler {
	mux := http.NewServeMux()
	page := func(path string, h http.Handler) {
		if path == "/" {
			mux.Handle("/{$}", h)
			return
		}
		if below, isTree := strings.CutSuffix(path, "/"); isTree {
			mux.Handle(below, h)
			mux.Handle(path, h)
			return
		}
		mux.Handle(path, h)
		mux.Handle(path+"/{$}", h)
	}
	page(livePath, readOnly(http.HandlerFunc(s.live)))
	page(readyPath, readOnly(http.HandlerFunc(s.isReady)))
	handler := func(h http.Handler) http.Handler {
		if h == nil {
			h = otherwise
		}
		return around(h)
	}
	api := handler(o.API)
	page(apiPath+"/", api)
	page(graphqlPath, handler(o.GraphQL))
	page(liveStreamPath, s.withStopping(handler(o.Live)))
	for _, path := range streamPaths {
		page(path, handler(o.Streams[path]))
	}
	for path, h := range o.Pages {
		page(path, around(h))
	}
	mux.HandleFunc("/", otherwise)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.EscapedPath(); {
		case !cleanPath(path):
			notFound(w, r)
		case strings.HasPrefix(path, apiPath+"/"): // it has a mux of its own
			api.ServeHTTP(w, r)
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// cleanPath reports whether an escaped path begins with "/", has no segment that is ".", ".." or empty (except at its
// end), and no escaped slash, which handlers would take for one between segments. "*" of OPTIONS and the empty path of
// CONNECT are not clean.
func cleanPath(path string) bool {
	if !strings.HasPrefix(path, "/") || strings.Contains(path, "//") || strings.Contains(path, "%2F") ||
		strings.Contains(path, "%2f") {
		return false
	}
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "." || segment == ".." {
			return false
		}
	}
	return true
}

func notFound(w http.ResponseWriter, r *http.Request) {
	err := fault.New(fault.NotFound, "there is nothing at this path; the API begins at %s and %s", apiPath, graphqlPath)
	wire.WriteError(w, r, err)
}

// readOnly passes GET and HEAD on to next and answers 405 to other methods.
func readOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			wire.WriteError(w, r, fault.New(fault.MethodNotAllowed, "only GET and HEAD are allowed here"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

const readyTime = 3 * time.Second // a database that takes longer to answer is not ready

// Readiness is what the service can do.
type Readiness struct {
	Reads, Writes error  // why requests that only read, or that write, cannot be answered; nil: they can
	Cause         string // of Writes, in a word that may be public
	Images        error  // why uploaded images are unavailable; everything else works without them
}

// states are the words of /readyz for a service that can read.
type states struct {
	Status string `json:"status"`
	Reads  string `json:"reads"`
	Writes string `json:"writes"`
	Cause  string `json:"cause,omitempty"`
	Images string `json:"images,omitempty"`
}

func (r Readiness) states() states {
	s := states{Status: "ready", Reads: "ready", Writes: "ready"}
	if r.Writes != nil {
		s.Writes, s.Cause = "unavailable", r.Cause
	}
	if r.Images != nil {
		s.Images = "unavailable"
	}
	return s
}

// live answers that the process is alive.
func (s *Server) live(w http.ResponseWriter, _ *http.Request) {
	writeState(w, map[string]string{"status": "ok"})
}

// isReady answers whether the service can serve requests that only read, or with ?for=writes those that write: 503
// UNAVAILABLE while the database is unreachable or lacks migrations, and from the moment the server begins to stop.
func (s *Server) isReady(w http.ResponseWriter, r *http.Request) {
	if s.stopping.Load() {
		wire.WriteError(w, r, fault.New(fault.Unavailable, "the server is stopping"))
		return
	}
	ready := s.checkReady(r.Context())
	failed := ready.Reads
	if r.URL.Query().Get("for") == "writes" {
		failed = ready.Writes
	}
	if why := ready.Writes; why != nil && why != errStarting { // while starting, the cause is logged elsewhere
		s.o.Log.LogAttrs(r.Context(), slog.LevelWarn, "not ready", slog.Any("cause", why),
			slog.Bool("reads", ready.Reads == nil))
	}
	if failed != nil {
		wire.WriteError(w, r, fault.Wrap(fault.Unavailable, failed, "the server is not ready (%s); its log says why",
			cmp.Or(ready.Cause, "failed")).After(time.Second))
		return
	}
	writeState(w, ready.states())
}

// checkReady runs one check for all concurrent requests, so that they cannot load the database.
func (s *Server) checkReady(ctx context.Context) Readiness {
	ready := s.endpoints.Load().ready
	if ready == nil {
		return Readiness{}
	}
	asked := s.readiness.DoChan("", func() (any, error) {
		checking, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTime)
		defer cancel()
		return ready(checking), nil
	})
	select {
	case told := <-asked:
		return told.Val.(Readiness)
	case <-ctx.Done():
		return Readiness{Reads: ctx.Err(), Writes: ctx.Err()}
	}
}

func writeState(w http.ResponseWriter, state any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	text, _ := json.Marshal(state) // a struct of texts
	_, _ = w.Write(text)
}
