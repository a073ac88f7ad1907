package graph

import (
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/maypok86/otter/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/internal/fault"
	"storefront/internal/idempotency"
	"storefront/internal/wire"
)

// Door serves the GraphQL API over HTTP: POST of a JSON object with query, operationName and variables, and GET of queries
// with the same in the query string, as GraphQL over HTTP has it.
type Door struct {
	engine    *Engine
	documents *otter.Cache[string, *Documents] // parsed and valid, by source
}

// documentsKept bounds the sources of the documents that stay parsed, in bytes.
const documentsKept = 16 << 20

// NewDoor makes the handler of /graphql.
func NewDoor(engine *Engine) *Door {
	return &Door{engine, otter.Must(&otter.Options[string, *Documents]{
		MaximumWeight: documentsKept,
		Weigher:       func(source string, _ *Documents) uint32 { return uint32(len(source)) + 512 },
	})}
}

// request is what a client asks to be run.
type request struct {
	Query, OperationName string
	Variables            map[string]any
	body                 map[string]any // all of what was sent
}

func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Pattern = "/graphql"
	mediaType, ok := negotiate(r.Header.Values("Accept"))
	if !ok {
		refuse(w, mediaType, http.StatusNotAcceptable, fault.New(fault.BadRequest, "answers are application/graphql-response+json or application/json"))
		return
	}
	asked, err := read(w, r)
	if err != nil {
		refuse(w, mediaType, statusOf(err), err)
		return
	}
	data, replayed, errs := d.answer(r, asked)
	status := http.StatusOK
	if data == nil && errorsAre(errs, fault.MethodNotAllowed) {
		w.Header().Set("Allow", http.MethodPost)
		status = http.StatusMethodNotAllowed
	} else if data == nil && mediaType == responseJSON {
		status = http.StatusBadRequest
	}
	if replayed {
		w.Header().Set(idempotency.ReplayedHeader, "true")
	}
	answer(w, mediaType, status, data, errs)
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

// answer runs what is asked, or gives what was answered before. data is nil when it was refused before anything was executed.
func (d *Door) answer(r *http.Request, asked request) (data json.RawMessage, replayed bool, errs gqlerror.List) {
	refused := func(err error) (json.RawMessage, bool, gqlerror.List) {
		return nil, false, gqlerror.List{asGraphQL(fault.From(err), nil)}
	}
	documents, errs := d.parse(asked.Query)
	if len(errs) > 0 {
		return nil, false, errs
	}
	operation, err := documents.Operation(asked.OperationName)
	if err != nil {
		return refused(err)
	}
	if r.Method != http.MethodPost && operation.Definition.Operation != ast.Query {
		return refused(fault.New(fault.MethodNotAllowed, "a mutation must be sent by POST"))
	}
	ctx, err := d.engine.Admit(r.Context(), operation, CredentialsIn(r))
	if err != nil && fault.From(err).Code != fault.Unauthenticated { // that is an error of the fields that need a customer
		return refused(err)
	}
	var bad fault.Fields
	key := operation.KeyIn(ctx, r, asked.body, &bad)
	variables, err := d.engine.Read(ctx, operation, asked.Variables, Dialect{Singles: true}, bad)
	if err != nil {
		return refused(err)
	}
	if err := operation.withinLimits(variables); err != nil {
		return refused(err)
	}
	return d.engine.RunOnce(ctx, operation, variables, key)
}

func (d *Door) parse(source string) (*Documents, gqlerror.List) {
	if known, ok := d.documents.GetIfPresent(source); ok {
		return known, nil
	}
	documents, errs := d.engine.ParseForeign(source)
	if len(errs) == 0 {
		d.documents.Set(source, documents)
	}
	return documents, errs
}

