package hostile

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// patience is how long a client waits for an answer, which is longer than the service may take for any.
const patience = 30 * time.Second

// client sends requests from one loopback address and counts the answers.
type client struct {
	base   string // host:port
	web    *http.Client
	from   string // address
	as     string // what X-Forwarded-For says in its place; empty: what stands for it
	tally  *tally
	random *rand.Rand
	token  string // empty: signed out
}

// newClient returns a client at an address of 127.0.0.0/8.
func (t *trial) newClient(address string, counts *tally) *client {
	return &client{base: t.server.Addr, web: t.sender(address), from: address, tally: counts,
		random: rand.New(rand.NewPCG(t.seed, t.clients.Add(1)))}
}

// forwarded is the address that stands for one of 127.0.0.0/8 in X-Forwarded-For. The service trusts those as it
// trusts its proxies: they have no share of it, as each may stand for many clients.
func forwarded(address string) string { return "10" + strings.TrimPrefix(address, "127") }

// sender returns what sends requests from an address; there is one for each, which keeps its connections.
func (t *trial) sender(address string) *http.Client {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: patience}
	made, _ := t.senders.LoadOrStore(address, &http.Client{Timeout: patience, Transport: &http.Transport{
		DialContext: dialer.DialContext, MaxIdleConnsPerHost: 2, IdleConnTimeout: 5 * time.Second}})
	return made.(*http.Client)
}

// answer is what came back. Status 0: nothing did.
type answer struct {
	request string
	status  int
	body    []byte
	took    time.Duration
}

// internal reports whether an answer says that the service failed, in the way of either interface.
func (a answer) internal() bool {
	return a.status >= 500 && a.status != 503 || bytes.Contains(a.body, []byte(`"code":"INTERNAL"`))
}

// mostRead is how much of an answer is read, which is more than any may be long.
const mostRead = 32 << 20

// send sends a request whose target is written as it is, however malformed; headers come in pairs.
func (c *client) send(ctx context.Context, method, target string, body []byte, headers ...string) answer {
	a := answer{request: method + " " + short([]byte(target)) + " " + short(body)}
	request, err := http.NewRequestWithContext(ctx, method, "http://"+c.base, bytes.NewReader(body))
	if err != nil {
		return a
	}
	request.URL = &url.URL{Scheme: "http", Host: c.base, Opaque: target}
	request.Header.Set("X-Forwarded-For", cmp.Or(c.as, forwarded(c.from)))
	if len(body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	start := time.Now()
	if response, err := c.web.Do(request); err == nil {
		a.status = response.StatusCode
		if a.body, err = io.ReadAll(io.LimitReader(response.Body, mostRead)); err != nil {
			a.status = 0
		}
		response.Body.Close()
	}
	a.took = time.Since(start)
	if a.status == 0 && ctx.Err() != nil {
		return a // the trial is over
	}
	c.tally.add(a)
	return a
}

// rest sends a request to a path below /api/v1, with a body that is written as JSON, if any.
func (c *client) rest(ctx context.Context, method, path string, body any, headers ...string) answer {
	return c.send(ctx, method, "/api/v1"+path, written(body), headers...)
}

// ask sends a document to /graphql.
func (c *client) ask(ctx context.Context, document string, variables map[string]any) answer {
	return c.send(ctx, http.MethodPost, "/graphql", written(map[string]any{"query": document,
		"variables": variables}))
}

func written(body any) []byte {
	if body == nil {
		return nil
	}
	text, _ := json.Marshal(body) // of maps and texts: never fails
	return text
}

// read reads the answer to a request that must succeed.
func (a answer) read(into any) error {
	if a.status/100 != 2 {
		return fmt.Errorf("%s was answered %d %s", a.request, a.status, short(a.body))
	}
	return json.Unmarshal(a.body, into)
}

// someone is a random cell number; hardly anyone's account has it.
func someone(r *rand.Rand) string { return fmt.Sprintf("+98935%07d", r.IntN(10_000_000)) }

// pick returns one of some values.
func pick[T any](r *rand.Rand, values []T) T { return values[r.IntN(len(values))] }

// repeated writes n parts; %d in a part is its number.
func repeated(n int, part string) string {
	var all strings.Builder
	for i := range n {
		all.WriteString(strings.ReplaceAll(part, "%d", fmt.Sprint(i)))
	}
	return all.String()
}
