package http

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/graph/document"
	"storefront/internal/fault"
	"storefront/internal/platform/wire"
)

// sentRequest is what a client asks the service to run.
type sentRequest struct {
	source        string // of the document; empty if only its hash is given
	hash          document.Hash
	operationName string
	variables     map[string]any
	readOnly      bool // a GET, which anyone on the way may repeat, so it must not change anything
}

// readRequest reads a request to /graphql.
func readRequest(w http.ResponseWriter, r *http.Request) (sentRequest, error) {
	switch r.Method {
	case http.MethodPost:
		if r.Header.Get("Content-Type") == "" { // a form on another site could send it, so the type is required
			return sentRequest{}, fault.New(fault.UnsupportedMediaType, "the body must be application/json")
		}
		body, err := wire.ReadObject(w, r)
		if err != nil {
			return sentRequest{}, err
		}
		return fromObject(body)
	case http.MethodGet, http.MethodHead:
		query, err := wire.ReadQuery(r, isParameter)
		if err != nil {
			return sentRequest{}, err
		}
		sent, err := fromQuery(query)
		sent.readOnly = true
		return sent, err
	}
	w.Header().Set("Allow", "GET, HEAD, POST")
	return sentRequest{}, fault.New(fault.MethodNotAllowed, "this path takes GET, HEAD and POST")
}

// parameters are the members of a request that a GET may have in its query string.
var parameters = []string{"query", "operationName", "variables", "extensions"}

func isParameter(name string) bool { return slices.Contains(parameters, name) }

// fromQuery reads a request from a query string, as strictly as REST does.
func fromQuery(query url.Values) (sentRequest, error) {
	body := map[string]any{}
	var bad fault.Fields
	for _, name := range parameters {
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
		return sentRequest{}, err
	}
	for _, name := range []string{"variables", "extensions"} {
		if text, given := body[name].(string); given {
			object, err := wire.ParseObject(text)
			if err != nil {
				return sentRequest{}, err
			}
			body[name] = object
		}
	}
	return fromObject(body)
}

func fromObject(body map[string]any) (sentRequest, error) {
	var sent sentRequest
	var bad fault.Fields
	extensions, ok := body["extensions"].(map[string]any)
	if !ok && body["extensions"] != nil {
		bad.Add("extensions", "must be an object")
	}
	persisted := extensions["persistedQuery"]
	sent.source, ok = body["query"].(string)
	if !ok && body["query"] != nil || sent.source == "" && persisted == nil {
		bad.Add("query", "must be a GraphQL document")
	}
	if sent.operationName, ok = body["operationName"].(string); !ok && body["operationName"] != nil {
		bad.Add("operationName", "must be a string")
	}
	if sent.variables, ok = body["variables"].(map[string]any); !ok && body["variables"] != nil {
		bad.Add("variables", "must be an object")
	}
	sent.hash = sha256.Sum256([]byte(sent.source))
	if persisted != nil {
		sent.persisted(&bad, persisted)
	}
	return sent, bad.Err()
}

// operation returns the requested operation of a document, which is nil if it is not known by its hash.
func (sent *sentRequest) operation(parsed *document.Document) (*document.Operation, error) {
	if parsed == nil { // clients recognize the error by this message
		return nil, fault.Foreign(fault.PersistedQueryNotFound, "PersistedQueryNotFound")
	}
	operation, err := parsed.Operation(sent.operationName)
	switch {
	case err != nil:
		return nil, err
	case sent.readOnly && operation.Definition.Operation == ast.Mutation:
		return nil, fault.New(fault.MethodNotAllowed, "a mutation must be sent by POST")
	case sent.readOnly && operation.HasSecret:
		return nil, fault.New(fault.MethodNotAllowed, "a secret must be sent by POST")
	case operation.Definition.Operation == ast.Subscription && !operation.HasOneField():
		// validation counts names, not aliases
		return nil, fault.New(fault.BadRequest, "a subscription must ask for one field")
	}
	return operation, nil
}

// what returns what the request asks for: the same for a document and for its hash.
func (sent *sentRequest) what() any {
	what := map[string]any{"document": sent.hash[:], "operationName": sent.operationName}
	if len(sent.variables) > 0 {
		what["variables"] = sent.variables
	}
	return what
}

// persisted reads the extension persistedQuery, by which a client names a document by its hash (Apollo's
// protocol of automatic persisted queries, version 1). If the document is sent too, the hash must be its own.
func (sent *sentRequest) persisted(bad *fault.Fields, extension any) {
	const path = "extensions.persistedQuery"
	named, ok := extension.(map[string]any)
	if !ok {
		bad.Add(path, "must be an object")
		return
	}
	if named["version"] != json.Number("1") {
		bad.Add(path+".version", "must be 1")
	}
	text, _ := named["sha256Hash"].(string)
	hash, err := hex.DecodeString(text)
	switch {
	case err != nil || len(hash) != sha256.Size:
		bad.Add(path+".sha256Hash", "must be a SHA-256 in 64 hexadecimal digits")
	case sent.source == "":
		sent.hash = document.Hash(hash)
	case document.Hash(hash) != sent.hash:
		bad.Add(path+".sha256Hash", "must be the SHA-256 of the query")
	}
}
