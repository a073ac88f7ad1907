package http

import (
	"strings"

	"storefront/internal/platform/wire"
)

const (
	responseJSON = "application/graphql-response+json"
	plainJSON    = "application/json"
)

// negotiate chooses the media type of the answer by an Accept header (RFC 9110, 12.5.1): the one of higher
// quality, and plain JSON unless the client prefers or names the other. It reports false if the client
// accepts neither.
func negotiate(accept []string) (string, bool) {
	if strings.TrimSpace(strings.Join(accept, ",")) == "" {
		return plainJSON, true
	}
	ranges := wire.Qualities(accept)
	own, named := quality(ranges, responseJSON)
	plain, _ := quality(ranges, plainJSON)
	if own > plain || own == plain && named && own > 0 {
		return responseJSON, true
	}
	return plainJSON, plain > 0
}

// quality returns the quality of a media type by its most specific range, and whether that range names the
// type.
func quality(ranges map[string]float64, media string) (q float64, named bool) {
	if q, named = ranges[media]; named {
		return q, true
	}
	if q, ok := ranges["application/*"]; ok {
		return q, false
	}
	return ranges["*/*"], false
}
