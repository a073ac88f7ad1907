package server

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"storefront/internal/wire"
)

// streamPaths are where bodies and answers are as long as what is brought in or taken out. How long the client takes is
// bounded by how fast it goes on, and not by the time of other requests.
var streamPaths = []string{"/sheets/", "/media/", "/shops/"}

const (
	streamWork = 3 * time.Minute  // how long such a request may be worked on
	streamTime = 10 * time.Minute // how long it may take, with what the client takes for body and answer
	liveTime   = 30 * time.Minute // how long the answer of a subscription goes on
)

// isLive reports whether the path of a request is that of subscriptions.
func isLive(r *http.Request) bool { return strings.TrimSuffix(r.URL.Path, "/") == liveStreamPath }

// withStopping makes the stopping of the server visible to a request (wire.Stopping).
func (s *Server) withStopping(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inner := r.WithContext(wire.WithStopping(r.Context(), s.ending.Done()))
		next.ServeHTTP(w, inner)
		r.Pattern = inner.Pattern // for log and metrics
	})
}

func isStream(r *http.Request) bool {
	below := func(path string) bool { return strings.HasPrefix(r.URL.Path, path) }
	return isLive(r) || slices.ContainsFunc(streamPaths, below)
}

// pace moves the deadlines of a stream's connection along while its client goes on: each part of a body comes within
// readTime, each part of an answer is taken within writeTime, and all within streamTime, but for an answer that begins
// when that is nearly over. Waiting for the client is no work. The methods of nil do nothing.
type pace struct {
	conn *http.ResponseController
	work *workTime
	ends time.Time
}

func newPace(w http.ResponseWriter, work *workTime, most time.Duration) *pace {
	p := &pace{conn: http.NewResponseController(w), work: work, ends: time.Now().Add(most)}
	p.rests()
	return p
}

// awaits comes before a part of the body is read.
func (p *pace) awaits() {
	if p != nil {
		_ = p.conn.SetReadDeadline(p.within(readTime))
	}
}

// rests comes when nothing is read. A read deadline that passes then would look like a client that has left.
func (p *pace) rests() {
	if p != nil {
		_ = p.conn.SetReadDeadline(time.Time{})
	}
}

// answers comes before the first part of the answer, which has its time however late the work has ended.
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

// sends comes before a part of the answer is written, and done after it.
func (p *pace) sends() (done func()) {
	if p == nil {
		return func() {}
	}
	_ = p.conn.SetWriteDeadline(p.within(writeTime))
	p.work.pause()
	return p.work.start
}

// within is in a time from now, and not after the end.
func (p *pace) within(limit time.Duration) time.Time {
	at := time.Now().Add(limit)
	if at.After(p.ends) {
		return p.ends
	}
	return at
}
