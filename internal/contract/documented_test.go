package contract_test

import (
	"sync"
	"testing"

	"storefront/internal/openapi"
	"storefront/internal/openapi/openapitest"
	"storefront/rest"
)

// described is the OpenAPI document, which every answer must keep to.
var described = sync.OnceValues(func() (*openapitest.Document, error) {
	text, err := openapi.Document()
	if err != nil {
		return nil, err
	}
	return openapitest.Load(text)
})

// documented holds an answer against the OpenAPI document.
func documented(t testing.TB, method, path string, a answer) {
	t.Helper()
	document, err := described()
	if err != nil {
		t.Fatal(err)
	}
	if err := document.Answer(method, rest.Prefix+path, a.status, a.header, a.body); err != nil {
		t.Error(err)
	}
}
