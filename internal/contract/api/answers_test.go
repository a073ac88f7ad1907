package api_test

import (
	"net/http"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// as sends a body with a Content-Type, or without one if that is empty.
func as(t testing.TB, p *shoptest.Place, contentType, method, path, body string) shoptest.Answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, p.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	return p.Perform(t, request)
}
