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
		AllowedMethods:             allowedMethods,
		AllowedHeaders:             allowedHeaders(o),
		ExposedHeaders: []string{"ETag", "Retry-After", "X-Request-Id", "Idempotent-Replayed", "Age",
			"Warning"},
		MaxAge: 600, // seconds; our choice: a preflight every ten minutes
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
		asked := r.Header.Get("Access-Control-Request-Method")
		if r.Method == http.MethodOptions && asked != "" && w.Header().Get("Access-Control-Allow-Origin") == "" {
			o.Log.InfoContext(r.Context(), "preflight refused", "origin", shortened(r.Header.Get("Origin")),
				"reason", refusal(o, allowed(r), asked, r.Header.Get("Access-Control-Request-Headers")))
		}
	})
}

var allowedMethods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
}

// allowedHeaders returns the names of the request headers that pages may send beside those that are always
// allowed: what the API reads, what HTTP clients and browser tracing add to every request, and what the
// operator allows.
func allowedHeaders(o Options) []string {
	return append([]string{"Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "Last-Event-ID",
		"Accept-Language", "Cache-Control", "X-Requested-With",
		"X-Request-Id", "Traceparent", "Tracestate", "Baggage", "Sentry-Trace"}, o.Headers...)
}

// refusal returns why a preflight was refused, for the operator, who may not know the setting.
func refusal(o Options, originAllowed bool, method, headers string) string {
	if !originAllowed {
		return "the origin is no shop's, and not in CORS_ORIGINS"
	}
	if !slices.Contains(allowedMethods, method) {
		return "pages may not use the method " + shortened(method)
	}
	var foreign []string
	for name := range strings.SplitSeq(headers, ",") {
		if !slices.ContainsFunc(allowedHeaders(o), func(known string) bool { return strings.EqualFold(known, name) }) {
			foreign = append(foreign, name)
		}
	}
	return "not in CORS_HEADERS: " + shortened(strings.Join(foreign, ","))
}

// shortened returns a client's text cut for the log.
func shortened(sent string) string {
	const most = 200 // bytes
	if len(sent) > most {
		sent = sent[:most] + "…"
	}
	return strings.ToValidUTF8(sent, "?")
}

// allowedOrigins returns a function that reports whether the page that made a request may read the response:
// a page of a tenant's site (https on the default port), of the client's own machine, or of a configured
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
