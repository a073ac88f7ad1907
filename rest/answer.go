package rest

import (
	"net/http"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/language"
	"storefront/internal/wire"
)

// envelope is what the data of an operation has around the answer: the names of the fields down to the one aliased `body`.
type envelope struct{ before, after int } // bytes

// envelopeOf finds the envelope of an operation. Where nothing is aliased `body`, the answer is the data itself.
func envelopeOf(selections ast.SelectionSet) envelope {
	before := 0
	for depth := 1; len(selections) == 1; depth++ {
		field, ok := selections[0].(*ast.Field)
		if !ok {
			break
		}
		before += len(`{"":`) + len(field.Alias)
		if field.Alias == "body" {
			return envelope{before, depth}
		}
		selections = field.SelectionSet
	}
	return envelope{}
}

// open cuts the answer out of the data.
func (e envelope) open(data []byte) []byte { return data[e.before : len(data)-e.after] }

// write answers with a body. Public reads may be kept by anyone who asks again whether they are still true.
func (e *endpoint) write(w http.ResponseWriter, r *http.Request, body []byte) {
	h := w.Header()
	if e.Method != http.MethodGet || !e.operation.Public() {
		h.Set("Cache-Control", "no-store")
	} else if wire.Known(w, r, body) {
		return
	}
	language.Of(r.Context()).Label(h)
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(e.Status)
	_, _ = w.Write(body)
}
