package describe

import "strings"

// sharedHeaders returns the components of the answer headers.
func sharedHeaders() ordered[header] {
	text := func(description string) header {
		return header{Description: description, Required: true, Schema: &jsonSchema{Type: types{"string"}}}
	}
	fixed := func(value, description string) header {
		h := text(description)
		h.Schema.Enum = []string{value}
		return h
	}
	replayed := fixed("true",
		"The answer is the stored one of an earlier request with the same Idempotency-Key; absent otherwise.")
	replayed.Required = false
	seconds := int64(1)
	mayCache := text("Whether anyone may keep the answer and ask each time whether it is still true.")
	mayCache.Schema.Enum = []string{"public, no-cache", "no-store"}
	return ordered[header]{
		{"Cache-Control",
			fixed("public, no-cache", "Anyone may keep the answer and ask each time whether it is still true.")},
		{"No-Store", fixed("no-store", "Nobody may keep the answer.")},
		{"Content-Language",
			text("The language of the messages in the answer: en or fa, as Accept-Language asks.")},
		{"Location", text("Where the record is by the slug that it has now, relative to the asked address.")},
		{"ETag", text("Names this very answer; send it back as If-None-Match.")},
		{"May-Cache-Control", mayCache},
		{"May-ETag", header{
			Description: "Names this very answer, as ETag does; absent where nobody may keep it.",
			Schema:      &jsonSchema{Type: types{"string"}},
		}},
		{"Retry-After", header{
			Description: "When it makes sense to try again, in seconds.",
			Required:    true,
			Schema:      &jsonSchema{Type: types{"integer"}, Minimum: &seconds},
		}},
		{"May-Retry-After", header{
			Description: "When it makes sense to try again, in seconds; absent where nobody can tell.",
			Schema:      &jsonSchema{Type: types{"integer"}, Minimum: &seconds},
		}},
		{"WWW-Authenticate", fixed("Bearer", "The scheme of credentials that the service knows.")},
		{"Idempotent-Replayed", replayed},
		{"X-Request-Id",
			text("Names the request: what the client sent as X-Request-Id, where that has a usable form.")},
	}
}

// sharedParameters returns the components of the request headers.
func sharedParameters() ordered[parameter] {
	shortest, longest := int64(1), int64(255)
	return ordered[parameter]{
		{"If-None-Match", parameter{
			Name:        "If-None-Match",
			In:          "header",
			Description: "ETags of answers the client has. The answer is 304 where one of them is still true.",
			Schema:      &jsonSchema{Type: types{"string"}},
		}},
		{"Idempotency-Key", parameter{
			Name: "Idempotency-Key",
			In:   "header",
			Description: "Any text of the client's choice, such as a UUID, for one request and its repetitions: " +
				"the same JSON with the same key is done once, " +
				"and gets the same answer again for 24 hours. Errors are not stored. With other JSON it is 422. " +
				"While the first request is still being worked on the next one waits for it, and is 409 in the end.",
			Schema: &jsonSchema{Type: types{"string"}, Pattern: "^[!-~]+$", MinLength: &shortest,
				MaxLength: &longest},
		}},
	}
}

// headers returns references to shared headers. No-Store is a Cache-Control with another value; the prefix
// May- marks a header that some of the answers lack or have with another value.
func headers(shared ...string) ordered[header] {
	var refs ordered[header]
	for _, name := range shared {
		ref := header{Ref: "#/components/headers/" + name}
		switch name {
		case "No-Store":
			name = "Cache-Control"
		default:
			name = strings.TrimPrefix(name, "May-")
		}
		*refs.at(name) = ref
	}
	return refs
}

// The security schemes: of a signed-in customer, and of a partner's server.
const (
	bearerAuth = "bearerAuth"
	apiKey     = "apiKey"
)

func securitySchemes() ordered[securityScheme] {
	return ordered[securityScheme]{
		{bearerAuth, securityScheme{
			Type: "http", Scheme: "bearer", BearerFormat: "JWT",
			Description: "The accessToken that a sign-in gives, as `Authorization: Bearer`.",
		}},
		{apiKey, securityScheme{
			Type: "apiKey", In: "header", Name: "X-Api-Key",
			Description: "A partner's key, for server-to-server use only: it must never be placed in browser code.",
		}},
	}
}
