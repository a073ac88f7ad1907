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
		asked, err := fromQuery(query)
		asked.readOnly = true
		return asked, err
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
	var asked sentRequest
	var bad fault.Fields
	extensions, ok := body["extensions"].(map[string]any)
	if !ok && body["extensions"] != nil {
		bad.Add("extensions", "must be an object")
	}
	persisted := extensions["persistedQuery"]
	asked.source, ok = body["query"].(string)
	if !ok && body["query"] != nil || asked.source == "" && persisted == nil {
		bad.Add("query", "must be a GraphQL document")
	}
	if asked.operationName, ok = body["operationName"].(string); !ok && body["operationName"] != nil {
		bad.Add("operationName", "must be a string")
	}
	if asked.variables, ok = body["variables"].(map[string]any); !ok && body["variables"] != nil {
		bad.Add("variables", "must be an object")
	}
	asked.hash = sha256.Sum256([]byte(asked.source))
	if persisted != nil {
		asked.persisted(&bad, persisted)
	}
	return asked, bad.Err()
}

// what returns what the request asks for: the same for a document and for its hash.
func (asked *sentRequest) what() any {
	what := map[string]any{"document": asked.hash[:], "operationName": asked.operationName}
	if len(asked.variables) > 0 {
		what["variables"] = asked.variables
	}
	return what
}

// persisted reads the extension persistedQuery, by which a client names a document by its hash (Apollo's
// protocol of automatic persisted queries, version 1). If the document is sent too, the hash must be its own.
func (asked *sentRequest) persisted(bad *fault.Fields, given any) {
	const path = "extensions.persistedQuery"
	named, ok := given.(map[string]any)
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
	case asked.source == "":
		asked.hash = document.Hash(hash)
	case document.Hash(hash) != asked.hash:
		bad.Add(path+".sha256Hash", "must be the SHA-256 of the query")
	}
}
