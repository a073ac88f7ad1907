package shoptest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// WantFault checks a whole error answer: every member, the headers and the fields in any order.
func WantFault(t testing.TB, got Answer, status int, code string, fields ...string) {
	t.Helper()
	if got.Status != status {
		t.Errorf("status %d, want %d: %.300s", got.Status, status, got.Body)
		return
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "Cache-Control": "no-store", "ETag": "",
		"Content-Length": strconv.Itoa(len(got.Body)),
	} {
		if is := got.Header.Get(name); is != want {
			t.Errorf("%s is %q, want %q", name, is, want)
		}
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(got.Body, &members); err != nil {
		t.Errorf("body %.300q: got %v", got.Body, err)
		return
	}
	want := []string{"code", "message", "requestId", "statusCode"}
	switch code {
	case "VALIDATION_FAILED":
		want = []string{"code", "errors", "message", "requestId", "statusCode"}
	case "NOT_FOUND":
		if len(fields) > 0 {
			want = []string{"code", "errors", "message", "requestId", "statusCode"}
		}
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
	if err := json.Unmarshal(got.Body, &e); err != nil {
		t.Errorf("body %s: %v", got.Body, err)
		return
	}
	if e.StatusCode != status || e.Code != code || e.Message == "" || e.RequestID == "" ||
		e.RequestID != got.Header.Get("X-Request-Id") {
		t.Errorf("body %s, want %d %s with the request id %q", got.Body, status, code,
			got.Header.Get("X-Request-Id"))
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
		t.Errorf("fields %q, want %q: %s", named, fields, got.Body)
	}
}

// WantStatus checks that an answer has a status, and is JSON.
func WantStatus(t testing.TB, got Answer, status int) {
	t.Helper()
	if got.Status != status || len(got.Body) > 0 && !json.Valid(got.Body) {
		t.Errorf("status %d, want %d: %.300s", got.Status, status, got.Body)
	}
}

// unchanged sends requests as they are. It keeps connections: a new one costs more than most answers.
var unchanged = &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 8}

// Perform sends a request unchanged; it neither follows redirects nor unpacks gzip.
func (p *Place) Perform(t testing.TB, request *http.Request) Answer {
	t.Helper()
	response, err := unchanged.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	return Receive(t, response)
}

// At sends a request without a body to a path below the server's root. The path is sent unchanged; headers
// come in pairs.
func (p *Place) At(t testing.TB, method, path string, headers ...string) Answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, p.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	path, query, _ := strings.Cut(path, "?")
	request.URL.Opaque = strings.Replace(p.URL, "http:", "", 1) + path
	request.URL.RawQuery = query
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	return p.Perform(t, request)
}

// Gunzip returns the content of a gzip body.
func Gunzip(t testing.TB, body []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// SharesAnything reports whether an answer may be read by a page of another origin.
func SharesAnything(got Answer) bool {
	for name := range got.Header {
		if strings.HasPrefix(name, "Access-Control-") {
			return true
		}
	}
	return false
}
