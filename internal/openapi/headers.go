package openapi

// sharedHeaders are the answer headers that are described.
func sharedHeaders() ordered[header] {
	text := func(description string, always bool) header {
		return header{Description: description, Required: always, Schema: &jsonSchema{Type: types{"string"}}}
	}
	seconds := int64(1)
	return ordered[header]{
		{"Cache-Control", text("`public, no-cache`: anyone may keep the answer and ask each time whether it is still true.", true)},
		{"ETag", text("Names this very answer; send it back as If-None-Match.", true)},
		{"Retry-After", header{
			Description: "When it makes sense to try again, in seconds.",
			Schema:      &jsonSchema{Type: types{"integer"}, Minimum: &seconds},
		}},
		{"X-Request-Id", text("Names the request: what the client sent as X-Request-Id, where that has a usable form.", true)},
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

// headers refers to shared headers.
func headers(names ...string) ordered[header] {
	var refs ordered[header]
	for _, name := range names {
		*refs.at(name) = header{Ref: "#/components/headers/" + name}
	}
	return refs
}
