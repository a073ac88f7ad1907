package server

import (
	"net/http"
	"strconv"
	"time"

	"storefront/internal/fault"
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
