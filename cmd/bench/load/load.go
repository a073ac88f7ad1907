// Package load is a small HTTP/1.1 client for load tests. It uses little processor time, because it shares
// the processors with the measured server.
package load

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"storefront/cmd/internal/must"
)

// patience is how long one answer may take.
const patience = 15 * time.Second

// Result is the result of a load.
type Result struct {
	Count     int             // answers
	Latencies []time.Duration // one per answer
	Took      time.Duration   // total time under load
}

// Add adds the result of another run of the same load.
func (r *Result) Add(other Result) {
	r.Count += other.Count
	r.Latencies = append(r.Latencies, other.Latencies...)
	r.Took += other.Took
}

// PerSecond returns the number of answers in a second.
func (r *Result) PerSecond() float64 { return float64(r.Count) / r.Took.Seconds() }

// Quantile returns the latency that the given share of all answers did not exceed.
func (r *Result) Quantile(share float64) time.Duration {
	if len(r.Latencies) == 0 {
		return 0
	}
	slices.Sort(r.Latencies)
	return r.Latencies[min(int(share*float64(len(r.Latencies))), len(r.Latencies)-1)]
}

// Request is a request and the expected status of its answer.
type Request struct {
	Method, Target string // "/path?query"
	Token          string // of the signed-in customer; empty: none
	Key            string // Idempotency-Key; empty: none
	Body           string // JSON; empty: none
	Status         int
	Then           []Request // sent after it one by one; the latency is that of all together
}

// Get returns GET requests for targets.
func Get(targets []string) []Request {
	requests := make([]Request, len(targets))
	for i, target := range targets {
		requests[i] = Request{Method: http.MethodGet, Target: target, Status: http.StatusOK}
	}
	return requests
}

// prepared is the text of a request, and the expected beginning of its answer.
type prepared struct{ text, due []byte }

// prepare returns the request and those in Then, prepared.
func (r Request) prepare(addr string) []prepared {
	text := fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: bench\r\nAccept: application/json\r\n",
		r.Method, r.Target, addr)
	if r.Token != "" {
		text = fmt.Appendf(text, "Authorization: Bearer %s\r\n", r.Token)
	}
	if r.Key != "" {
		text = fmt.Appendf(text, "Idempotency-Key: %s\r\n", r.Key)
	}
	if r.Body != "" {
		text = fmt.Appendf(text, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(r.Body))
	}
	text = append(append(text, "\r\n"...), r.Body...)
	all := []prepared{{text, fmt.Appendf(nil, "HTTP/1.1 %d ", r.Status)}}
	for _, next := range r.Then {
		all = append(all, next.prepare(addr)...)
	}
	return all
}

// Run sends the requests in turn for the time spell, or each request once if spell is 0. Each client has its
// own connection and begins at another request. Run fails if an answer has another status or no length.
func Run(ctx context.Context, addr string, all []Request, clients int, spell time.Duration) (Result, error) {
	requests := make([][]prepared, len(all))
	for i, r := range all {
		requests[i] = r.prepare(addr)
	}
	results := make([]Result, clients)
	running, ctx := errgroup.WithContext(ctx)
	start := time.Now()
	for i := range clients {
		running.Go(func() error {
			first, next := i*len(all)/clients, (i+1)*len(all)/clients
			mine := requests[first:next]
			if spell > 0 {
				mine = slices.Concat(requests[first:], requests[:first])
			}
			return must.Run(func() { results[i].take(ctx, addr, mine, start, spell) })
		})
	}
	err := running.Wait()
	total := Result{Took: time.Since(start)}
	for _, r := range results {
		total.Count += r.Count
		total.Latencies = append(total.Latencies, r.Latencies...)
	}
	return total, err
}

// take sends requests repeatedly for a time, or once if that is 0.
func (r *Result) take(ctx context.Context, addr string, requests [][]prepared, start time.Time, spell time.Duration) {
	conn := must.Get((&net.Dialer{Timeout: patience}).DialContext(ctx, "tcp", addr))
	defer conn.Close()
	c := &client{conn, bufio.NewReaderSize(conn, 1<<16)}
	for now := time.Now(); spell == 0 && r.Count < len(requests) || now.Sub(start) < spell; {
		must.Do(ctx.Err())
		for _, request := range requests[r.Count%len(requests)] {
			c.ask(request)
		}
		answered := time.Now()
		r.Count++
		r.Latencies = append(r.Latencies, answered.Sub(now))
		now = answered
	}
}

type client struct {
	net.Conn
	answers *bufio.Reader
}

// ask sends a request and reads its answer to the end.
func (c *client) ask(request prepared) {
	must.Do(c.SetDeadline(time.Now().Add(patience)))
	must.Get(c.Write(request.text))
	wrong := func(how string, args ...any) {
		line, _, _ := strings.Cut(string(request.text), "\r\n")
		must.Hold(false, "%s was answered %s", line, fmt.Sprintf(how, args...))
	}
	status := must.Get(c.answers.ReadSlice('\n'))
	if !bytes.HasPrefix(status, request.due) {
		wrong("with %s", bytes.TrimSpace(status))
	}
	length, chunked := -1, false
	for {
		line := must.Get(c.answers.ReadSlice('\n'))
		if len(line) == 2 {
			break
		}
		chunked = chunked || string(line) == "Transfer-Encoding: chunked\r\n"
		if value, ok := strings.CutPrefix(string(line), "Content-Length: "); ok {
			length = must.Get(strconv.Atoi(strings.TrimSpace(value)))
		}
	}
	switch {
	case chunked:
		must.Get(io.Copy(io.Discard, httputil.NewChunkedReader(c.answers)))
		must.Get(c.answers.ReadSlice('\n')) // the end of the empty trailers
	case length < 0:
		wrong("without its length")
	default:
		must.Get(io.CopyN(io.Discard, c.answers, int64(length)))
	}
}
