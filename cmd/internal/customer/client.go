// Package customer is the simulated customer of all trials: a client of the service that signs up, browses,
// fills carts, orders and cancels over HTTP. It counts the answers, and records its orders to compare them
// with the stored ones afterwards.
package customer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"storefront/cmd/internal/must"
)

// Client sends requests to the service and counts the answers.
type Client struct {
	Base    func() string // host:port of the next request
	Web     *http.Client  // nil: the default
	Token   string        // empty: signed out
	Headers []string      // headers of each request, in pairs
	Tally   *Tally        // counts answers; may be nil
}

// Patience is how long a client waits for an answer, longer than the service may take for any.
const Patience = 30 * time.Second

// Web returns an HTTP client that sends requests from an address of this machine, or from any if it is empty.
func Web(from string) *http.Client {
	dialer := net.Dialer{Timeout: Patience}
	if from != "" {
		dialer.LocalAddr = &net.TCPAddr{IP: net.ParseIP(from)}
	}
	return &http.Client{Timeout: Patience, Transport: &http.Transport{DialContext: dialer.DialContext,
		MaxIdleConnsPerHost: 2, IdleConnTimeout: 5 * time.Second}}
}

// Answer is the answer to a request. Its status is 0 if there was none.
type Answer struct {
	Request string
	Status  int
	Header  http.Header
	Body    []byte
	Took    time.Duration
	cause   error // why there was no answer
}

// mostRead is how much of an answer is read: more than any answer may have.
const mostRead = 32 << 20

// Send sends a request. The target is sent as it is, however malformed; headers come in pairs.
func (c *Client) Send(ctx context.Context, method, target string, body []byte, headers ...string) (a Answer) {
	a.Request = method + " " + Short([]byte(target)) + " " + Short(body)
	request, err := http.NewRequestWithContext(ctx, method, "http://"+c.Base(), bytes.NewReader(body))
	if err != nil {
		a.cause = err
		return a
	}
	request.URL.Opaque, request.URL.Path = target, ""
	if len(body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.Token)
	}
	for _, pairs := range [][]string{c.Headers, headers} {
		for i := 0; i < len(pairs); i += 2 {
			request.Header.Set(pairs[i], pairs[i+1])
		}
	}
	if request.Header.Get("Idempotency-Key") != "" {
		// net/http sends a request with this header again by itself, unless it cannot rewind the body.
		request.GetBody, request.Body = nil, io.NopCloser(request.Body)
	}
	began := time.Now()
	response, err := cmp.Or(c.Web, http.DefaultClient).Do(request)
	if err == nil {
		a.Status, a.Header = response.StatusCode, response.Header
		if a.Body, err = io.ReadAll(io.LimitReader(response.Body, mostRead)); err != nil {
			a.Status = 0
		}
		response.Body.Close()
	}
	a.Took, a.cause = time.Since(began), err
	if c.Tally != nil && (a.Status != 0 || ctx.Err() == nil) { // otherwise the trial is over
		c.Tally.Add(a)
	}
	return a
}

// REST sends a request to a path below /api/v1, with a JSON body if body is not nil.
func (c *Client) REST(ctx context.Context, method, path string, body any, headers ...string) Answer {
	return c.Send(ctx, method, "/api/v1"+path, JSON(body), headers...)
}

// Ask sends a document to /graphql.
func (c *Client) Ask(ctx context.Context, document string, variables map[string]any) Answer {
	return c.Send(ctx, http.MethodPost, "/graphql", JSON(map[string]any{"query": document, "variables": variables}))
}

// Listed reads up to pages pages of a list of REST. The path must have a query.
func Listed[T any](ctx context.Context, c *Client, path string, pages int) (all []T) {
	const most = 100
	for page := range pages {
		var listed struct{ Items []T }
		target := fmt.Sprintf("%s&pageSize=%d&page=%d", path, most, page+1)
		must.Do(c.REST(ctx, http.MethodGet, target, nil).Read(&listed))
		if all = append(all, listed.Items...); len(listed.Items) < most {
			break
		}
	}
	return all
}

