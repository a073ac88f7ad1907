package server

import (
	"net/http"
	"slices"
	"strings"

	"github.com/rs/cors"

	"storefront/internal/server/origin"
)

// smsPath is called by servers only: pages of no origin may use it (contract 1.10).
const smsPath = "/api/v1/public/sms/send"

// allowOrigins answers preflights and names the allowed origins (contract 1.10).
func allowOrigins(o Options, next http.Handler) http.Handler {
	allowed := allowedOrigins(o)
	shared := cors.New(cors.Options{
		AllowOriginVaryRequestFunc: func(r *http.Request, _ string) (bool, []string) { return allowed(r), nil },
		AllowedMethods: []string{
			http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodDelete,
		},
		AllowedHeaders: []string{"Authorization", "Content-Type", "Idempotency-Key", "If-None-Match"},
		ExposedHeaders: []string{"ETag", "Retry-After", "X-Request-Id", "Idempotent-Replayed"},
		MaxAge:         600, // seconds; our choice: a preflight every ten minutes
	}).Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.TrimSuffix(r.URL.Path, "/") == smsPath {
			w.Header().Add("Vary", "Origin")
			next.ServeHTTP(w, r)
			return
		}
		if r.Method == http.MethodOptions {
			sortNames(r.Header, "Access-Control-Request-Headers")
		}
		shared.ServeHTTP(w, r)
	})
}

// allowedOrigins returns a function that reports whether the page that made a request may read the answer: a
// page of a tenant's site (https on the default port), of the reader's own machine, or of a configured
// origin.
func allowedOrigins(o Options) func(*http.Request) bool {
	return func(r *http.Request) bool {
		sent := r.Header["Origin"]
		if len(sent) != 1 {
			return false
		}
		from, err := origin.Parse(sent[0])
		if err != nil {
			return false
		}
		if from.Loopback() || slices.Contains(o.Origins, from) {
			return true
		}
		return from.Scheme == "https" && from.Port == "" && o.OwnsHost != nil &&
			o.OwnsHost(r.Context(), from.Host)
	}
}

// sortNames rewrites a list of header names the way browsers send it: in lower case, sorted, without
// duplicates. rs/cors accepts only that form, but other tools send others.
func sortNames(h http.Header, key string) {
	sent := h[key]
	if len(sent) == 0 {
		return
	}
	names := strings.Split(strings.ToLower(strings.Join(sent, ",")), ",")
	for i, name := range names {
		names[i] = strings.Trim(name, " \t")
	}
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
	h[key] = []string{strings.Join(names, ",")}
}
