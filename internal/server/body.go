package server

import (
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// lingerTime is how long the rest of a body is taken in after an answer that did not wait for it, so that a client
// that is still sending reads the answer before the connection closes.
const lingerTime = 500 * time.Millisecond

// announcedBody notes whether the body that a request announced was read to its end.
type announcedBody struct {
	io.ReadCloser
	ended atomic.Bool
}

func (b *announcedBody) Read(to []byte) (int, error) {
	n, err := b.ReadCloser.Read(to)
	if err == io.EOF {
		b.ended.Store(true)
	}
	return n, err
}

// watchBody replaces the body of a request that announced one, and returns nil for a request that did not.
func watchBody(r *http.Request) *announcedBody {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	body := &announcedBody{ReadCloser: r.Body}
	r.Body = body
	return body
}

// unread reports whether a part of the body may still come. The answer must not wait for it: net/http takes the body
// in before it sends the header of an answer, unless that closes the connection.
func (b *announcedBody) unread() bool { return b != nil && !b.ended.Load() }
