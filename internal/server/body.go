package server

import (
	"io"
	"sync/atomic"
	"time"
)

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
