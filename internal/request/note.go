package request

import (
	"context"
	"sync"
	"time"
)

// Note collects facts about a request on its way through the service, for the server's log and metrics: which
// operation it runs, for which shop, and with which error it ends. The server begins it; engine, resolvers and wire add
// to it, several at the same time. A nil note collects nothing.
type Note struct {
	mu    sync.Mutex
	facts Facts
}

// Facts is the content of a note.
type Facts struct {
	Operation string // its name; in a client's document any name
	Fields    string // the operation in words of the schema, of which there are not many: "tenant.products"
	Tenant    string // the domain of the shop, or its id where only that is known
	Found     bool   // the shop exists; else the client may have made it up
	Code      string // of the gravest error that was answered
	Errors    int    // that were answered
	Failures  int    // of the service itself, while it answered

	Stale bool          // the answer is a kept one, given while the database does not answer
	Age   time.Duration // since its versions were last read

	Again time.Duration // after which the client may ask for the same once more; 0: at once

	Database time.Duration // total time for which it held connections
}

// WithNote returns a context with a new note.
func WithNote(ctx context.Context) (context.Context, *Note) {
	n := new(Note)
	return With(ctx, func(r *Request) { r.Note = n }), n
}

// Read returns the content of the note.
func (n *Note) Read() Facts {
	if n == nil {
		return Facts{}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.facts
}

// Asks notes the shop that the client names.
func (n *Note) Asks(tenant string) {
	n.Add(func(r *Facts) { r.Tenant, r.Found = tenant, false })
}

// For notes the shop, which exists.
func (n *Note) For(tenant string) {
	n.Add(func(r *Facts) { r.Tenant, r.Found = tenant, true })
}

// Answers notes the errors in the answer: the code of the gravest, and their number.
func (n *Note) Answers(code string, errors int) {
	n.Add(func(r *Facts) { r.Code, r.Errors = code, errors })
}

// Fails notes a failure of the service itself. It reports whether it is the request's first, which is
// logged; further ones, such as a hundred fields that wait for one database, repeat it.
func (n *Note) Fails() (first bool) {
	if n == nil {
		return true
	}
	n.Add(func(r *Facts) { r.Failures++; first = r.Failures == 1 })
	return first
}

// Add adds a fact to the note.
func (n *Note) Add(fact func(*Facts)) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	fact(&n.facts)
}
