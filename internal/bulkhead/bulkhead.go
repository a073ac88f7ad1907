// Package bulkhead bounds how many calls of one kind run at once and how many wait for their turn, so that a
// flood of one kind takes neither the connections of the database nor the places of the server from requests
// of other kinds. internal/account has one for SMS codes and one for passwords.
//
// It is fair to the clients: each has a queue of its own, the queues take turns, and when too many calls wait
// the client with the longest queue loses its newest call. A client that sends thousands of requests delays
// and displaces its own.
package bulkhead

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// ErrFull means that too many calls are waiting already.
var ErrFull = errors.New("bulkhead: too many calls are waiting")

// Bulkhead admits calls. It is safe for concurrent use.
type Bulkhead struct {
	mu      sync.Mutex
	free    int // calls that may begin now
	room    int // calls that may begin to wait now
	queues  map[string][]*call
	clients []string // that have a queue, in the order of their turns
}

// call is a call that waits.
type call struct {
	decided chan error // nil: it may run; ErrFull: it was displaced
}

// New returns a bulkhead in which up to running calls run at once and up to waiting calls wait.
func New(running, waiting int) *Bulkhead {
	return &Bulkhead{free: running, room: waiting, queues: map[string][]*call{}}
}

// Enter waits until a call of a client may run, and returns the function that ends it. It fails with ErrFull
// when too many calls wait, and with the error of ctx when that ends first.
func (b *Bulkhead) Enter(ctx context.Context, client string) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	waiting, err := b.begin(client)
	if err != nil {
		return nil, err
	}
	if waiting == nil {
		return b.leave, nil
	}
	select {
	case err := <-waiting.decided:
		if err != nil {
			return nil, err
		}
		return b.leave, nil
	case <-ctx.Done():
		if b.giveUp(client, waiting) {
			b.leave() // it was admitted at this very moment
		}
		return nil, ctx.Err()
	}
}

// begin lets a call run, and returns nil, or puts it into its client's queue.
func (b *Bulkhead) begin(client string) (*call, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.free > 0 { // then nobody waits
		b.free--
		return nil, nil
	}
	if b.room == 0 && !b.displace(len(b.queues[client])+1) {
		return nil, ErrFull
	}
	b.room--
	waiting := &call{decided: make(chan error, 1)}
	if len(b.queues[client]) == 0 {
		b.clients = append(b.clients, client)
	}
	b.queues[client] = append(b.queues[client], waiting)
	return waiting, nil
}

// displace ends the newest call of the client with the longest queue, if that is longer than length.
func (b *Bulkhead) displace(length int) bool {
	longest := ""
	for _, client := range b.clients {
		if len(b.queues[client]) > max(length, len(b.queues[longest])) {
			longest = client
		}
	}
	queue := b.queues[longest]
	if len(queue) == 0 {
		return false
	}
	newest := queue[len(queue)-1]
	b.remove(longest, newest)
	newest.decided <- ErrFull
	return true
}

// leave ends a call and admits the oldest of the client whose turn it is.
func (b *Bulkhead) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.clients) == 0 {
		b.free++
		return
	}
	client := b.clients[0]
	next := b.queues[client][0]
	b.remove(client, next)
	if len(b.queues[client]) > 0 {
		b.clients = append(b.clients[1:], client)
	}
	next.decided <- nil
}

// giveUp removes a call that no longer waits. It reports whether the call had been admitted already.
func (b *Bulkhead) giveUp(client string, waiting *call) (admitted bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case err := <-waiting.decided:
		return err == nil
	default:
		b.remove(client, waiting)
		return false
	}
}

// remove takes a call out of its client's queue.
func (b *Bulkhead) remove(client string, waiting *call) {
	queue := b.queues[client]
	i := slices.Index(queue, waiting)
	b.queues[client] = slices.Delete(queue, i, i+1)
	b.room++
	if len(b.queues[client]) == 0 {
		delete(b.queues, client)
		b.clients = slices.DeleteFunc(b.clients, func(c string) bool { return c == client })
	}
}
