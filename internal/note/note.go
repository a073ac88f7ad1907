// Package note collects facts about a request on its way through the service, for the server's log and metrics:
// which operation it runs, for which shop, and with which error it ends. The server begins a note in the
// request's context; engine, resolvers and wire add to it. All functions take a context without a note as well.
package note

import (
	"context"
	"sync"
	"time"
)

// Note holds the facts about one request. Several goroutines may add to it at the same time.
type Note struct {
	mu   sync.Mutex
	read Read
}

// Read is the content of a note.
type Read struct {
	Operation string // its name; in a client's document any name
	Fields    string // the operation in words of the schema, of which there are not many: "tenant.products"
	Tenant    string // the domain of the shop, or its id where only that is known
	Found     bool   // the shop exists; else the client may have made it up
	Code      string // of the gravest error that was answered
	Errors    int    // that were answered
	Failures  int    // of the service itself, while it answered
	Own       bool   // it waited in vain, for other requests of its client

	Stale bool          // the answer is a kept one, given while the database does not answer
	Age   time.Duration // since its versions were last read

	Again time.Duration // after which the client may ask for the same once more; 0: at once

	Database time.Duration // total time for which it held connections
}

type key struct{}

// New returns a context with a new note.
func New(ctx context.Context) (context.Context, *Note) {
	n := new(Note)
	return context.WithValue(ctx, key{}, n), n
}

// Of returns the note of a context, or nil.
func Of(ctx context.Context) *Note {
	n, _ := ctx.Value(key{}).(*Note)
	return n
}

// Read returns the content of the note.
func (n *Note) Read() Read {
	if n == nil {
		return Read{}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.read
}

// Runs notes the operation that is run.
func (n *Note) Runs(operation, fields string) {
	n.change(func(r *Read) { r.Operation, r.Fields = operation, fields })
}

// Asks notes the shop that the client names.
func (n *Note) Asks(tenant string) {
	n.change(func(r *Read) { r.Tenant, r.Found = tenant, false })
}

// For notes the shop, which exists.
func (n *Note) For(tenant string) {
	n.change(func(r *Read) { r.Tenant, r.Found = tenant, true })
}

// WaitedForOwn notes that the request waited in vain for other requests of its client.
func (n *Note) WaitedForOwn() { n.change(func(r *Read) { r.Own = true }) }

// Uses adds time for which a connection of the database was used.
func (n *Note) Uses(database time.Duration) {
	n.change(func(r *Read) { r.Database += database })
}

// Stale notes that the answer is what was known an age ago.
func (n *Note) Stale(age time.Duration) {
	n.change(func(r *Read) { r.Stale, r.Age = true, age })
}

// Again notes after which time the client may ask for the same once more.
func (n *Note) Again(after time.Duration) {
	n.change(func(r *Read) { r.Again = after })
}

// Answers notes the errors in the answer: the code of the gravest, and their number.
func (n *Note) Answers(code string, errors int) {
	n.change(func(r *Read) { r.Code, r.Errors = code, errors })
}

// Fails notes a failure of the service itself. It reports whether it is the request's first, which is
// logged; further ones, such as a hundred fields that wait for one database, repeat it.
func (n *Note) Fails() (first bool) {
	if n == nil {
		return true
	}
	n.change(func(r *Read) { r.Failures++; first = r.Failures == 1 })
	return first
}

func (n *Note) change(how func(*Read)) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	how(&n.read)
}
