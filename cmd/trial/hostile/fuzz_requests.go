package hostile

import "context"

// fuzzRoutes sends a random request to a random route, signed in or out, at times by another method.
func fuzzRoutes(ctx context.Context, w *attacker) {
	c := w.elsewhere()
	c.Token = pick(w.random, []string{"", w.fuzz.token, w.fuzz.token, "x.y.z"})
	route := pick(w.random, w.fuzz.routes)
	method := route.Method
	if w.random.IntN(20) == 0 {
		method = pick(w.random, []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
			"TRACE", "BREW"})
	}
	var headers []string
	for name, values := range oddHeaders {
		if w.random.IntN(15) == 0 {
			headers = append(headers, name, pick(w.random, values))
		}
	}
	c.Send(ctx, method, w.fuzz.target(w.random, route), w.fuzz.body(w.random, route), headers...)
}

var oddHeaders = map[string][]string{
	"Accept":          {"text/html", "*/*", "application/json;q=0", "x"},
	"Accept-Encoding": {"gzip", "identity;q=0", "*;q=0"},
	"Accept-Language": {"fa", "en", "fa-IR,en;q=0.5", "*", "xx-yy-zz;q=9"},
	"Content-Type":    {"text/plain", "application/json; charset=latin1", "multipart/form-data", "x"},
	"Idempotency-Key": {"a", "b", "", "\u00e9"},
	"If-None-Match":   {"*", `"x"`, `W/"x"`, "x"},
	"Origin":          {"null", "https://" + market, "http://[::1"},
	"X-Api-Key":       {"x"},
	"X-Forwarded-For": {"127.1.0.1", "::1", "x"},
	"X-Request-Id":    {"mine", "\u00e9"},
}

// fuzzDocuments sends a random document of the schema, at times damaged.
func fuzzDocuments(ctx context.Context, w *attacker) {
	c := w.elsewhere()
	c.Token = pick(w.random, []string{"", w.fuzz.token})
	text := w.fuzz.document(w.random)
	if w.random.IntN(8) == 0 {
		at := w.random.IntN(len(text))
		text = text[:at] + pick(w.random, []string{"", "{", "}", "$", "...", "@skip(if: true)", "\"", "#",
			"\x00"}) + text[at:]
	}
	c.Ask(ctx, text, map[string]any{"a": w.fuzz.value(w.random)})
}
