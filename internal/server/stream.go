package server

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"storefront/internal/request"
)

// streamPaths are the prefixes of paths with long responses. The time of such a request is bounded by the client's
// progress rather than by the deadline of other requests. That of its body is, too, below those of longBodies; all
// other bodies are small, and arrive within readTime.
var (
	streamPaths = []string{"/sheets/", "/media/", "/shops/"}
	longBodies  = streamPaths[:2]
)

const (
	streamWork = 3 * time.Minute  // how long such a request may be worked on
	streamTime = 10 * time.Minute // how long it may take in all, with receiving the body and sending the response
	liveTime   = 30 * time.Minute // how long the response of a subscription may last
)

// isLive reports whether the path of a request is that of subscriptions.
func isLive(r *http.Request) bool { return strings.TrimSuffix(r.URL.Path, "/") == liveStreamPath }

// withStopping makes the stopping of the server visible to a request (request.Request.Stopping).
func (s *Server) withStopping(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inner := r.WithContext(request.With(r.Context(), func(r *request.Request) { r.Stopping = s.ending.Done() }))
		next.ServeHTTP(w, inner)
		r.Pattern = inner.Pattern // for log and metrics
	})
}

func isStream(r *http.Request) bool { return isLive(r) || isBelow(r, streamPaths) }

func isBelow(r *http.Request, paths []string) bool {
	return slices.ContainsFunc(paths, func(path string) bool { return strings.HasPrefix(r.URL.Path, path) })
}

// pace extends the deadlines of a stream's connection while its client makes progress: each part of a long body
// must arrive within readTime, each part of a response must be accepted within writeTime, and all of them
// within streamTime, except for a response that begins near its end. Waiting for the client does not count
// as work. The methods accept nil.
type pace struct {
	conn *http.ResponseController
	work *workTime
	ends time.Time
	body time.Time // when the body must have arrived
}

func newPace(w http.ResponseWriter, work *workTime, body, most time.Duration) *pace {
	now := time.Now()
	p := &pace{conn: http.NewResponseController(w), work: work, ends: now.Add(most), body: now.Add(body)}
	p.rests()
	return p
}

// awaits is called before a part of the body is read.
func (p *pace) awaits() {
	if p != nil {
		at := p.within(readTime)
		if at.After(p.body) {
			at = p.body
		}
		_ = p.conn.SetReadDeadline(at)
	}
}

// rests is called when reading pauses. A read deadline that passes then would look as if the client had
// left.
func (p *pace) rests() {
	if p != nil {
		_ = p.conn.SetReadDeadline(time.Time{})
	}
}

// answers is called before the first part of the response, which has its full time even if the work took
// long.
func (p *pace) answers() {
	if p == nil {
		return
	}
	at := time.Now().Add(writeTime)
	if at.After(p.ends) {
		p.ends = at
	}
	_ = p.conn.SetWriteDeadline(at)
}

// sends is called before a part of the response is written, and done after it.
func (p *pace) sends() (done func()) {
	if p == nil {
		return func() {}
	}
	_ = p.conn.SetWriteDeadline(p.within(writeTime))
	p.work.pause()
	return p.work.start
}

// within returns the time so far from now, but not after the end.
func (p *pace) within(limit time.Duration) time.Time {
	at := time.Now().Add(limit)
	if at.After(p.ends) {
		return p.ends
	}
	return at
}

// workTime is the context of a request with a body. It ends when the request has been worked on for its
// time, or when its parent ends; its clock is paused while the request waits for the body. Package context
// uses AfterFunc, so contexts below it need no goroutines of their own.
type workTime struct {
	context.Context                 // its parent
	ended           context.Context // ends just after this one, for AfterFunc
	stop            func()

	mu    sync.Mutex
	left  time.Duration // when the clock was last started or paused
	since time.Time     // when it was started; zero: it is paused
	timer *time.Timer   // nil while it is paused
	done  chan struct{} // closed once err is set
	err   error
}

// newWorkTime returns a context whose clock runs. end frees what it holds.
func newWorkTime(parent context.Context, limit time.Duration) (w *workTime, end context.CancelFunc) {
	w = &workTime{Context: parent, left: limit, done: make(chan struct{})}
	ended, stop := context.WithCancel(context.WithoutCancel(parent))
	w.ended, w.stop = ended, stop
	forget := context.AfterFunc(parent, func() { w.end(parent.Err()) })
	w.start()
	return w, func() {
		forget()
		w.end(context.Canceled)
	}
}

func (w *workTime) end(cause error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return
	}
	w.err = cause
	if w.timer != nil {
		w.timer.Stop()
	}
	close(w.done)
	w.stop()
}

// start continues the clock.
func (w *workTime) start() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil && w.timer == nil {
		w.since = time.Now()
		w.timer = time.AfterFunc(w.left, func() { w.end(context.DeadlineExceeded) })
	}
}

// pause pauses the clock.
func (w *workTime) pause() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil && w.timer.Stop() {
		w.left -= time.Since(w.since)
		w.timer = nil
	}
}

// Deadline returns when the time is over if the clock is not paused again.
func (w *workTime) Deadline() (time.Time, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	end := w.since.Add(w.left)
	if w.timer == nil {
		end = time.Now().Add(w.left)
	}
	if outer, ok := w.Context.Deadline(); ok && outer.Before(end) {
		end = outer
	}
	return end, true
}

func (w *workTime) Done() <-chan struct{} { return w.done }

func (w *workTime) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// AfterFunc runs f in a goroutine once the context has ended.
func (w *workTime) AfterFunc(f func()) (stop func() bool) { return context.AfterFunc(w.ended, f) }
