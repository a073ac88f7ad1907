package shoptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/database/store/storetest"
	"storefront/internal/testkit/testdb"
)

// Fuzzed is the whole service without a network, on SQLite.
type Fuzzed struct {
	http.Handler
	log     *bytes.Buffer
	Product string // an id
	Token   string // of a signed-in customer; empty: none
}

// StartFuzzed starts the service over the shops of WireShops.
func StartFuzzed(f *testing.F) *Fuzzed {
	running := StartFuzzedOn(f, WireShops)
	w := httptest.NewRecorder()
	running.ServeHTTP(w, httptest.NewRequest("GET", "/api/v1"+ShopPath+"/products/drill", nil))
	var found struct{ Product struct{ ID string } }
	if err := json.Unmarshal(w.Body.Bytes(), &found); err != nil || found.Product.ID == "" {
		f.Fatalf("%s: %v", w.Body, err)
	}
	running.Product = found.Product.ID
	return running
}

// StartFuzzedOn starts the service over a copy of a template.
func StartFuzzedOn(f *testing.F, template *testdb.Template) *Fuzzed {
	s := storetest.Open(f, template.SQLite(f))
	var log bytes.Buffer
	service, err := app.New(s, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelError})),
		app.Options{Clock: func() time.Time { return Today }})
	if err != nil {
		f.Fatal(err)
	}
	return &Fuzzed{Handler: service, log: &log}
}

// Ask calls the handler with a request and checks what holds for every answer: it is not a failure of the
// service, it is JSON, and an error has the whole form of an error. It returns status 0 if net/http would not
// pass the request to a handler.
func (s *Fuzzed) Ask(t *testing.T, method, address, contentType, body string) (status int, answer []byte) {
	t.Helper()
	parsed, err := url.ParseRequestURI(address)
	if err != nil || !strings.HasPrefix(address, "/") {
		return 0, nil // net/http answers it itself
	}
	request := &http.Request{
		Method: method, URL: parsed, RequestURI: address, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Host:       "localhost",
		RemoteAddr: "192.0.2.1:1234", Header: http.Header{}, Body: http.NoBody,
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if s.Token != "" {
		request.Header.Set("Authorization", "Bearer "+s.Token)
	}
	if body != "" {
		request.Body = readCloser{strings.NewReader(body)}
		request.ContentLength = int64(len(body))
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, request.WithContext(t.Context()))
	status, answer = w.Code, w.Body.Bytes()
	describe := func() string {
		return fmt.Sprintf("%s %q %q: %d %.500q", method, address, body,
			status, answer)
	}
	if s.log.Len() > 0 {
		logged := s.log.String()
		s.log.Reset()
		t.Fatalf("%s\nlogged %s", describe(), logged)
	}
	if status >= 500 || status < 200 || status/100 == 3 {
		t.Fatal(describe())
	}
	if !json.Valid(answer) || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/") {
		t.Fatalf("no JSON: %s", describe())
	}
	if strings.HasPrefix(address, "/api/v1/") {
		checkDocumented(t, method, address, AnswerOf(w))
	}
	if status >= 400 && !strings.Contains(string(answer[:min(len(answer), 10)]), `"errors"`) {
		WantFault(t, AnswerOf(w), status, codeOf(answer), fieldsOf(answer)...)
	}
	return status, answer
}

// Read sends a request that must succeed, and reads its answer.
func (s *Fuzzed) Read(f *testing.F, method, path, body string, into any) {
	f.Helper()
	request := httptest.NewRequest(method, "/api/v1"+path, strings.NewReader(body))
	w := httptest.NewRecorder()
	s.ServeHTTP(w, request)
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil || w.Code/100 != 2 {
		f.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

// AnswerOf returns the answer that a handler wrote.
func AnswerOf(w *httptest.ResponseRecorder) Answer {
	return Answer{w.Code, w.Header(), w.Body.Bytes()}
}

// codeOf and fieldsOf read an error's own code and fields, which WantFault needs as arguments.
func codeOf(body []byte) string {
	var e struct{ Code string }
	_ = json.Unmarshal(body, &e) // WantFault reports that
	switch e.Code {
	case "VALIDATION_FAILED", "BAD_REQUEST", "NOT_FOUND", "METHOD_NOT_ALLOWED", "PAYLOAD_TOO_LARGE",
		"UNSUPPORTED_MEDIA_TYPE",
		"CONFLICT", "INSUFFICIENT_STOCK", "MAX_ORDER_QUANTITY_EXCEEDED", "ITEM_UNAVAILABLE",
		"CART_EMPTY", "PRICE_CHANGED", "NOT_DELIVERABLE":
		return e.Code
	}
	return "no code of the contract: " + e.Code
}

func fieldsOf(body []byte) (fields []string) {
	var e struct{ Errors []struct{ Field string } }
	_ = json.Unmarshal(body, &e) // WantFault reports that
	for _, one := range e.Errors {
		fields = append(fields, one.Field)
	}
	return fields
}
