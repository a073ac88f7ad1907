package graph

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/internal/fault"
	"storefront/internal/idempotency"
	"storefront/internal/language"
	"storefront/internal/wire"
)

// Door serves the GraphQL API over HTTP: POST of a JSON object with query, operationName, variables and extensions, and GET
// of queries with the same in the query string, as GraphQL over HTTP has it.
type Door struct {
	engine    *Engine
	documents keptDocuments
}

// NewDoor makes the handler of /graphql.
func NewDoor(engine *Engine) *Door {
	return &Door{engine, newKeptDocuments(engine)}
}

func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Pattern = "/graphql"
	mediaType, ok := negotiate(r.Header.Values("Accept"))
	if !ok {
		answer(w, r, mediaType, http.StatusNotAcceptable, refused(fault.New(fault.BadRequest, "answers are application/graphql-response+json or application/json")))
		return
	}
	asked, err := read(w, r)
	if err != nil {
		answer(w, r, mediaType, statusOf(err), refused(err))
		return
	}
	o := d.run(r, asked)
	status := http.StatusOK
	switch {
	case o.data != nil, errorsAre(o.errs, fault.PersistedQueryNotFound): // whose clients take another status for a broken server
	case errorsAre(o.errs, fault.MethodNotAllowed):
		w.Header().Set("Allow", http.MethodPost)
		status = http.StatusMethodNotAllowed
	case mediaType == responseJSON:
		status = http.StatusBadRequest
	}
	answer(w, r, mediaType, status, o)
}

// outcome is what became of a request.
type outcome struct {
	data     json.RawMessage // nil where nothing was executed
	errs     gqlerror.List
	public   bool // the same for everybody, and read only
	replayed bool // it is the answer to an earlier request
}

// retryAfter is when it makes sense to try again what failed, in seconds; 0 says nothing.
func retryAfter(errs gqlerror.List) (seconds int) {
	for _, err := range errs {
		if known, ok := errors.AsType[*fault.Error](err); ok {
			seconds = max(seconds, known.RetrySeconds())
		}
	}
	return seconds
}

// run runs what is asked, or gives what was answered before.
func (d *Door) run(r *http.Request, asked request) outcome {
	documents, errs := d.documents.of(asked.hash, asked.source)
	if len(errs) > 0 {
		return outcome{errs: errs}
	}
	if documents == nil {
		return refused(fault.Foreign(fault.PersistedQueryNotFound, "PersistedQueryNotFound")) // clients know it by these words
	}
	operation, err := documents.Operation(asked.operationName)
	if err != nil {
		return refused(err)
	}
	if asked.readOnly && operation.Definition.Operation != ast.Query {
		return refused(fault.New(fault.MethodNotAllowed, "a mutation must be sent by POST"))
	}
	ctx, err := d.engine.Admit(r.Context(), operation, CredentialsIn(r))
	if err != nil && fault.From(err).Code != fault.Unauthenticated { // that is an error of the fields that need a customer
		return refused(err)
	}
	var bad fault.Fields
	key := operation.KeyIn(ctx, r, asked.body, &bad)
	variables, err := d.engine.Read(ctx, operation, asked.variables, Dialect{Singles: true}, bad)
	if err != nil {
		return refused(err)
	}
	if err := d.engine.withinLimits(operation, variables); err != nil {
		return refused(err)
	}
	data, replayed, errs := d.engine.RunOnce(ctx, operation, variables, key)
	return outcome{data, errs, asked.readOnly && operation.Public(), replayed}
}

func refused(err error) outcome {
	return outcome{errs: gqlerror.List{asGraphQL(fault.From(err), nil)}}
}

// statusOf is the HTTP status of a request that could not be read.
func statusOf(err error) int {
	switch fault.From(err).Code {
	case fault.MethodNotAllowed:
		return http.StatusMethodNotAllowed
	case fault.UnsupportedMediaType:
		return http.StatusUnsupportedMediaType
	case fault.PayloadTooLarge:
		return http.StatusRequestEntityTooLarge
	case fault.Unavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusBadRequest
}

func errorsAre(errs gqlerror.List, code fault.Code) bool {
	first, ok := errors.AsType[*fault.Error](errs[0])
	return ok && first.Code == code
}

// answer writes the envelope, its errors in the language of their reader. data is left out when nothing was executed. Whoever asks for public data may keep it and ask
// again whether it is still true; an error is no version of anything.
func answer(w http.ResponseWriter, r *http.Request, mediaType string, status int, o outcome) {
	reader := language.Of(r.Context())
	body := []byte(`{`)
	if len(o.errs) > 0 {
		written, _ := json.Marshal(readBy(reader, o.errs))
		body = append(append(body, `"errors":`...), written...)
	}
	if o.data != nil {
		if len(o.errs) > 0 {
			body = append(body, ',')
		}
		body = append(append(body, `"data":`...), o.data...)
	}
	body = append(body, '}')
	h := w.Header()
	h.Add("Vary", "Accept")
	reader.Label(h)
	if o.replayed {
		h.Set(idempotency.ReplayedHeader, "true")
	}
	if !o.public || len(o.errs) > 0 {
		h.Set("Cache-Control", "no-store")
	} else if wire.Known(w, r, []byte(mediaType), body) {
		return
	}
	h.Set("Content-Type", mediaType+"; charset=utf-8")
	if seconds := retryAfter(o.errs); seconds > 0 {
		h.Set("Retry-After", strconv.Itoa(seconds))
	}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
