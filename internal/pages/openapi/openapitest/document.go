// Package openapitest checks answers of the service against its OpenAPI document. It is strict both ways: a
// document with anything that the package does not understand fails to load, and an answer with anything
// undocumented fails.
package openapitest

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/go-json-experiment/json"
)

// Document is an OpenAPI document whose parts agree with each other.
type Document struct {
	document
	routes     *http.ServeMux
	operations map[string]*operation // by pattern of routes
}

// Load parses a document. It fails if the text is not an OpenAPI 3.1 document of the members that this
// package understands, if a reference has no target, or if parts contradict each other; the error names all
// that is wrong.
func Load(text []byte) (*Document, error) {
	d := &Document{routes: http.NewServeMux(), operations: map[string]*operation{}}
	if err := json.Unmarshal(text, &d.document, json.RejectUnknownMembers(true)); err != nil {
		return nil, err
	}
	p := proof{document: &d.document}
	p.whole()
	if len(p.faults) > 0 {
		return nil, errors.New(strings.Join(p.faults, "\n"))
	}
	base, err := url.Parse(d.Servers[0].URL)
	if err != nil {
		return nil, err
	}
	below := (&url.URL{Path: "/openapi.json"}).ResolveReference(base).Path
	for path, item := range d.Paths {
		for method, o := range item {
			for _, end := range []string{"", "/{$}"} {
				pattern := strings.ToUpper(method) + " " + below + path + end
				d.routes.HandleFunc(pattern, http.NotFound)
				d.operations[pattern] = o
			}
		}
	}
	return d, nil
}

// Operations names the documented operations, each as its method and its path below the server's: "GET
// /cities/{cityId}".
func (d *Document) Operations() []string {
	var names []string
	for path, item := range d.Paths {
		for method := range item {
			names = append(names, strings.ToUpper(method)+" "+path)
		}
	}
	return names
}

// NeedsToken reports whether a documented operation requires an access token.
func (d *Document) NeedsToken(method, target string) bool {
	o, err := d.find(method, target)
	return err == nil && o != nil && len(o.Security) > 0
}

// find returns the operation that answers a request, or nil if no documented one does. GET operations answer
// HEAD. Paths that need cleaning (//, /..) match no operation.
func (d *Document) find(method, target string) (*operation, error) {
	r, err := http.NewRequest(method, target, nil)
	if err != nil {
		return nil, err
	}
	if clean := path.Clean(r.URL.Path); strings.TrimSuffix(r.URL.Path, "/") != strings.TrimSuffix(clean, "/") {
		return nil, nil
	}
	_, pattern := d.routes.Handler(r)
	return d.operations[pattern], nil
}

// deref returns the component that a reference names, or own if there is no reference.
func deref[T any](ref, kind string, own T, among map[string]T) (T, error) {
	if ref == "" {
		return own, nil
	}
	name, ok := strings.CutPrefix(ref, "#/components/"+kind+"/")
	found, known := among[name]
	if !ok || !known {
		return own, fmt.Errorf("%s leads nowhere", ref)
	}
	return found, nil
}
