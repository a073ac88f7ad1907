package server

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
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
		w.Header().Set("ETag", `"7-abc"`)
		if r.Header.Get("If-None-Match") == `"7-abc"` {
			w.WriteHeader(http.StatusNotModified)
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
		{"HEAD", "long", "gzip", false},
	} {
		answer, body := s.do(t, c.method, "/api/v1/"+c.kind, "Accept-Encoding", c.accept)
		if got := answer.Header.Get("Content-Encoding") == "gzip"; got != c.packed {
			t.Errorf("%+v: packed %t", c, got)
		}
		if c.packed {
			body = unpack(t, body)
		}
		if c.kind == "long" && c.method != "HEAD" && body != long {
			t.Errorf("%+v: the body is not the one sent", c)
		}
		if answer.Header.Get("ETag") != `"7-abc"` {
			t.Errorf("%+v: ETag %s", c, answer.Header.Get("ETag"))
		}
		wantVary(t, answer, "Accept-Encoding")
		wantVary(t, answer, "Origin")
	}
	answer, body := s.do(t, "GET", "/api/v1/long", "Accept-Encoding", "gzip", "If-None-Match", `"7-abc"`)
	if answer.StatusCode != 304 || body != "" || answer.Header.Get("Content-Encoding") != "" ||
		answer.Header.Get("ETag") != `"7-abc"` {
		t.Errorf("%d %q %v", answer.StatusCode, body, answer.Header)
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
