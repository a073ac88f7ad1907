package hostile

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"storefront/cmd/internal/customer"
)

// dial opens a connection from anywhere that ends with ctx, or after some time.
func (w *attacker) dial(ctx context.Context, most time.Duration) (net.Conn, error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(anywhere(w.random))}, Timeout: patience}
	connection, err := dialer.DialContext(ctx, "tcp", w.Base())
	if err != nil {
		wait(ctx, 100*time.Millisecond) // for example: no free port
		return nil, err
	}
	_ = connection.SetDeadline(time.Now().Add(most)) // never fails on an open connection
	return connection, nil
}

// standIdle opens connections until there are as many as the flags say, each of which asks once and then says
// nothing, and opens another for each that the service closes.
func standIdle(ctx context.Context, w *attacker) {
	places := make(chan struct{}, max(w.trial.idle, 1))
	for ctx.Err() == nil {
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			return
		}
		connection, err := w.dial(ctx, w.trial.atMost)
		if err != nil {
			<-places
			continue
		}
		go func() {
			defer func() { <-places }()
			defer connection.Close()
			defer context.AfterFunc(ctx, func() { connection.Close() })()
			w.exchange(connection, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
			_, _ = io.Copy(io.Discard, connection) // until one of the two closes it
		}()
		wait(ctx, time.Millisecond)
	}
}

// exchange sends a request as it is written and reads the answer.
func (w *attacker) exchange(connection net.Conn, request string) {
	start, a := time.Now(), customer.Answer{Request: customer.Short([]byte(request))}
	if _, err := io.WriteString(connection, request); err == nil {
		if response, err := http.ReadResponse(bufio.NewReader(connection), nil); err == nil {
			a.Status = response.StatusCode
			a.Body, _ = io.ReadAll(response.Body) // a broken answer shows in its status
		}
	}
	a.Took = time.Since(start)
	w.Tally.Add(a)
}

// dripBodies sends a body byte by byte for as long as the service takes it.
func dripBodies(ctx context.Context, w *attacker) {
	connection, err := w.dial(ctx, time.Minute)
	if err != nil {
		return
	}
	defer connection.Close()
	defer context.AfterFunc(ctx, func() { connection.Close() })()
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		w.exchange(connection, "POST /api/v1/tenants/"+market+
			"/comments HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20000\r\n\r\n{")
	}()
	for ctx.Err() == nil {
		select {
		case <-answered:
			return
		case <-time.After(20 * time.Millisecond):
			if _, err := connection.Write([]byte(" ")); err != nil {
				<-answered
				return
			}
		}
	}
	<-answered
}

// announceBodies announces bodies of any length that never come, to routes with and without credentials.
func announceBodies(ctx context.Context, w *attacker) {
	connection, err := w.dial(ctx, time.Minute)
	if err != nil {
		return
	}
	defer connection.Close()
	defer context.AfterFunc(ctx, func() { connection.Close() })()
	w.exchange(connection, fmt.Sprintf(
		"%s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		pick(w.random, []string{"POST /api/v1/auth/addresses", "PATCH /api/v1/auth/profile", "POST /graphql",
			"POST /api/v1/auth/login", "GET /api/v1/cities", "POST /nowhere"}), 1+w.random.IntN(1<<20)))
}
