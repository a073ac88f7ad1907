// Package httpcall calls SMS providers and payment gateways. A call is one HTTP request: it is
// never repeated and follows no redirect, because either could send a message or take money twice. Its errors hold
// nothing of the request or the answer, so they may be logged.
package httpcall

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"
)

const (
	connectTime = 5 * time.Second
	totalTime   = 8 * time.Second // contract 3.4
	maxHeader   = 64 << 10        // bytes
	maxConns    = 32              // to a host; further calls wait for one, within their time
)

// Client calls any number of hosts, and is safe for many callers at once.
type Client struct {
	http      *http.Client
	maxAnswer int64 // bytes
}

// New returns a client for answers of at most maxAnswer bytes. It keeps a few connections, speaks HTTP/1, and uses no
// proxy of the environment.
func New(maxAnswer int64) *Client {
	var protocols http.Protocols
	protocols.SetHTTP1(true) // HTTP/2 repeats requests that a server refused
	return &Client{maxAnswer: maxAnswer, http: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext:            (&net.Dialer{Timeout: connectTime}).DialContext,
			TLSHandshakeTimeout:    connectTime,
			MaxConnsPerHost:        maxConns,
			MaxIdleConns:           maxConns,
			MaxIdleConnsPerHost:    maxConns / 4,
			IdleConnTimeout:        30 * time.Second,
			MaxResponseHeaderBytes: maxHeader,
			DisableCompression:     true,
			Protocols:              &protocols,
		},
	}}
}

// Answer is the answer to a call.
type Answer struct {
	Sent   bool // false: the request has certainly not arrived
	Status int  // 0: no answer came
	Body   []byte
}

// Call sends a request of NewRequest and reads the answer. It waits for 8 seconds at most, or until ctx ends.
func (c *Client) Call(ctx context.Context, request *http.Request) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, totalTime)
	defer cancel()
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { sent.Store(false) },
		GotConn: func(httptrace.GotConnInfo) { sent.Store(true) },
	})
	response, err := c.http.Do(request.WithContext(ctx))
	if err != nil && !sent.Load() {
		return Answer{}, unwrapped(err)
	}
	if err != nil {
		return Answer{Sent: true}, safe(err)
	}
	defer response.Body.Close()
	answer := Answer{Sent: true, Status: response.StatusCode}
	answer.Body, err = io.ReadAll(io.LimitReader(response.Body, c.maxAnswer+1))
	if err == nil && int64(len(answer.Body)) > c.maxAnswer {
		err = errLong
	}
	if err != nil {
		answer.Body = nil
		return answer, safe(err)
	}
	return answer, nil
}

var (
	errLong   = errors.New("the answer is too long")
	errNoHTTP = errors.New("the answer is not HTTP")
)

// unwrapped removes the URL, which may hold a key, from an error.
func unwrapped(err error) error {
	if called, ok := errors.AsType[*url.Error](err); ok {
		return called.Err
	}
	return err
}

// safe returns an error without the parts that quote the answer, which may repeat what was sent.
func safe(err error) error {
	for _, known := range []error{context.DeadlineExceeded, context.Canceled, io.ErrUnexpectedEOF, io.EOF, errLong} {
		if errors.Is(err, known) {
			return known
		}
	}
	if network, ok := errors.AsType[*net.OpError](err); ok {
		return network
	}
	return errNoHTTP
}

// NewRequest makes a request that http.Transport never repeats by itself. It repeats a GET, or a POST with an
// Idempotency-Key, whose body it can read again, so even an empty body here cannot be read again.
func NewRequest(method, address, contentType string, body []byte) (*http.Request, error) {
	request, err := http.NewRequest(method, address, nil)
	if err != nil {
		return nil, err
	}
	if len(body) > 0 || method == http.MethodGet {
		request.Body = io.NopCloser(bytes.NewReader(body))
		request.ContentLength = int64(len(body))
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "storefront")
	return request, nil
}
