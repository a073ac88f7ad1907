package contract_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// wantFault checks a whole error of the contract: every member, the headers and, for VALIDATION_FAILED, the
// fields in any order.
func wantFault(t testing.TB, got answer, status int, code string, fields ...string) {
	t.Helper()
	if got.status != status {
		t.Errorf("status %d, want %d: %.300s", got.status, status, got.body)
		return
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "Cache-Control": "no-store", "ETag": "",
		"Content-Length": strconv.Itoa(len(got.body)),
	} {
		if is := got.header.Get(name); is != want {
			t.Errorf("%s is %q, want %q", name, is, want)
		}
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(got.body, &members); err != nil {
		t.Errorf("body %.300q: %v", got.body, err)
		return
	}
	want := []string{"code", "message", "requestId", "statusCode"}
	switch code {
	case "VALIDATION_FAILED":
		want = []string{"code", "errors", "message", "requestId", "statusCode"}
	case "INSUFFICIENT_STOCK", "MAX_ORDER_QUANTITY_EXCEEDED", "ITEM_UNAVAILABLE", "PRICE_CHANGED":
		want = []string{"code", "details", "message", "requestId", "statusCode"}
	}
	if names := slices.Sorted(maps.Keys(members)); !slices.Equal(names, want) {
		t.Errorf("members %v, want %v", names, want)
	}
	var e struct {
		StatusCode               int
		Code, Message, RequestID string
		Errors                   []struct{ Field, Message string }
	}
	if err := json.Unmarshal(got.body, &e); err != nil {
		t.Errorf("body %s: %v", got.body, err)
		return
	}
	if e.StatusCode != status || e.Code != code || e.Message == "" || e.RequestID == "" ||
		e.RequestID != got.header.Get("X-Request-Id") {
		t.Errorf("body %s, want %d %s with the request id %q", got.body, status, code,
			got.header.Get("X-Request-Id"))
	}
	var named []string
	for _, one := range e.Errors {
		named = append(named, one.Field)
		if one.Message == "" {
			t.Errorf("nothing is said of %q", one.Field)
		}
	}
	slices.Sort(named)
	slices.Sort(fields)
	if !slices.Equal(named, fields) {
		t.Errorf("fields %q, want %q: %s", named, fields, got.body)
	}
}

// wantStatus checks that an answer has a status, and is JSON.
func wantStatus(t testing.TB, got answer, status int) {
	t.Helper()
	if got.status != status || len(got.body) > 0 && !json.Valid(got.body) {
		t.Errorf("status %d, want %d: %.300s", got.status, status, got.body)
	}
}

// as sends a body under a Content-Type, or with none when that is empty.
func (p *place) as(t testing.TB, contentType, method, path, body string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	return p.perform(t, request)
}

// perform sends a request unchanged; it neither follows redirects nor unpacks gzip.
func (p *place) perform(t testing.TB, request *http.Request) answer {
	t.Helper()
	transport := &http.Transport{DisableCompression: true, DisableKeepAlives: true}
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	return received(t, response)
}

// at sends a request without a body to a path below the server's root, byte for byte; headers come in
// pairs.
func (p *place) at(t testing.TB, method, path string, headers ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, p.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	path, query, _ := strings.Cut(path, "?")
	request.URL.Opaque = strings.Replace(p.url, "http:", "", 1) + path
	request.URL.RawQuery = query
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	return p.perform(t, request)
}
