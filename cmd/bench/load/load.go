// Package load is a small HTTP/1.1 client that asks as fast as it is answered: it spends little of the
// processor that it shares with the server it measures.
package load

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httputil"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// patience is how long one answer may take.
const patience = 15 * time.Second

// Result is what a load met.
type Result struct {
	Count     int             // answers
	Latencies []time.Duration // of each answer
	Took      time.Duration   // sum of the time that load was on
}

// Add joins the result of another spell of the same load.
func (r *Result) Add(other Result) {
	r.Count += other.Count
	r.Latencies = append(r.Latencies, other.Latencies...)
	r.Took += other.Took
}

// PerSecond is the number of answers in a second.
func (r *Result) PerSecond() float64 { return float64(r.Count) / r.Took.Seconds() }

// Quantile is the latency that a share of all answers did not exceed.
func (r *Result) Quantile(share float64) time.Duration {
	if len(r.Latencies) == 0 {
		return 0
	}
	slices.Sort(r.Latencies)
	return r.Latencies[min(int(share*float64(len(r.Latencies))), len(r.Latencies)-1)]
}

// Request is something to ask for, and the status of the answer when all is well.
type Request struct {
	Method, Target string // "/path?query"
	Token          string // of the customer who is signed in; empty: none is
	Body           string // JSON; empty: none
	Status         int
	Then           []Request // sent one by one behind it; the latency is of all together
}

// Get returns requests for targets.
func Get(targets []string) []Request {
	requests := make([]Request, len(targets))
	for i, target := range targets {
		requests[i] = Request{Method: http.MethodGet, Target: target, Status: http.StatusOK}
	}
	return requests
}

// prepared is a request as it is sent, and the beginning of the answer that is due.
type prepared struct{ text, due []byte }

// prepare returns the request and those behind it.
func (r Request) prepare(addr string) []prepared {
	text := fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: bench\r\nAccept: application/json\r\n",
		r.Method, r.Target, addr)
	if r.Token != "" {
		text = fmt.Appendf(text, "Authorization: Bearer %s\r\n", r.Token)
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

// Run sends the requests in turn, with each client on a connection of its own and beginning at a place of
// its own, for so long. It fails when an answer has another status or does not tell its length.
func Run(ctx context.Context, addr string, all []Request, clients int, spell time.Duration) (Result, error) {
	return run(ctx, addr, all, clients, func(client int, began time.Time) share {
		return share{first: client * len(all) / clients, end: began.Add(spell), most: math.MaxInt}
	})
}

// Once sends each request once. It fails as Run does.
func Once(ctx context.Context, addr string, all []Request, clients int) (Result, error) {
	return run(ctx, addr, all, clients, func(client int, began time.Time) share {
		first := client * len(all) / clients
		return share{first: first, end: began.Add(longest), most: (client+1)*len(all)/clients - first}
	})
}

// longest is the time in which everything is to be sent once.
const longest = time.Hour

// share is what one of the clients sends.
type share struct {
	first, most int // requests
	end         time.Time
}

func run(ctx context.Context, addr string, all []Request, clients int, of func(int, time.Time) share) (Result, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	requests := make([][]prepared, len(all))
	for i, r := range all {
		requests[i] = r.prepare(addr)
	}
	results, errs := make([]Result, clients), make([]error, clients)
	var running sync.WaitGroup
	start := time.Now()
	for i := range clients {
		running.Go(func() {
			results[i], errs[i] = runOne(ctx, addr, requests, of(i, start))
			if errs[i] != nil {
				stop()
			}
		})
	}
	running.Wait()
	total := Result{Took: time.Since(start)}
	for i := range clients {
		if errs[i] != nil && ctx.Err() == nil || errs[i] != nil && !strings.Contains(errs[i].Error(), "canceled") {
			return Result{}, errs[i]
		}
		total.Count += results[i].Count
		total.Latencies = append(total.Latencies, results[i].Latencies...)
	}
	return total, ctx.Err()
}

func runOne(ctx context.Context, addr string, requests [][]prepared, mine share) (result Result, err error) {
	c, err := dial(ctx, addr)
	if err != nil {
		return result, err
	}
	defer c.Close()
	for now := time.Now(); now.Before(mine.end) && result.Count < mine.most; {
		if err := ctx.Err(); err != nil {
			return result, err
		}
		for _, request := range requests[(mine.first+result.Count)%len(requests)] {
			if err := c.ask(request); err != nil {
				return result, err
			}
		}
		answered := time.Now()
		result.Count++
		result.Latencies = append(result.Latencies, answered.Sub(now))
		now = answered
	}
	return result, nil
}

type client struct {
	net.Conn
	answers *bufio.Reader
}

func dial(ctx context.Context, addr string) (*client, error) {
	conn, err := (&net.Dialer{Timeout: patience}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &client{conn, bufio.NewReaderSize(conn, 1<<16)}, nil
}

// ask sends a request and reads its answer to the end.
func (c *client) ask(request prepared) error {
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if _, err := c.Write(request.text); err != nil {
		return err
	}
	status, err := c.answers.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(status, request.due) {
		return fmt.Errorf("%s was answered with %s", strings.SplitN(string(request.text), "\r\n", 2)[0],
			strings.TrimSpace(string(status)))
	}
	length, chunked := -1, false
	for {
		line, err := c.answers.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) == 2 {
			break
		}
		chunked = chunked || string(line) == "Transfer-Encoding: chunked\r\n"
		if value, ok := strings.CutPrefix(string(line), "Content-Length: "); ok {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return err
			}
		}
	}
	if chunked {
		if _, err := io.Copy(io.Discard, httputil.NewChunkedReader(c.answers)); err != nil {
			return err
		}
		_, err := c.answers.ReadSlice('\n') // the end of trailers, of which there are none
		return err
	}
	if length < 0 {
		return fmt.Errorf("%s was answered without its length", strings.SplitN(string(request.text), "\r\n", 2)[0])
	}
	_, err = io.CopyN(io.Discard, c.answers, int64(length))
	return err
}
