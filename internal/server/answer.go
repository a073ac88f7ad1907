package server

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"storefront/internal/fault"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
)

// answer records the status and size of the response, for log, metrics and recover.
type answer struct {
	http.ResponseWriter
	status  int   // 0 until the header is written
	bytes   int64 // of the body that is sent, after compression
	aborted bool  // the connection was cut before the end

	body      *announcedBody // of the request; nil: none
	pace      *pace          // of a stream; nil: none
	place     *place         // which the request gives up when the response begins; nil: none
	head      bool           // whether net/http sends no body, whatever is written
	mustClose bool           // whether the connection closes behind it
	stopping  func() bool    // reports whether the server is stopping
	noted     *request.Note
}

// begin is called before the first byte of the response.
func (a *answer) begin(status int) {
	if a.status == 0 {
		a.status = status
		a.decideClose()
		a.sayNoted()
		a.pace.answers()
		a.place.leave()
	}
}

// hold gives the response, and the body of the request, the place that they give up.
func (a *answer) hold(held *place) {
	a.place = held
	if a.body != nil {
		a.body.place = held
	}
}

// sayNoted marks a response that was made without the database (contract 4.4), and says when the next code may be
// asked for (3.2).
func (a *answer) sayNoted() {
	noted := a.noted.Read()
	if noted.Stale && a.status < http.StatusBadRequest {
		a.Header().Set("Warning", `110 - "Response is Stale"`)
		a.Header().Set("Age", strconv.Itoa(int(noted.Age.Seconds())))
	}
	if noted.Again > 0 && a.Header().Get("Retry-After") == "" {
		a.Header().Set("Retry-After", strconv.Itoa(fault.Seconds(noted.Again)))
	}
}

// decideClose makes the connection close after a response that did not read the whole body (contract 1,
// Order of checks), after the last request that the connection may be used for, and while the server stops.
func (a *answer) decideClose() {
	if a.mustClose || a.body.unread() || a.stopping() {
		a.Header().Set("Connection", "close")
	}
}

func (a *answer) WriteHeader(status int) {
	if status >= 200 {
		a.begin(status)
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	a.begin(http.StatusOK)
	done := a.pace.sends()
	n, err := a.ResponseWriter.Write(b)
	done()
	if !a.head {
		a.bytes += int64(n)
	}
	return n, err
}

// Flush and Unwrap let a handler send what it has written so far (http.ResponseController).
func (a *answer) Flush() {
	a.begin(http.StatusOK)
	_ = http.NewResponseController(a.ResponseWriter).Flush()
}

// finish is called after the handler. It bounds how long net/http reads the rest of an unread body.
func (a *answer) finish() {
	if a.status == 0 {
		a.decideClose() // net/http sends the header now
	}
	if a.body.unread() {
		_ = http.NewResponseController(a.ResponseWriter).SetReadDeadline(time.Now().Add(lingerTime))
	}
}

func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// lingerTime is how long the rest of a body is read after a response that did not wait for it, so that a
// client that is still sending can read the response before the connection closes.
const lingerTime = 500 * time.Millisecond

// announcedBody is the body that a request announced. Waiting for it does not count as work and takes no place, and it
// records whether it was read to its end.
type announcedBody struct {
	io.ReadCloser
	work  *workTime
	pace  *pace  // of a stream; nil: none
	place *place // of the request; nil: none
	ended atomic.Bool
}

func (b *announcedBody) Read(to []byte) (int, error) {
	held := b.place.pause()
	b.pace.awaits()
	b.work.pause()
	n, err := b.ReadCloser.Read(to)
	b.work.start()
	b.pace.rests()
	if err == io.EOF {
		b.ended.Store(true)
	}
	if held {
		if full := b.place.resume(); full != nil {
			return n, full
		}
	}
	return n, err
}

// unread reports whether a part of the body may still arrive. The response must not wait for it: net/http
// reads the body before it sends the header, unless the connection is to close.
func (b *announcedBody) unread() bool { return b != nil && !b.ended.Load() }

// compress compresses responses of wire.GzipFrom bytes and more for clients that accept gzip. A compressed
// response has the ETag of the plain one with wire.GzipSuffix (contract 1.9). A response with a
// Content-Encoding is not changed, and 304 has no body to compress. HEAD is answered like GET, with the same
// headers; net/http leaves out the body.
func compress(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(wire.GzipFrom), gzhttp.CompressionLevel(wire.GzipLevel),
		gzhttp.ContentTypeFilter(compressible), gzhttp.SuffixETag(wire.GzipSuffix))
	if err != nil {
		panic(err) // the options above are constants
	}
	compressed := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// streams are not computed for a HEAD, and events must not wait in the compressor's buffer
		if isLive(r) || r.Method == http.MethodHead && isStream(r) {
			next.ServeHTTP(w, r)
			return
		}
		if r.Method == http.MethodHead {
			r.Method = http.MethodGet
			defer func() { r.Method = http.MethodHead }() // for the log
		}
		compressed.ServeHTTP(w, r)
	})
}

// compressible reports whether a media type is text of some kind; images, fonts and archives are compressed
// already.
func compressible(contentType string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	kind = strings.TrimSpace(kind)
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") ||
		strings.HasSuffix(kind, "javascript") || strings.HasSuffix(kind, "xml") // image/svg+xml among them
}
