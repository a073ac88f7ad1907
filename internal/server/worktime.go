package server

import (
	"context"
	"sync"
	"time"
)

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
