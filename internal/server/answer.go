package server

import "net/http"

// answer records status and size of what is sent, for log, metrics and recover.
type answer struct {
	http.ResponseWriter
	status  int   // 0 until the header is written
	bytes   int64 // of the body, after compression
	aborted bool  // the connection was cut before the end
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= 200 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	n, err := a.ResponseWriter.Write(b)
	a.bytes += int64(n)
	return n, err
}

// Flush and Unwrap let a door send what it has so far (http.ResponseController).
func (a *answer) Flush() {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	_ = http.NewResponseController(a.ResponseWriter).Flush()
}

func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
