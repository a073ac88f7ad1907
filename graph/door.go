package graph

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/internal/auth"
	"storefront/internal/fault"
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
	o := d.run(r.Context(), asked, CredentialsIn(r))
	status := http.StatusOK
	switch {
	case o.ran, errorsAre(o.errs, fault.PersistedQueryNotFound): // whose clients take another status for a broken server
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
	data   json.RawMessage // nil where nothing was executed
	errs   gqlerror.List
	ran    bool // else it was refused before anything was executed
	public bool // the same for everybody, and read only
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

// run runs what is asked.
func (d *Door) run(ctx context.Context, asked request, credentials auth.Credentials) outcome {
	documents, errs := d.documents.of(asked.hash, asked.source)
	if len(errs) > 0 {
		return outcome{errs: errs}
	}
	if documents == nil {
		return refused(fault.New(fault.PersistedQueryNotFound, "PersistedQueryNotFound")) // clients know it by these words
	}
	operation, err := documents.Operation(asked.operationName)
	if err != nil {
		return refused(err)
	}
	if asked.readOnly && operation.Definition.Operation != ast.Query {
		return refused(fault.New(fault.MethodNotAllowed, "a mutation must be sent by POST"))
	}
	ctx, err = d.engine.Admit(ctx, operation, credentials)
	if err != nil && fault.From(err).Code != fault.Unauthenticated { // that is an error of the fields that need a customer
		return refused(err)
	}
	variables, err := d.engine.Read(ctx, operation, asked.variables, Dialect{Singles: true}, nil)
	if err != nil {
		return refused(err)
	}
	if err := d.engine.withinLimits(operation, variables); err != nil {
		return refused(err)
	}
	data, errs := d.engine.Run(ctx, operation, variables)
	return outcome{data, errs, true, asked.readOnly && operation.Public()}
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

// answer writes the envelope. data is left out when nothing was executed. Whoever asks for public data may keep it and ask
// again whether it is still true; an error is no version of anything.
func answer(w http.ResponseWriter, r *http.Request, mediaType string, status int, o outcome) {
	body := []byte(`{`)
	if len(o.errs) > 0 {
		written, _ := json.Marshal(o.errs)
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
