package server

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"storefront/internal/language"
)

// requestTime is how long a request may work. It leaves the database time to let go of a statement within the 10 s in
// which the contract promises an answer when the database is silent (contract 4).
const requestTime = 8 * time.Second

type requestIDKey struct{}

// begin gives the request its id, its reader, its client's address and its deadline; end releases the deadline.
func (s *Server) begin(w http.ResponseWriter, r *http.Request) (begun *http.Request, end context.CancelFunc) {
	id := requestID(r.Header["X-Request-Id"])
	w.Header().Set("X-Request-Id", id)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	ctx := context.WithValue(r.Context(), requestIDKey{}, id)
	ctx = language.For(ctx, r.Header)
	ctx, end = context.WithTimeout(ctx, requestTime)
	begun = r.WithContext(ctx)
	begun.RemoteAddr = clientAddr(r, s.proxies)
	return begun, end
}

// requestID keeps the one id the client sent when it is 1..64 of A-Z a-z 0-9 . _ -, and makes one otherwise.
func requestID(sent []string) string {
	if len(sent) == 1 && validRequestID(sent[0]) {
		return sent[0]
	}
	return strings.ToLower(rand.Text())
}

func validRequestID(id string) bool {
	if len(id) < 1 || len(id) > 64 {
		return false
	}
	for _, c := range []byte(id) {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// RequestID gives the id of the request a context belongs to, or "" outside of one.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// WithRequestID adds request_id to every record that is logged with a request's context (slog.InfoContext and the
// like), so that whatever runs below the server need not know of it.
func WithRequestID(h slog.Handler) slog.Handler {
	if _, done := h.(requestIDHandler); done {
		return h
	}
	return requestIDHandler{h}
}

type requestIDHandler struct{ slog.Handler }

func (h requestIDHandler) Handle(ctx context.Context, record slog.Record) error {
	if id := RequestID(ctx); id != "" {
		record = record.Clone()
		record.AddAttrs(slog.String("request_id", id))
	}
	return h.Handler.Handle(ctx, record)
}

func (h requestIDHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestIDHandler{h.Handler.WithAttrs(attrs)}
}

func (h requestIDHandler) WithGroup(name string) slog.Handler {
	return requestIDHandler{h.Handler.WithGroup(name)}
}
