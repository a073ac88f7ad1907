// Package request holds what is known of a request while the service works on it: one value in its context. The server
// begins it, the engine adds the credentials as they were sent, asks internal/customer/account or
// internal/message/partner whether they are good, and adds the caller; resolvers and the rooms below them read it.
// It checks nothing itself. Besides it, a context carries what belongs to the database's transaction (also how far it
// reads, and whether it waits for the disk), the span of the tracing, and the server's own connection.
package request

import (
	"context"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"storefront/internal/locale/language"
)

// Request is what is known of a request. It is not changed: With makes another one.
type Request struct {
	ID       string // in the log; empty outside of a request
	Arrival  Arrival
	Stopping <-chan struct{}  // closed when the server begins to stop: long answers end then; nil: never
	Language *language.Reader // translates the messages of the answer
	Note     *Note            // for the log; nil: none
	Client   Client           // for whom the work counts

	Credentials Credentials // as sent
	Caller      *Caller     // the customer who has signed in; nil: none
	Program     *Program    // that calls; nil: none
	Staff       *Staff      // who act, whose permission has been checked; nil: none
	Partner     *Partner    // whose key has been checked; nil: none

	Tenant uuid.UUID            // whose records are read and written (internal/database/tenancy); Nil: none
	Shops  map[string]uuid.UUID // by the domains that the operation names
	Now    time.Time            // the time as of which records are public
	Key    *Key                 // the Idempotency-Key of a mutation that makes itself idempotent; set by the engine

	// What the packages that read records keep for the operation.
	Scope      any // of internal/catalog
	Siblings   any // of internal/list
	Unlocked   any // of internal/content/derive: why content may be changed without its lock
	Selections any // of internal/catalog/selection
	Stream     any // of internal/event/live
}

// Arrival is when a request arrived.
type Arrival struct {
	At  time.Time // by the clock that requests see; zero: it is not known
	Own time.Time // by the clock of the process, which no test stops and no server sets
}

// Client is somebody who sends requests, at an address or with a name of another kind, such as a host.
type Client struct {
	Addr  netip.Addr
	Name  string
	Known bool // strangers at the same address are another client
}

// ClientAt returns the client at an address: an IPv6 network of 64 bits is one client.
func ClientAt(addr netip.Addr) Client {
	addr = addr.Unmap().WithZone("")
	if addr.Is6() {
		network, _ := addr.Prefix(64) // fails if the address has fewer bits
		addr = network.Addr()
	}
	return Client{Addr: addr}
}

type key struct{}

// Of returns the request of a context, which must not be changed; outside of a request an empty one.
func Of(ctx context.Context) *Request {
	if r, ok := ctx.Value(key{}).(*Request); ok {
		return r
	}
	return &none
}

// none is the request of contexts outside of one.
var none Request

// With returns a context with a copy of its request that change has changed.
func With(ctx context.Context, change func(*Request)) context.Context {
	r := *Of(ctx)
	change(&r)
	return context.WithValue(ctx, key{}, &r)
}

// WithClient returns a context whose work counts for a client.
func WithClient(ctx context.Context, c Client) context.Context {
	return With(ctx, func(r *Request) { r.Client = c })
}

// WithCaller returns a context in which a customer has signed in.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return With(ctx, func(r *Request) { r.Caller = &c })
}

// WithProgram returns a context in which a program calls.
func WithProgram(ctx context.Context, p Program) context.Context {
	return With(ctx, func(r *Request) { r.Program = &p })
}

// WithStaff returns a context in which staff act, whose permission has been checked.
func WithStaff(ctx context.Context, s Staff) context.Context {
	return With(ctx, func(r *Request) { r.Staff = &s })
}

// Language returns the reader of a request's messages; outside of a request it is English.
func Language(ctx context.Context) *language.Reader {
	if reader := Of(ctx).Language; reader != nil {
		return reader
	}
	return new(language.Reader)
}

// Key is the Idempotency-Key of a request that its handler itself makes idempotent. Messages of partners need this:
// an SMS cannot be undone with a transaction.
type Key struct {
	Text string // empty: there is none
	Done error  // not nil: the mutation was done already, and only the permissions of the caller are checked again

	replayed atomic.Bool
}

// Replay notes that the answer is that of an earlier request.
func (k *Key) Replay() { k.replayed.Store(true) }

// Replayed reports whether the answer is that of an earlier request.
func (k *Key) Replayed() bool { return k.replayed.Load() }
