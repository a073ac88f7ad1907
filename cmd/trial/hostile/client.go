package hostile

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"storefront/cmd/internal/customer"
)

// patience is how long a client waits for an answer, which is longer than the service may take for any.
const patience = 30 * time.Second

// client sends requests from one loopback address.
type client struct {
	customer.Client
	random *rand.Rand
}

// newClient returns a client at an address of 127.0.0.0/8.
func (t *trial) newClient(address string, counts *customer.Tally) *client {
	return (&client{Client: customer.Client{Base: func() string { return t.server.Addr }, Tally: counts},
		random: rand.New(rand.NewPCG(t.seed, t.clients.Add(1)))}).at(t, address)
}

// at is the client at another address.
func (c client) at(t *trial, address string) *client {
	c.Web = t.sender(address)
	return c.as(forwarded(address))
}

// forwarded is the address that stands for one of 127.0.0.0/8 in X-Forwarded-For. The service trusts those as it
// trusts its proxies: they have no share of it, as each may stand for many clients.
func forwarded(address string) string { return "10" + strings.TrimPrefix(address, "127") }

// as is the client behind a proxy that says another address.
func (c client) as(address string) *client {
	c.Headers = []string{"X-Forwarded-For", address}
	return &c
}

// sender returns what sends requests from an address; there is one for each, which keeps its connections.
func (t *trial) sender(address string) *http.Client {
	made, _ := t.senders.LoadOrStore(address, customer.Web(address, patience))
	return made.(*http.Client)
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

// wait waits, or returns when ctx is done, at which the loops of all clients end.
func wait(ctx context.Context, d time.Duration) { _ = customer.Wait(ctx, d) }
