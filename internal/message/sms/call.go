package sms

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
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
	maxAnswer   = 64 << 10        // bytes
	maxConns    = 32              // to the provider; further messages wait for one, within their time
)

// refusal is why a message got no id.
type refusal struct {
	kind Kind
	code string
}

// caller sends each message in one HTTP request. It repeats nothing and follows no redirect, because either
// could send a message twice.
type caller struct {
	format
	provider string
	client   *http.Client
}

// String keeps the key out of printed callers.
func (c *caller) String() string { return "sms sender " + c.provider }

// GoString is String.
func (c *caller) GoString() string { return c.String() }

func (c *caller) Send(ctx context.Context, m Message) (string, error) {
	if !c.Reaches(m.To) {
		return "", c.failed(m, refusal{kind: Recipient}, errors.New("the provider does not reach this number"))
	}
	if m.Ref == 0 {
		m.Ref = 1 + rand.Int64N(1<<62)
	}
	ctx, cancel := context.WithTimeout(ctx, totalTime)
	defer cancel()
	request, err := c.request(m)
	if err != nil {
		return "", c.failed(m, refusal{kind: Config}, errors.New("the settings make no request"))
	}
	status, body, refused, err := c.call(ctx, request)
	if err != nil {
		return "", c.failed(m, refused, err)
	}
	id, refused := c.answer(status, body)
	if id == "" {
		return "", c.failed(m, refused, nil)
	}
	return id, nil
}

func (c *caller) failed(m Message, why refusal, cause error) *Error {
	return &Error{Kind: why.kind, Provider: c.provider, Code: why.code, To: Masked(m.To), Cause: cause}
}

// call makes the request. Its error may be logged; the refusal reports whether the request was sent.
func (c *caller) call(ctx context.Context,
	request *http.Request) (status int, body []byte, refused refusal, err error) {
	var left atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { left.Store(false) },
		GotConn: func(httptrace.GotConnInfo) { left.Store(true) },
	})
	response, err := c.client.Do(request.WithContext(ctx))
	if err != nil && !left.Load() {
		return 0, nil, refusal{kind: Unreachable}, unwrapped(err)
	}
	if err != nil {
		return 0, nil, refusal{kind: Unknown}, safe(err)
	}
	defer response.Body.Close()
	body, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err == nil && len(body) > maxAnswer {
		err = errLong
	}
	if err != nil {
		return 0, nil, refusal{kind: Unknown, code: httpCode(response.StatusCode)}, safe(err)
	}
	return response.StatusCode, body, refusal{}, nil
}

var (
	errLong   = errors.New("the answer is too long")
	errNoHTTP = errors.New("the answer is not HTTP")
)

// unwrapped removes the URL, which may hold the key, from an error.
func unwrapped(err error) error {
	if called, ok := errors.AsType[*url.Error](err); ok {
		return called.Err
	}
	return err
}

// safe returns an error without the parts that quote the answer, which may repeat the key and the message.
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

// newClient returns a client for one provider: a few connections, no proxy of the environment, no redirects.
func newClient() *http.Client {
	var protocols http.Protocols
	protocols.SetHTTP1(true) // HTTP/2 repeats requests that a server refused
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext:            (&net.Dialer{Timeout: connectTime}).DialContext,
			TLSHandshakeTimeout:    connectTime,
			MaxConnsPerHost:        maxConns,
			MaxIdleConns:           maxConns,
			MaxIdleConnsPerHost:    maxConns / 4,
			IdleConnTimeout:        30 * time.Second,
			MaxResponseHeaderBytes: maxAnswer,
			DisableCompression:     true,
			Protocols:              &protocols,
		},
	}
}

// newRequest makes a request that http.Transport never repeats by itself. It repeats a GET whose body it can
// read again, so even an empty body here cannot be read again.
func newRequest(method, address, contentType string, body []byte) (*http.Request, error) {
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
