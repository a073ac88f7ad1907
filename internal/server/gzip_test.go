package server

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"storefront/internal/platform/wire"
)

func TestGzip(t *testing.T) {
	long := `{"text":"` + strings.Repeat("سلام ", 500) + `"}`
	api := http.NewServeMux()
	api.HandleFunc("/api/v1/{kind}", func(w http.ResponseWriter, r *http.Request) {
		body, kind := long, "application/json"
		switch r.PathValue("kind") {
		case "short":
			body = `{"text":"short"}`
		case "image":
			kind = "image/webp"
		case "packed":
			w.Header().Set("Content-Encoding", "gzip")
		}
		w.Header().Set("Content-Type", kind)
		if wire.Known(w, r, []byte(body)) {
			return
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = io.WriteString(w, body)
	})
	s := open(t, func(o *Options) { o.API = api })
	for _, c := range []struct {
		method, kind, accept string
		packed               bool
	}{
		{"GET", "long", "gzip", true},
		{"GET", "long", "br;q=1.0, gzip;q=0.5, *;q=0", true},
		{"POST", "long", "gzip, deflate", true},
		{"GET", "long", "", false},
		{"GET", "long", "br", false},
		{"GET", "long", "gzip;q=0", false},
		{"GET", "long", "identity", false},
		{"GET", "short", "gzip", false},
		{"GET", "image", "gzip", false},
		{"HEAD", "long", "gzip", true},
		{"HEAD", "long", "", false},
	} {
		answer, body := s.do(t, c.method, "/api/v1/"+c.kind, "Accept-Encoding", c.accept)
		if got := answer.Header.Get("Content-Encoding") == "gzip"; got != c.packed {
			t.Errorf("%+v: packed %t", c, got)
		}
		if c.packed && c.method != "HEAD" {
			body = unpack(t, body)
		}
		if c.kind == "long" && c.method != "HEAD" && body != long {
			t.Errorf("%+v: the body is not the one sent", c)
		}
		tag := answer.Header.Get("ETag")
		if strings.HasSuffix(tag, wire.GzipSuffix+`"`) != c.packed || strings.HasPrefix(tag, "W/") || len(tag) < 3 {
			t.Errorf("%+v: ETag %s", c, tag)
		}
		if c.method == "GET" {
			again, body := s.do(t, c.method, "/api/v1/"+c.kind, "Accept-Encoding", c.accept, "If-None-Match", tag)
			if again.StatusCode != 304 || body != "" || again.Header.Get("Content-Encoding") != "" ||
				again.Header.Get("ETag") != tag {
				t.Errorf("%+v: to a client that has it %d %q %v", c, again.StatusCode, body, again.Header)
			}
			wantVary(t, again, "Accept-Encoding")
		}
		wantVary(t, answer, "Accept-Encoding")
		wantVary(t, answer, "Origin")
	}
	packed, _ := s.do(t, "GET", "/api/v1/long", "Accept-Encoding", "gzip")
	if answer, _ := s.do(t, "GET", "/api/v1/long", "If-None-Match",
		packed.Header.Get("ETag")); answer.StatusCode != 200 {
		t.Errorf("a client that has it compressed and takes it plain gets %d", answer.StatusCode)
	}
	if _, body := s.do(t, "GET", "/api/v1/packed", "Accept-Encoding", "gzip"); body != long {
		t.Error("what came packed was packed again")
	}
}

func unpack(t testing.TB, body string) string {
	t.Helper()
	unpacked, err := gzip.NewReader(bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

func TestCompressible(t *testing.T) {
	for kind, want := range map[string]bool{
		"application/json": true, "Application/JSON; charset=utf-8": true, "application/graphql-response+json": true,
		"text/html; charset=utf-8": true, "text/css": true, "text/javascript": true, "application/javascript": true,
		"image/svg+xml": true, "image/png": false, "font/woff2": false, "application/gzip": false, "": false,
	} {
		if got := compressible(kind); got != want {
			t.Errorf("%q: %t, want %t", kind, got, want)
		}
	}
}
