package describe

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"storefront/internal/fault"
	"storefront/rest"
)

// failures adds the error answers of an operation: one for each status, with the codes that have it.
func (b *builder) failures(o *operation, route rest.Route, q query) {
	codes := map[int][]string{}
	for _, code := range b.codes(route, q) {
		status := route.StatusOf(code)
		codes[status] = append(codes[status], string(code))
	}
	if strings.Contains(route.Path, "{slug}") {
		*o.Responses.at("301") = b.moved()
	}
	for _, status := range slices.Sorted(maps.Keys(codes)) {
		*o.Responses.at(strconv.Itoa(status)) = b.failure(status, codes[status])
	}
}

// failure returns a reference to the shared answer for a status and its codes, such as
// BadRequestOrValidationFailed.
func (b *builder) failure(status int, codes []string) response {
	name := pascal(strings.Join(codes, "_OR_"))
	shared := b.responses.at(name)
	*shared = response{
		Description: strings.Join(codes, " or ") + ".",
		Headers:     headers("No-Store", "Content-Language", "X-Request-Id"),
		Content: content{media{Schema: b.component(name+"Error", "the error "+name, func() *jsonSchema {
			described := "An error of code " + strings.Join(codes, " or ") + "."
			return &jsonSchema{Description: described, AllOf: []*jsonSchema{
				b.component("Error", "the error", b.errorSchema),
				{Type: types{"object"},
					Properties: ordered[*jsonSchema]{{"code", &jsonSchema{Type: types{"string"}, Enum: codes}}}},
			}}
		})}},
	}
	switch {
	case status == http.StatusUnauthorized:
		shared.Headers = append(shared.Headers, headers("WWW-Authenticate")...)
	case slices.Contains(codes, string(fault.SMSUnavailable)): // repeating the request may send the message twice
		shared.Headers = append(shared.Headers, headers("May-Retry-After")...)
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		shared.Headers = append(shared.Headers, headers("Retry-After")...)
	}
	return response{Ref: "#/components/responses/" + name}
}

// moved returns a reference to the shared answer 301.
func (b *builder) moved() response {
	b.failure(http.StatusNotFound, []string{string(fault.NotFound)})
	shared := *b.responses.at("NotFound")
	shared.Description = "NOT_FOUND, since the record has another slug now: Location says where it is."
	shared.Headers = append(slices.Clone(shared.Headers), headers("Location")...)
	*b.responses.at("Moved") = shared
	return response{Ref: "#/components/responses/Moved"}
}

// notModified returns a reference to the shared answer 304.
func (b *builder) notModified() response {
	*b.responses.at("NotModified") = response{
		Description: "If-None-Match names the ETag of the answer: what the client has is still true.",
		Headers:     headers("ETag", "Cache-Control", "X-Request-Id"),
	}
	return response{Ref: "#/components/responses/NotModified"}
}

// pascal writes NOT_FOUND as NotFound.
func pascal(code string) string {
	var name strings.Builder
	for word := range strings.SplitSeq(strings.ToLower(code), "_") {
		name.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return name.String()
}

// errorSchema describes the one error body (contract 1.11).
func (b *builder) errorSchema() *jsonSchema {
	field := &jsonSchema{
		Type: types{"object"},
		Properties: ordered[*jsonSchema]{
			{"field",
				textOf("Dotted path as the client sent it, places in lists as numbers: `positivePoints.0`.")},
			{"message", textOf("What is wrong with it; reads after its name.")},
		},
		Required: []string{"field", "message"},
	}
	code := textOf("The kind of failure; decide by this.")
	code.Enum = everyCode()
	return &jsonSchema{
		Type:        types{"object"},
		Description: "What went wrong.",
		Properties: ordered[*jsonSchema]{
			{"statusCode", &jsonSchema{Type: types{"integer"}, Description: "The HTTP status."}},
			{"code", code},
			{"message", textOf("For people.")},
			{
				"errors",
				&jsonSchema{Type: types{"array"}, Items: field,
					Description: "With VALIDATION_FAILED every offending member or parameter, with NOT_FOUND " +
						"those with the id of nothing; with no other code."},
			},
			{"details", b.component("ErrorDetails", "the details of an error", b.detailsSchema)},
			{"requestId", textOf("Also in X-Request-Id; helps us find the request.")},
		},
		Required: []string{"statusCode", "code", "message", "requestId"},
	}
}

// cartName is the component of the fragment that answers with a cart.
const cartName = "Cart"

// detailsSchema describes the details that some codes add to the error, in one of two shapes.
func (b *builder) detailsSchema() *jsonSchema {
	short := b.component("ShortLine", "a short line", func() *jsonSchema {
		count := func(description string) *jsonSchema {
			return &jsonSchema{Type: types{"integer"}, Format: "int32", Description: description}
		}
		return &jsonSchema{
			Type:        types{"object"},
			Description: "A line of which there is less than asked for.",
			Properties: ordered[*jsonSchema]{
				{"storeItemVariantId", textOf("The variant.")},
				{"requested", count("Units that were asked for.")},
				{"available", count("Units that there are.")},
			},
			Required: []string{"storeItemVariantId", "requested", "available"},
		}
	})
	changed := b.component("ChangedCart", "a changed cart", func() *jsonSchema {
		return &jsonSchema{
			Type:        types{"object"},
			Description: "The cart with its prices of today.",
			Properties:  ordered[*jsonSchema]{{"cart", &jsonSchema{Ref: "#/components/schemas/" + cartName}}},
			Required:    []string{"cart"},
		}
	})
	return &jsonSchema{
		Description: "With INSUFFICIENT_STOCK, MAX_ORDER_QUANTITY_EXCEEDED and ITEM_UNAVAILABLE all " +
			"lines that are short, with PRICE_CHANGED the cart; with no other code.",
		OneOf: []*jsonSchema{{Type: types{"array"}, Items: short}, changed},
	}
}

// textOf returns the schema of a text.
func textOf(description string) *jsonSchema {
	return &jsonSchema{Type: types{"string"}, Description: description}
}