// read finds what is asked in a request.
func read(w http.ResponseWriter, r *http.Request) (request, error) {
	switch r.Method {
	case http.MethodPost:
		if r.Header.Get("Content-Type") == "" { // a plain form of a foreign page could send it, so it must be said here
			return request{}, fault.New(fault.UnsupportedMediaType, "the body must be application/json")
		}
		body, err := wire.ReadObject(w, r)
		if err != nil {
			return request{}, err
		}
		return fromObject(body)
	case http.MethodGet, http.MethodHead:
		query, err := wire.ReadQuery(r)
		if err != nil {
			return request{}, err
		}
		return fromQuery(query)
	}
	w.Header().Set("Allow", "GET, HEAD, POST")
	return request{}, fault.New(fault.MethodNotAllowed, "this path takes GET, HEAD and POST")
}

// fromQuery reads the query string as strictly as a route of REST reads its own.
func fromQuery(query url.Values) (request, error) {
	body := map[string]any{}
	var bad fault.Fields
	for _, name := range []string{"query", "operationName", "variables", "extensions"} {
		switch given := query[name]; {
		case len(given) > 1:
			bad.Add(name, "must be given once")
		case len(given) == 0 || given[0] == "":
		case !utf8.ValidString(given[0]) || strings.ContainsRune(given[0], 0):
			bad.Add(name, "must be UTF-8 without U+0000")
		default:
			body[name] = given[0]
		}
	}
	if err := bad.Err(); err != nil {
		return request{}, err
	}
	for _, name := range []string{"variables", "extensions"} {
		if text, given := body[name].(string); given {
			object, err := wire.ParseObject(text)
			if err != nil {
				return request{}, err
			}
			body[name] = object
		}
	}
	return fromObject(body)
}

func fromObject(body map[string]any) (request, error) {
	asked := request{body: body}
	var bad fault.Fields
	var ok bool
	if asked.Query, ok = body["query"].(string); !ok || asked.Query == "" {
		bad.Add("query", "must be a GraphQL document")
	}
	if asked.OperationName, ok = body["operationName"].(string); !ok && body["operationName"] != nil {
		bad.Add("operationName", "must be a string")
	}
	if asked.Variables, ok = body["variables"].(map[string]any); !ok && body["variables"] != nil {
		bad.Add("variables", "must be an object")
	}
	if _, ok = body["extensions"].(map[string]any); !ok && body["extensions"] != nil {
		bad.Add("extensions", "must be an object")
	}
	return asked, bad.Err()
}

const (
	responseJSON = "application/graphql-response+json"
	plainJSON    = "application/json"
)

// negotiate chooses the media type of the answer; plain JSON where the client does not say. It is false where the client
// takes neither.
func negotiate(accept []string) (string, bool) {
	all := strings.Join(accept, ",")
	if strings.TrimSpace(all) == "" {
		return plainJSON, true
	}
	for given := range strings.SplitSeq(all, ",") {
		media, parameters, err := mime.ParseMediaType(given)
		if err != nil || parameters["q"] == "0" {
			continue
		}
		switch media {
		case responseJSON:
			return responseJSON, true
		case plainJSON, "application/*", "*/*":
			return plainJSON, true
		}
	}
	return plainJSON, false
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

func refuse(w http.ResponseWriter, mediaType string, status int, err error) {
	answer(w, mediaType, status, nil, gqlerror.List{asGraphQL(fault.From(err), nil)})
}

// answer writes the envelope. data is left out when nothing was executed.
func answer(w http.ResponseWriter, mediaType string, status int, data json.RawMessage, errs gqlerror.List) {
	body := []byte(`{`)
	if len(errs) > 0 {
		written, _ := json.Marshal(errs)
		body = append(append(body, `"errors":`...), written...)
	}
	if data != nil {
		if len(errs) > 0 {
			body = append(body, ',')
		}
		body = append(append(body, `"data":`...), data...)
	}
	body = append(body, '}')
	h := w.Header()
	h.Set("Content-Type", mediaType+"; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "Accept")
	if seconds := retryAfter(errs); seconds > 0 {
		h.Set("Retry-After", strconv.Itoa(seconds))
	}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
