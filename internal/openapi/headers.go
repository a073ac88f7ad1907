package openapi

// sharedHeaders are the answer headers that are described.
func sharedHeaders() ordered[header] {
	text := func(description string) header {
		return header{Description: description, Required: true, Schema: &jsonSchema{Type: types{"string"}}}
	}
	fixed := func(value, description string) header {
		h := text(description)
		h.Schema.Enum = []string{value}
		return h
	}
	seconds := int64(1)
	return ordered[header]{
		{"Cache-Control", fixed("public, no-cache", "Anyone may keep the answer and ask each time whether it is still true.")},
		{"No-Store", fixed("no-store", "Nobody may keep the answer.")},
		{"ETag", text("Names this very answer; send it back as If-None-Match.")},
		{"Retry-After", header{
			Description: "When it makes sense to try again, in seconds.",
			Required:    true,
			Schema:      &jsonSchema{Type: types{"integer"}, Minimum: &seconds},
		}},
		{"WWW-Authenticate", fixed("Bearer", "The scheme of credentials that the service knows.")},
		{"X-Request-Id", text("Names the request: what the client sent as X-Request-Id, where that has a usable form.")},
	}
}

// sharedParameters are the request headers that are described.
func sharedParameters() ordered[parameter] {
	return ordered[parameter]{{"If-None-Match", parameter{
		Name:        "If-None-Match",
		In:          "header",
		Description: "ETags of answers the client has. The answer is 304 where one of them is still true.",
		Schema:      &jsonSchema{Type: types{"string"}},
	}}}
}

// headers refers to shared headers. No-Store is another Cache-Control.
func headers(shared ...string) ordered[header] {
	var refs ordered[header]
	for _, name := range shared {
		ref := header{Ref: "#/components/headers/" + name}
		if name == "No-Store" {
			name = "Cache-Control"
		}
		*refs.at(name) = ref
	}
	return refs
}

// bearerAuth names how a signed-in customer shows who they are.
const bearerAuth = "bearerAuth"

func securitySchemes() ordered[securityScheme] {
	return ordered[securityScheme]{{bearerAuth, securityScheme{
		Type: "http", Scheme: "bearer", BearerFormat: "JWT",
		Description: "The accessToken that a sign-in gives, as `Authorization: Bearer`.",
	}}}
}
