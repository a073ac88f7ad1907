package contract_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"storefront/internal/openapi"
	"storefront/internal/openapi/openapitest"
	"storefront/rest"
)

// described is the OpenAPI document that every answer must follow.
var described = sync.OnceValues(func() (*openapitest.Document, error) {
	text, err := openapi.Document()
	if err != nil {
		return nil, err
	}
	return openapitest.Load(text)
})

// received reads a response and checks it against the OpenAPI document, whatever the test is about. Only
// answers over raw sockets and of handlers without a network are not read here.
func received(t testing.TB, response *http.Response) answer {
	t.Helper()
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Errorf("%s %s: %v", response.Request.Method, response.Request.URL, err)
		return answer{}
	}
	got := answer{response.StatusCode, response.Header, body}
	asked := response.Request
	// which is there where the path is sent byte for byte
	path := strings.TrimPrefix(asked.URL.RequestURI(), "http://"+asked.URL.Host)
	preflight := asked.Method == http.MethodOptions && asked.Header.Get("Access-Control-Request-Method") != ""
	if strings.HasPrefix(path, rest.Prefix+"/") && !preflight { // which browsers ask, of all paths alike
		documented(t, asked.Method, path, got)
	}
	return got
}

// documented checks an answer against the OpenAPI document.
func documented(t testing.TB, method, target string, a answer) {
	t.Helper()
	document, err := described()
	if err != nil {
		t.Error(err)
		return
	}
	body := a.body
	if a.header.Get("Content-Encoding") == "gzip" && method != http.MethodHead {
		body = unpack(t, body)
	}
	if err := document.Answer(method, target, a.status, a.header, body); err != nil {
		t.Errorf("%.600v", err)
	}
}
