package server

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
)

// TestLanguage checks that the server's own errors are in the language of the client too.
func TestLanguage(t *testing.T) {
	s := open(t, func(o *Options) {
		o.API = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("the inside story") })
		o.GraphQL = text("done")
		o.Ready = func(context.Context) Readiness { return Readiness{Reads: errors.New("no")} }
	})
	const nothingHere = "در این مسیر چیزی نیست؛ API از \u200e/api/v1 و " +
		"\u200e/graphql آغاز می\u200cشود"
	for _, c := range []struct {
		request string
		status  int
		message string
	}{
		{"GET /nowhere", 404, nothingHere},
		{"GET /a//b", 404, nothingHere},
		{"POST /healthz", 405, "در این مسیر فقط GET و HEAD مجاز است"},
		{"GET /readyz", 503, "سرور آماده نیست (failed)؛ " +
			"دلیل آن در گزارش سرور آمده است"},
		{"GET /api/v1/cities", 500, "خطایی در سامانهٔ ما رخ داد؛ " +
			"با شناسهٔ درخواست می\u200cتوانیم آن را پیدا کنیم"},
	} {
		method, path, _ := strings.Cut(c.request, " ")
		answer, body := s.do(t, method, path, "Accept-Language", "de;q=0.8, fa", "Origin", "https://shop.ir")
		if answer.StatusCode != c.status || answer.Header.Get("Content-Language") != "fa" ||
			!strings.Contains(body, `"message":"`+c.message+`"`) {
			t.Errorf("%s: %d in %q: %s", c.request, answer.StatusCode, answer.Header.Get("Content-Language"), body)
		}
		wantVary(t, answer, "Accept-Language")
		if answer, _ := s.do(t, method, path); answer.Header.Get("Content-Language") != "en" {
			t.Errorf("%s: %d in %q", c.request, answer.StatusCode, answer.Header.Get("Content-Language"))
		}
	}
	for _, path := range []string{"/healthz", "/graphql"} {
		if answer, _ := s.do(t, "GET", path, "Accept-Language", "fa"); answer.Header.Get("Content-Language") != "" ||
			strings.Contains(strings.Join(answer.Header["Vary"], ","), "Language") {
			t.Errorf("%s has no message, and the headers %v", path, answer.Header)
		}
	}
}
