package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"storefront/internal/fault"
	"storefront/internal/platform/tracing"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
)

// observe logs and counts a finished request. It logs nothing that may be secret: no query, body or header,
// and of an unknown path only what cannot be a cell number or a token.
func (s *Server) observe(a *answer, r *http.Request, start time.Time) {
	s.metrics.running.Dec()
	status := a.seenStatus(r.Context())
	took := time.Since(start)
	method, route := methodName(r.Method), routeName(r.Pattern)
	noted := request.Of(r.Context()).Note.Read()
	s.metrics.count(method, route, status, took, noted)
	tracing.EndRequest(r.Context(), tracing.Answered{
		Method: method, Route: route, Status: status, RequestID: request.Of(r.Context()).ID, Operation: noted.Fields,
		Tenant: noted.Tenant, Code: noted.Code, Failed: status >= 500 || wire.Failed(fault.Code(noted.Code)),
	})

	level := slog.LevelInfo
	if isProbe(route) {
		level = slog.LevelDebug
	}
	ctx := r.Context()
	if !s.o.Log.Enabled(ctx, level) {
		return
	}
	place := slog.String("route", route)
	if route == otherName {
		place = slog.String("path", loggedPath(r.URL.Path))
	}
	attrs := append(make([]slog.Attr, 0, mostAttrs),
		slog.String("method", method),
		place,
		slog.Int("status", status),
		slog.Int64("bytes", a.bytes),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000),
		slog.String("client", host(r.RemoteAddr)),
	)
	if noted.Operation != "" || noted.Fields != "" {
		attrs = append(attrs, slog.String("operation", loggedPath(cmp.Or(noted.Operation, noted.Fields))))
	}
	if noted.Tenant != "" {
		attrs = append(attrs, slog.String(tenantName(noted.Tenant), noted.Tenant))
	}
	if noted.Database > 0 {
		attrs = append(attrs, slog.Float64("database_ms", float64(noted.Database.Microseconds())/1000))
	}
	if noted.Code != "" {
		attrs = append(attrs, slog.String("code", noted.Code))
	}
	if noted.Errors > 1 {
		attrs = append(attrs, slog.Int("errors", noted.Errors))
	}
	if a.aborted {
		attrs = append(attrs, slog.Bool("aborted", true))
	}
	s.o.Log.LogAttrs(ctx, level, "request", attrs...)
}

// isProbe reports whether a route is for operators and their probes.
func isProbe(route string) bool { return route == livePath || route == readyPath }

// tenantName returns the attribute name for a shop: tenant for its domain, or another one if only its id is
// known.
func tenantName(tenant string) string {
	if uuid.Validate(tenant) == nil {
		return "tenant_id"
	}
	return "tenant"
}

// mostAttrs is the maximum number of attributes of a line.
const mostAttrs = 12

// statusClientLeft is logged and counted for a request whose client closed the connection before the answer began. It
// is never sent, and says that nothing failed here; nginx uses the same number.
const statusClientLeft = 499

// seenStatus returns the status to log and count, 0 if the connection was cut before any. ctx is that of the
// request, which net/http cancels when the client closes the connection: what the handler then could not do
// is not a failure.
func (a *answer) seenStatus(ctx context.Context) int {
	left := errors.Is(ctx.Err(), context.Canceled)
	switch {
	case a.aborted:
		return a.status
	case left && (a.status == 0 || a.status == http.StatusServiceUnavailable):
		return statusClientLeft
	case a.status == 0:
		return http.StatusOK // net/http sends this for a handler that wrote nothing
	}
	return a.status
}

// otherName stands for every unknown method and path, so that clients cannot create new label values.
const otherName = "other"

func methodName(method string) string {
	if method == http.MethodOptions || slices.Contains(allowedMethods, method) {
		return method
	}
	return otherName
}

// routeName returns the path of a pattern of http.ServeMux, "GET /api/v1/cities/{id}" or "/graphql".
func routeName(pattern string) string {
	if _, path, found := strings.Cut(pattern, " "); found {
		pattern = path
	}
	pattern = strings.TrimSuffix(pattern, "/{$}") // with or without a final slash it is one route
	if pattern == "" || pattern == "/" {
		return otherName
	}
	return pattern
}

// sensitive matches text that may be a cell number (7 digits of any script with no letter or slash between) or a token
// (a long segment).
var sensitive = regexp.MustCompile(`\p{Nd}(?:[^\p{L}\p{Nd}/]*\p{Nd}){6,}|[^/]{41,}`)

func loggedPath(path string) string {
	const most = 200 // bytes
	if len(path) > most {
		path = path[:most]
	}
	if isHarmless(path) {
		return path
	}
	return sensitive.ReplaceAllString(strings.ToValidUTF8(path, "?"), "…")
}

// isHarmless reports whether a path is plain text that sensitive certainly does not match.
func isHarmless(path string) bool {
	digits, segment := 0, 0
	for _, b := range []byte(path) {
		segment++
		switch {
		case '0' <= b && b <= '9':
			digits++
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
			digits = 0
		case b == '/':
			digits, segment = 0, 0
		}
		if b >= utf8.RuneSelf || digits == 7 || segment == 41 {
			return false
		}
	}
	return true
}

// host returns the address without its port, which is of no use in the log.
func host(remote string) string {
	if addr, err := netip.ParseAddrPort(remote); err == nil {
		return addr.Addr().String()
	}
	return remote
}

// recover turns a panic into INTERNAL and logs its stack. If part of the response was sent it cuts the
// connection instead, so that the client does not mistake the part for the whole; http.ErrAbortHandler,
// which asks for that, is passed on.
func (s *Server) recover(a *answer, r *http.Request) {
	cause := recover()
	if cause == nil {
		return
	}
	if cause == http.ErrAbortHandler {
		a.aborted = true
		panic(cause)
	}
	s.o.Log.LogAttrs(r.Context(), slog.LevelError, "panic",
		slog.String("cause", fmt.Sprint(cause)), slog.String("stack", string(debug.Stack())))
	if a.status != 0 {
		a.aborted = true
		panic(http.ErrAbortHandler)
	}
	a.Header().Del("Content-Encoding")
	wire.WriteError(a, r, fault.From(fmt.Errorf("panic: %v", cause)))
}
