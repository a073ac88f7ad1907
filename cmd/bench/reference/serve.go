// Package reference holds what the service is measured against: a server that answers from memory, and one
// that a programmer would write for these routes alone, with net/http, database/sql and statements by hand.
package reference

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"storefront/cmd/internal/must"
)

// Serve answers on a free port of this machine, which its log shows as the service's does, until ctx ends.
func Serve(ctx context.Context, h http.Handler) {
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	server := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
	slog.New(slog.NewJSONHandler(os.Stderr, nil)).Info("listening", "url", "http://"+l.Addr().String())
	broken := make(chan error, 1)
	go func() { broken <- server.Serve(l) }()
	select {
	case err := <-broken:
		must.Do(err)
	case <-ctx.Done():
		must.Do(server.Close())
	}
}

// Answer is what the service gave for a target: its body, and the headers that the contract asks for.
type Answer struct {
	Body         []byte
	ETag         string
	ContentType  string
	CacheControl string
}

func (a Answer) write(w http.ResponseWriter, status int) {
	h := w.Header()
	if a.ETag != "" {
		h.Set("ETag", a.ETag)
	}
	h.Set("Cache-Control", a.CacheControl)
	h.Set("Content-Type", a.ContentType)
	h.Set("Content-Length", strconv.Itoa(len(a.Body)))
	w.WriteHeader(status)
	_, _ = w.Write(a.Body)
}

// Memory answers each target ("/path?query") from a file that holds a JSON object of answers by target.
func Memory(file string) http.Handler {
	answers := map[string]Answer{}
	must.Do(json.Unmarshal(must.Get(os.ReadFile(file)), &answers))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[r.URL.RequestURI()]
		if !ok {
			http.NotFound(w, r)
			return
		}
		answer.write(w, http.StatusOK)
	})
}
