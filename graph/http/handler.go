// Package http speaks GraphQL over HTTP: it reads a request (request.go), agrees with the client on a media type, has
// package engine run the operation, and writes the answer or what refuses it (handler.go), as server-sent events at
// /graphql/stream (live.go).
package http

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/graph/document"
	"storefront/graph/engine"
	"storefront/internal/fault"
	"storefront/internal/locale/language"
	"storefront/internal/platform/idempotency"
	"storefront/internal/platform/share"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
)

// Handler serves the GraphQL API over HTTP: POST of a JSON object with query, operationName, variables and
// extensions, and GET of queries with the same in the query string, as GraphQL over HTTP has it.
type Handler struct {
	engine    *engine.Engine
	Documents *document.Cache // of clients
	updating  *share.Slots    // limits how many updates of subscriptions are computed at once
}

// NewHandler makes the handler of /graphql.
func NewHandler(e *engine.Engine) *Handler {
	return &Handler{engine: e, Documents: document.NewCache(e.Documents),
		updating: share.New(mostUpdates, mostUpdates)}
}

// ServeHTTP answers a request to /graphql. Subscriptions are answered by ServeLive.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Pattern = "/graphql"
	mediaType, ok := negotiate(r.Header.Values("Accept"))
	if !ok {
		err := fault.New(fault.BadRequest, "answers are application/graphql-response+json or application/json")
		writeResult(w, r, mediaType, http.StatusNotAcceptable, engine.Refused(err))
		return
	}
	sent, err := readRequest(w, r)
	if err != nil {
		writeResult(w, r, mediaType, statusOf(err), engine.Refused(err))
		return
	}
	o := h.run(r, sent, mediaType)
	if o.Public != nil {
		free, err := o.Hold(r.Context())
		if err != nil {
			answer(w, r, mediaType, engine.Refused(err))
			return
		}
		defer free()
		w.Header().Add("Vary", "Accept")
		request.Language(r.Context()).Label(w.Header())
		o.Public.Write(w, r, mediaType+"; charset=utf-8")
		return
	}
	answer(w, r, mediaType, o)
}

// answer writes a result that is not public, with the status that belongs to the media type.
func answer(w http.ResponseWriter, r *http.Request, mediaType string, o engine.Result) {
	status := http.StatusOK
	switch {
	case o.Data != nil:
	case fault.Is(o.Errors[0], fault.PersistedQueryNotFound): // else clients would assume a failure
	case fault.Is(o.Errors[0], fault.MethodNotAllowed):
		w.Header().Set("Allow", http.MethodPost)
		status = http.StatusMethodNotAllowed
	case mediaType == responseJSON:
		status = statusOf(o.Errors[0])
	}
	writeResult(w, r, mediaType, status, o)
}

// run runs the requested operation.
func (h *Handler) run(r *http.Request, sent sentRequest, mediaType string) engine.Result {
	call, errs := h.call(r, sent)
	if len(errs) > 0 {
		return engine.Result{Errors: errs}
	}
	operation := call.Operation
	if operation.Definition.Operation == ast.Subscription {
		return engine.Refused(fault.New(fault.BadRequest, "subscriptions are answered at /graphql/stream"))
	}
	if operation.Definition.Operation == ast.Query && operation.Public() && !operation.HasSecret {
		call.Name = "graphql " + mediaType + " " + string(sent.hash[:]) + operation.Definition.Name + ";"
		call.Finish = func(data json.RawMessage, inLanguage string) *wire.Public {
			return wire.NewPublic(appendData(append(make([]byte, 0, len(data)+envelopeBytes), '{'), data),
				[]byte(mediaType), []byte(inLanguage))
		}
	}
	return h.engine.Do(call)
}

// call returns the call of the requested operation.
func (h *Handler) call(r *http.Request, sent sentRequest) (engine.Call, gqlerror.List) {
	parsed, errs := h.Documents.Get(sent.hash, sent.source)
	if len(errs) > 0 {
		return engine.Call{}, errs
	}
	operation, err := sent.operation(parsed)
	if err != nil {
		return engine.Call{}, engine.Refused(err).Errors
	}
	return engine.Call{
		Request: r, Operation: operation, Dialect: document.Dialect{Singles: true},
		Read: func() (engine.Input, error) { return engine.Input{Values: sent.variables, What: sent.what()}, nil },
	}, nil
}

const envelopeBytes = len(`{"data":}`)

// appendData appends the end of an envelope.
func appendData(body []byte, data json.RawMessage) []byte {
	return append(append(append(body, `"data":`...), data...), '}')
}

// retryAfter returns after how many seconds the client may retry, or 0 if that is unknown.
func retryAfter(errs gqlerror.List) (seconds int) {
	for _, err := range errs {
		if known, ok := errors.AsType[*fault.Error](err); ok {
			seconds = max(seconds, known.RetrySeconds())
		}
	}
	return seconds
}

// statusOf returns the HTTP status of a request that could not be read.
func statusOf(err error) int {
	switch code := fault.From(err).Code; code {
	case fault.MethodNotAllowed, fault.UnsupportedMediaType, fault.RequestTimeout, fault.PayloadTooLarge,
		fault.Unavailable:
		return wire.Status(code)
	}
	return http.StatusBadRequest
}

// envelope returns the JSON of a result that is not public, with errors in the language of the reader. It has
// no data if nothing was executed.
func envelope(r *http.Request, o engine.Result) []byte {
	body := append(make([]byte, 0, len(o.Data)+envelopeBytes), '{')
	if len(o.Errors) > 0 {
		request.Of(r.Context()).Note.Answers(string(fault.From(o.Gravest()).Code), len(o.Errors))
		written, _ := json.Marshal(translated(request.Language(r.Context()), o.Errors))
		body = append(append(body, `"errors":`...), written...)
		if o.Data != nil {
			body = append(body, ',')
		}
	}
	if o.Data != nil {
		body = appendData(body, o.Data)
	} else {
		body = append(body, '}')
	}
	return body
}

// translated returns errors in the language of the reader. Errors of the parser stay English: they are for
// the engineer who wrote the document.
func translated(reader *language.Reader, errs gqlerror.List) gqlerror.List {
	translated := make(gqlerror.List, len(errs))
	for i, e := range errs {
		translated[i] = e
		if known, ok := errors.AsType[*fault.Error](e); ok && !known.IsForeign() {
			translated[i] = document.ErrorOf(reader.Error(known), e.Path)
		}
	}
	return translated
}

// writeResult writes the envelope of a result that is not public.
func writeResult(w http.ResponseWriter, r *http.Request, mediaType string, status int, o engine.Result) {
	body := envelope(r, o)
	h := w.Header()
	h.Add("Vary", "Accept")
	request.Language(r.Context()).Label(h)
	if o.Replayed {
		h.Set(idempotency.ReplayedHeader, "true")
	}
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", mediaType+"; charset=utf-8")
	if seconds := retryAfter(o.Errors); seconds > 0 {
		h.Set("Retry-After", strconv.Itoa(seconds))
	}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

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
