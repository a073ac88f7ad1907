package hostile

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"time"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/internal/customer"
)

// askForFacets requests the facets of a large shop 29 times in one document, each time with another filter.
func askForFacets(ctx context.Context, w *attacker, _ int) {
	w.askShop(ctx, catalog.Domain, 29, `a%d: products(name: "`+fmt.Sprint(w.random.IntN(1000))+` %d", pageSize: 1) {
		facets { categories { category { id } count } brands { brand { id } count }
			prices { currency buckets { count } } } } `, nil)
}

// askForCounts requests 29 counts, each of which could be cached under a filter of 200 KB.
func askForCounts(ctx context.Context, w *attacker, _ int) {
	if w.wanted == nil { // once, to leave the processors to the service
		values := make([]string, 20_000)
		for i := range values {
			values[i] = fmt.Sprint(100_000_000 + w.random.IntN(900_000_000))
		}
		w.wanted = customer.JSON(values)
	}
	w.askShop(ctx, market, 29, `a%d: products(values: $values, name: "%d") { total } `,
		[]any{body{"key": fmt.Sprint("k", w.random.IntN(1000)), "anyOf": w.wanted}})
}

// askForLongTexts requests all articles of 100,000 letters, a few times in one document.
func askForLongTexts(ctx context.Context, w *attacker, _ int) {
	w.askShop(ctx, longTexts, 1+w.random.IntN(29), `a%d: blogs(pageSize: 100) { items { body slug } } `, nil)
	customer.Pause(ctx, 10*time.Millisecond)
}

// askShop requests a field of a shop so many times in one document; %d in the field is replaced by the number.
func (w *attacker) askShop(ctx context.Context, domain string, times int, field string, values any) {
	declared, variables := "$domain: String!", body{"domain": domain}
	if values != nil {
		declared += ", $values: [TechnicalFilter!]"
		variables["values"] = values
	}
	w.Ask(ctx, "query("+declared+") { tenant(domain: $domain) {"+repeated(times, field)+"} }", variables)
}

// sendHugeBodies sends bodies that are longer, deeper or of more members than any request needs.
func sendHugeBodies(ctx context.Context, w *attacker, round int) {
	target := pick(w.random, []string{"/graphql", "/api/v1/auth/login", "/api/v1/tenants/" + market + "/comments"})
	for n := 1 << 10; round == 0 && n <= 4<<20; n *= 4 { // once, to leave the processors to the service
		few := min(n, 1<<17)
		for _, text := range []string{
			`{"query": "` + strings.Repeat("x", n) + `"}`,
			strings.Repeat(`{"a":`, n/8) + "1" + strings.Repeat("}", n/8),
			strings.Repeat("[", n),
			`{` + repeated(few/16, `"a%d": 1, `) + `"b": 1}`,
			`{"query": "{ ` + strings.Repeat("a{", few/2) + `"}`,
			`{"query": "{ ` + strings.Repeat("__typename ", few/11) + ` }"}`,
		} {
			w.huge = append(w.huge, []byte(text))
		}
	}
	w.Send(ctx, "POST", target, pick(w.random, w.huge))
}

// dial opens a connection from a random address. It ends with ctx, after most, or by hangUp. It is nil if it
// cannot be opened.
func (w *attacker) dial(ctx context.Context, most time.Duration) (connection net.Conn, hangUp func()) {
	from := &net.TCPAddr{IP: net.ParseIP(anywhere(w.random))}
	connection, err := (&net.Dialer{LocalAddr: from, Timeout: customer.Patience}).DialContext(ctx, "tcp", w.Base())
	if err != nil {
		customer.Pause(ctx, 100*time.Millisecond) // for example: no free port
		return nil, func() {}
	}
	_ = connection.SetDeadline(time.Now().Add(most)) // never fails on an open connection
	stop := context.AfterFunc(ctx, func() { connection.Close() })
	return connection, func() { stop(); connection.Close() }
}

