package server

import (
	"io"
	"sync/atomic"
	"time"
)

// lingerTime is how long the rest of a body is taken in after an answer that did not wait for it, so that a client
// that is still sending reads the answer before the connection closes.
const lingerTime = 500 * time.Millisecond

// announcedBody is the body that a request announced. Waiting for it is no work, and it notes whether it was
// read to its end.
type announcedBody struct {
	io.ReadCloser
	work  *workTime
	pace  *pace // of a stream; nil: none
	ended atomic.Bool
}

func (b *announcedBody) Read(to []byte) (int, error) {
	b.pace.awaits()
	b.work.pause()
	n, err := b.ReadCloser.Read(to)
	b.work.start()
	b.pace.rests()
	if err == io.EOF {
		b.ended.Store(true)
	}
	return n, err
}

// unread reports whether a part of the body may still come. The answer must not wait for it: net/http takes the body
// in before it sends the header of an answer, unless that closes the connection.
func (b *announcedBody) unread() bool { return b != nil && !b.ended.Load() }
