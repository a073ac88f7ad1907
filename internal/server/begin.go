package server

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"storefront/internal/locale/language"
	"storefront/internal/platform/tracing"
	"storefront/internal/request"
)

// requestTime is how long a request may be worked on. It is less than the 10 s within which a request is answered
// while the database is silent (contract 4.3), so that a statement can still be cancelled.
const requestTime = 8 * time.Second

// begin sets the id, the arrival, the language, the client address and the deadline of the request, and
// watches its body, which is nil where none was announced; end releases the deadline. The pace is nil but for streams.
func (s *Server) begin(w http.ResponseWriter, r *http.Request) (
	begun *http.Request, body *announcedBody, pace *pace, end func(),
) {
	id := requestID(r.Header["X-Request-Id"])
	h := w.Header()
	h["X-Request-Id"] = []string{id}
	h["X-Content-Type-Options"] = noSniff
	ctx, body, pace, end := timed(w, r) // first: its end is looked up below all values
	at, client := s.arrivalOf(r), clientAddr(r, s.o.TrustedProxies)
	ctx = request.With(ctx, func(known *request.Request) {
		known.ID, known.Note, known.Language = id, new(request.Note), language.For(r.Header)
		known.Arrival = request.Arrival{At: at, Own: time.Now().Add(-s.o.Clock().Sub(at))}
		if addr, ok := countedAddr(client, s.o.TrustedProxies); ok {
			known.Client = request.ClientAt(addr)
		}
	})
	ctx = s.o.Tracer.Request(ctx, r, s.fromTrusted(r))
	begun = r.WithContext(ctx)
	begun.RemoteAddr = client
	if body != nil {
		begun.Body = body
	}
	return begun, body, pace, end
}

// timed returns the context of a request, which has a deadline, and its body if it announced one.
func timed(w http.ResponseWriter, r *http.Request) (
	ctx context.Context, body *announcedBody, pace *pace, end func(),
) {
	announced := r.Body != nil && r.Body != http.NoBody
	stream := isStream(r)
	if !announced && !stream {
		ctx, end = context.WithTimeout(r.Context(), requestTime)
		return ctx, nil, nil, end
	}
	limit, most := requestTime, streamTime
	switch {
	case isLive(r):
		limit, most = liveTime, liveTime
	case stream:
		limit = streamWork
	}
	work, end := newWorkTime(r.Context(), limit)
	if stream {
		toArrive := readTime
		if isBelow(r, longBodies) {
			toArrive = most
		}
		pace = newPace(w, work, toArrive, most)
	}
	if announced {
		body = &announcedBody{ReadCloser: r.Body, work: work, pace: pace}
	}
	return work, body, pace, end
}

var noSniff = []string{"nosniff"} // shared by many responses, and never changed

// requestID returns the id that the client sent if it consists of 1 to 64 of A-Z a-z 0-9 . _ - and is no cell number,
// which would be logged, and a new one otherwise.
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
	return !hasCell(id)
}

// cellPart matches an Iranian cell number in an id, alone between separators or next to letters. Longer runs
// of digits are ordinary in ids.
var cellPart = regexp.MustCompile(`(^|[._-])[A-Za-z]*(0098|98|0)?9[0-9]{9}[A-Za-z]*($|[._-])`)

var withoutSeparators = strings.NewReplacer(".", "", "_", "", "-", "")

// hasCell reports whether an id contains a cell number, even with separators.
func hasCell(id string) bool {
	return cellPart.MatchString(id) || cellPart.MatchString(withoutSeparators.Replace(id))
}

// WithRequestID adds request_id, and trace_id where the request has a trace, to every record that is logged with a
// request's context (slog.InfoContext), so that the packages below the server need not pass it on.
func WithRequestID(h slog.Handler) slog.Handler {
	if _, done := h.(requestIDHandler); done {
		return h
	}
	return requestIDHandler{h}
}

type requestIDHandler struct{ slog.Handler }

func (h requestIDHandler) Handle(ctx context.Context, record slog.Record) error {
	if id := request.Of(ctx).ID; id != "" {
		record = record.Clone()
		record.AddAttrs(slog.String("request_id", id))
		if trace := tracing.ID(ctx); trace != "" {
			record.AddAttrs(slog.String("trace_id", trace))
		}
	}
	return h.Handler.Handle(ctx, record)
}

func (h requestIDHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestIDHandler{h.Handler.WithAttrs(attrs)}
}

func (h requestIDHandler) WithGroup(name string) slog.Handler {
	return requestIDHandler{h.Handler.WithGroup(name)}
}

// arrivals records when the requests of a connection arrive. A request has arrived when the last bytes of
// its head were read from the connection; later it may wait for a core, for a slot or for the body. A
// pipelined request arrives while an earlier one is being answered.
type arrivals struct {
	last  atomic.Int64 // when bytes were read; nanoseconds of the Unix time
	early atomic.Int64 // when the first byte of the next request came during an earlier one; 0: it has not
}

// read records that bytes were read into a buffer of some size. During a request net/http reads a single
// byte ahead, to notice a client that leaves: that byte is the first of the next request.
func (a *arrivals) read(size int, now time.Time) {
	if size == 1 {
		a.early.CompareAndSwap(0, now.UnixNano())
		return
	}
	a.last.Store(now.UnixNano())
}

// take returns when the request whose head was just read arrived. The time of a first byte is used only for
// as long as reading a head may take.
func (a *arrivals) take() time.Time {
	at := a.last.Load()
	if early := a.early.Swap(0); early != 0 {
		at = max(min(at, early), at-int64(headerTime))
	}
	return time.Unix(0, at)
}

type connectionKey struct{}

// withConnection is http.Server.ConnContext.
func withConnection(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, conn)
}

// arrivalOf returns when a request arrived, by the server's clock.
func (s *Server) arrivalOf(r *http.Request) time.Time {
	if conn, ok := r.Context().Value(connectionKey{}).(*connection); ok {
		return conn.arrivals.take()
	}
	return s.o.Clock() // the listener is not a connections
}
