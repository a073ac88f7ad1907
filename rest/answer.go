package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/graph/engine"
	"storefront/internal/platform/idempotency"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
)

// envelope is the JSON around the answer in the data of an operation: the names of the fields down to the one
// aliased `body`.
type envelope struct{ before, after int } // bytes

// envelopeOf returns the envelope of an operation. If no field is aliased `body`, the answer is the data
// itself.
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

// finish makes the answer of a public read, which is the same for everybody.
func (e *endpoint) finish(data json.RawMessage, inLanguage string) *wire.Public {
	return wire.NewPublic(e.envelope.open(data), []byte(inLanguage))
}

// AbsentIfNull holds, by operation, the last member of its answer where an answer may leave it out, which the
// specification does not name.
var AbsentIfNull = map[string]string{"LoginOtp": "message"}

// write writes the result of a call.
func (e *endpoint) write(w http.ResponseWriter, r *http.Request, result engine.Result) {
	h := w.Header()
	request.Language(r.Context()).Label(h)
	if result.Public != nil {
		free, err := result.Hold(r.Context())
		if err != nil {
			wire.WriteError(w, r, err)
			return
		}
		defer free()
		result.Public.Write(w, r, mediaType)
		return
	}
	if result.Replayed {
		h.Set(idempotency.ReplayedHeader, "true")
	}
	body := e.envelope.open(result.Data)
	if name := AbsentIfNull[e.Operation]; name != "" {
		if without, null := bytes.CutSuffix(body, []byte(`,"`+name+`":null}`)); null {
			body = append(slices.Clip(without), '}')
		}
	}
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", mediaType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(e.Status)
	_, _ = w.Write(body)
}

const mediaType = "application/json"
