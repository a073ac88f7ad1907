package rest

import (
	"net/http"
	"net/url"
	"strings"

	"storefront/internal/fault"
	"storefront/internal/platform/wire"
)

// statusesOf holds, by operation, the codes that have another status there than elsewhere.
var statusesOf = map[string]map[fault.Code]int{
	"LoginOtp": {fault.InvalidCode: http.StatusUnauthorized, fault.NoAccount: http.StatusUnauthorized},
}

// StatusOf returns the HTTP status of an error code on the route.
func (r Route) StatusOf(code fault.Code) int {
	if status, other := statusesOf[r.Operation][code]; other {
		return status
	}
	return wire.Status(code)
}

// writeError answers with an error of the route.
func (e *endpoint) writeError(w http.ResponseWriter, r *http.Request, err error) {
	known := fault.From(err).Renamed(func(member string) string {
		return strings.TrimPrefix(member, BodyVariable+".")
	})
	if known.MovedTo != "" {
		w.Header().Set("Location", e.movedTo(r, known.MovedTo))
		wire.WriteErrorStatus(w, r, known, http.StatusMovedPermanently)
		return
	}
	wire.WriteErrorStatus(w, r, known, e.StatusOf(known.Code))
}

// movedTo returns the address of a request with another slug. It is relative to the request's own address,
// because a proxy may have removed a prefix of that.
func (e *endpoint) movedTo(r *http.Request, slug string) string {
	_, rest, _ := strings.Cut(e.Path, "{slug}")
	behind := strings.Count(rest, "/") // segments behind the slug
	path, isFolder := strings.CutSuffix(r.URL.EscapedPath(), "/")
	segments := strings.Split(path, "/")
	segments = append([]string{url.PathEscape(slug)}, segments[len(segments)-behind:]...)
	up := behind
	if isFolder {
		up++
	}
	moved := "./" + strings.Repeat("../", up) + strings.Join(segments, "/")
	if r.URL.RawQuery != "" {
		moved += "?" + r.URL.RawQuery
	}
	return moved
}