// keepOpen keeps n connections, and uses each until it closes.
func (w *attacker) keepOpen(ctx context.Context, n int, use func(connection net.Conn)) {
	places := make(chan struct{}, max(n, 1))
	for ctx.Err() == nil {
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			return
		}
		connection, hangUp := w.dial(ctx, w.trial.atMost)
		if connection == nil {
			<-places
			continue
		}
		go func() {
			defer func() { <-places }()
			defer hangUp()
			use(connection)
		}()
		customer.Pause(ctx, time.Millisecond)
	}
}

// standIdle keeps as many connections as the flags say, each of which sends one request and then stays silent.
func standIdle(ctx context.Context, w *attacker, _ int) {
	w.keepOpen(ctx, w.trial.idle, func(connection net.Conn) {
		w.exchange(connection, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
		_, _ = io.Copy(io.Discard, connection) // until one of the two closes it
	})
}

// stopBodies keeps half as many connections as standIdle, each of which sends nearly all of a large body.
func stopBodies(ctx context.Context, w *attacker, _ int) {
	most := 256 << 10
	begun := fmt.Sprintf(announced, "POST /graphql", most) + strings.Repeat(" ", most-2048)
	w.keepOpen(ctx, w.trial.idle/2, func(connection net.Conn) {
		w.exchange(connection, begun)
		customer.Pause(ctx, 10*time.Second) // to leave the processors to the service
	})
}

// dripRequests keeps twice as many connections as standIdle, each of which slowly sends the bytes of a request.
func dripRequests(ctx context.Context, w *attacker, _ int) {
	w.keepOpen(ctx, 2*w.trial.idle, func(connection net.Conn) {
		answered := make(chan struct{})
		go func() {
			defer close(answered)
			w.exchange(connection, "GET /graphql/stream HTTP/1.1\r\nHost: x\r\nX: ")
		}()
		for {
			select {
			case <-answered:
				return
			case <-time.After(5 * time.Second):
				_, _ = connection.Write([]byte("x")) // an error shows in the answer
			}
		}
	})
}

// readNothing asks for long texts on 40 connections, and never reads the answers.
func readNothing(ctx context.Context, w *attacker, _ int) {
	w.keepOpen(ctx, 40, func(connection net.Conn) {
		query := string(customer.JSON(body{"query": fmt.Sprintf(
			`{ a%d: tenant(domain: %q) { blogs(pageSize: 100) { items { body } } } }`, rand.Uint64(), longTexts)}))
		fmt.Fprintf(connection, announced+"%s", "POST /graphql", len(query), query)
		customer.Pause(ctx, 10*time.Second)
	})
}

// exchange sends the text of a request and reads the answer.
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

// announced is the header of a request with a body of a length.
const announced = "%s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"

// dripBodies sends a body byte by byte for as long as the service accepts it.
func dripBodies(ctx context.Context, w *attacker, _ int) {
	connection, hangUp := w.dial(ctx, time.Minute)
	defer hangUp()
	if connection == nil {
		return
	}
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		w.exchange(connection, fmt.Sprintf(announced, "POST /api/v1/tenants/"+market+"/comments", 20_000)+"{")
	}()
	for open := true; open; {
		select {
		case <-answered:
			open = false
		case <-time.After(20 * time.Millisecond):
			_, err := connection.Write([]byte(" "))
			open = err == nil
		}
	}
	hangUp()
	<-answered
}

// announceBodies announces bodies of any length that never come, to routes with and without credentials.
func announceBodies(ctx context.Context, w *attacker, _ int) {
	connection, hangUp := w.dial(ctx, time.Minute)
	defer hangUp()
	if connection != nil {
		w.exchange(connection, fmt.Sprintf(announced,
			pick(w.random, []string{"POST /api/v1/auth/addresses", "PATCH /api/v1/auth/profile", "POST /graphql",
				"POST /api/v1/auth/login", "GET /api/v1/cities", "POST /nowhere"}), 1+w.random.IntN(1<<20)))
	}
}