// JSON returns a body as JSON. nil is an empty body, and bytes are JSON already.
func JSON(body any) []byte {
	switch body := body.(type) {
	case nil:
		return nil
	case []byte:
		return body
	}
	text, _ := json.Marshal(body) // cannot fail: maps and strings
	return text
}

// The errors of a request that was not refused. ErrLost means that it is unknown whether it was done.
// ErrGone, which wraps ErrLost, means that there was no answer at all.
var (
	ErrLost = errors.New("it is open whether the request was done")
	ErrGone = fmt.Errorf("%w: there was no answer", ErrLost)
)

// Refusal is the error of a refused request: nothing was done.
type Refusal struct {
	Answer
	Code, Message string
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("%s was answered %d %s", r.Request, r.Status, Short(r.Body))
}

// Read reads the answer to a request that must succeed into a value, if any. It fails with ErrLost or a Refusal.
func (a Answer) Read(into any) error {
	if a.Status == 0 {
		return fmt.Errorf("%w: %s: %w", ErrGone, a.Request, a.cause)
	}
	var said struct {
		Code, Message string
		Errors        []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	if a.Status >= 400 || bytes.HasPrefix(a.Body, []byte(`{"errors"`)) {
		_ = json.Unmarshal(a.Body, &said) // absent members stay empty
	}
	if said.Code == "" && len(said.Errors) > 0 { // GraphQL; in REST these are errors of fields
		said.Code, said.Message = said.Errors[0].Extensions.Code, said.Errors[0].Message
	}
	switch {
	case a.Status == http.StatusServiceUnavailable || said.Code == "UNAVAILABLE":
		return fmt.Errorf("%w: %s", ErrLost, Short(a.Body))
	case a.Status >= 400 || len(said.Errors) > 0:
		return &Refusal{a, said.Code, said.Message}
	case into == nil:
		return nil
	}
	return json.Unmarshal(a.Body, into)
}

// Code returns the code of a refusal; empty for other errors.
func Code(err error) string {
	if refused, ok := errors.AsType[*Refusal](err); ok {
		return refused.Code
	}
	return ""
}

// Internal reports whether an answer is an internal error of the service, in REST or GraphQL.
func (a Answer) Internal() bool {
	return a.Status >= 500 && a.Status != 503 || bytes.Contains(a.Body, []byte(`"code":"INTERNAL"`))
}

// Short returns the first 300 bytes of a text.
func Short(text []byte) string { return string(text[:min(len(text), 300)]) }

// Get sends a GET request to a server.
func Get(ctx context.Context, addr, target string) Answer {
	c := Client{Base: At(addr)}
	return c.Send(ctx, http.MethodGet, target, nil)
}

// Metrics returns the values of a server's metrics by their names, with labels.
func Metrics(ctx context.Context, addr string) map[string]float64 {
	a, values := Get(ctx, addr, "/metrics"), map[string]float64{}
	must.Do(a.Read(nil))
	for line := range strings.Lines(string(a.Body)) {
		if at := strings.LastIndexByte(line, ' '); at > 0 && line[0] != '#' {
			values[line[:at]] = must.Get(strconv.ParseFloat(strings.TrimSpace(line[at:]), 64))
		}
	}
	return values
}

// Wait waits, or fails when ctx is done.
func Wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Pause waits, or until ctx is done, which the caller's next step shows.
func Pause(ctx context.Context, d time.Duration) { _ = Wait(ctx, d) }

// Until calls step again and again until it succeeds, and returns how long that took. It ends the trial with
// the last error after limit.
func Until(ctx context.Context, limit time.Duration, step func(context.Context) error) time.Duration {
	began := time.Now()
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	for {
		err := step(ctx)
		if err == nil {
			return time.Since(began)
		}
		must.Hold(Wait(ctx, 20*time.Millisecond) == nil, "not within %v: %w", limit, err)
	}
}

// At returns the Base of a client that uses one server.
func At(addr string) func() string { return func() string { return addr } }
