package openapi

import (
	"net/http"
	"slices"
	"strings"

	"storefront/internal/fault"
	"storefront/rest"
)

// otherStatuses are the statuses beside success that a route answers with, in ascending order.
func otherStatuses(route rest.Route) []int {
	var statuses []int
	if route.Method == http.MethodGet {
		statuses = append(statuses, http.StatusNotModified)
	}
	statuses = append(statuses, http.StatusBadRequest)
	if strings.Contains(route.Path, "{") {
		statuses = append(statuses, http.StatusNotFound)
	}
	if route.HasBody() {
		statuses = append(statuses, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	return append(statuses, http.StatusInternalServerError, http.StatusServiceUnavailable)
}

// responseName names the shared answer of a status: NotFound.
func responseName(status int) string {
	return strings.ReplaceAll(http.StatusText(status), " ", "")
}

// other refers to the shared answer of a status that is no success.
func (b *builder) other(status int) response {
	name := responseName(status)
	if status == http.StatusNotModified {
		*b.responses.at(name) = response{
			Description: "If-None-Match names the ETag of the answer: what the client has is still true.",
			Headers:     headers("ETag", "Cache-Control", "X-Request-Id"),
		}
	} else {
		*b.responses.at(name) = response{
			Description: strings.Join(codesOf(status), " or ") + ".",
			Headers:     headers("X-Request-Id"),
			Content:     content{media{b.component("Error", "the error", errorSchema)}},
		}
	}
	if status == http.StatusServiceUnavailable {
		shared := b.responses.at(name)
		shared.Headers = append(shared.Headers, headers("Retry-After")...)
	}
	return response{Ref: "#/components/responses/" + name}
}

// codesOf gives the codes that REST answers with a status, or with any where the status is 0.
func codesOf(status int) []string {
	var codes []string
	for code, its := range rest.Statuses() {
		if (status == 0 || its == status) && !slices.Contains(graphQLOnly, code) {
			codes = append(codes, string(code))
		}
	}
	slices.Sort(codes)
	return codes
}

// graphQLOnly are the codes of documents that clients write, which REST has none of.
var graphQLOnly = []fault.Code{fault.ParseFailed, fault.DocumentInvalid, fault.LimitExceeded}

// errorSchema describes the one error body (contract 1, Errors).
func errorSchema() *jsonSchema {
	text := func(description string) *jsonSchema {
		return &jsonSchema{Type: types{"string"}, Description: description}
	}
	field := &jsonSchema{
		Type: types{"object"},
		Properties: ordered[*jsonSchema]{
			{"field", text("Dotted path as the client sent it, places in lists as numbers: `positivePoints.0`.")},
			{"message", text("What is wrong with it; reads after its name.")},
		},
		Required: []string{"field", "message"},
	}
	code := text("The kind of failure; decide by this.")
	code.Enum = codesOf(0)
	return &jsonSchema{
		Type:        types{"object"},
		Description: "What went wrong.",
		Properties: ordered[*jsonSchema]{
			{"statusCode", &jsonSchema{Type: types{"integer"}, Description: "The HTTP status."}},
			{"code", code},
			{"message", text("For people.")},
			{"errors", &jsonSchema{Type: types{"array"}, Items: field, Description: "Every offending member or parameter, for VALIDATION_FAILED alone."}},
			{"details", &jsonSchema{Type: types{"object", "array"}, Description: "What some codes add."}},
			{"requestId", text("Also in X-Request-Id; helps us find the request.")},
		},
		Required: []string{"statusCode", "code", "message", "requestId"},
	}
}
