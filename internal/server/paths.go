package server

import (
	"net/http"
	"strings"

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
