// Package bulkhead bounds how many calls of one kind run at once and how many wait for their turn, so that a
// flood of one kind takes neither the connections of the database nor the places of the server from requests of
// other kinds. internal/account has one for SMS codes and one for passwords.
//
// It is fair to the clients: each has a queue of its own, the queues take turns, and when too many calls wait
// the client with the longest queue loses its newest call. A client that sends thousands of requests delays and
// displaces its own.
//
// A flood from thousands of clients is held back if the caller recognizes clients that it knows: strangers have only a
// part of the places, and waiting calls of known clients take precedence over theirs.
package bulkhead

import (
	"context"
	"errors"
	"sync"
)

// ErrFull means that too many calls are waiting already.
var ErrFull = errors.New("bulkhead: too many calls are waiting")

// Standing is what the caller knows of a client.
type Standing int

// The standings of clients.
const (
	Stranger Standing = iota
	Known
	standings
)

// knownInTurn is how many calls of known clients may begin one after another while a stranger's call waits.
const knownInTurn = 3

// Bulkhead admits calls. It is safe for concurrent use.
type Bulkhead struct {
	mu           sync.Mutex
	free         int             // calls that may begin now
	forStrangers int             // calls of strangers that may begin now, if there is a place at all
	room         int             // calls that may begin to wait now
	lines        [standings]line // calls that wait
	known        int             // calls of known clients that began since the last one of a stranger
}

// New returns a bulkhead in which up to running calls run at once, up to strangers of them for strangers, and
// up to waiting calls wait.
func New(running, strangers, waiting int) *Bulkhead {
	b := &Bulkhead{free: running, forStrangers: strangers, room: waiting}
	for standing := range b.lines {
		b.lines[standing].queues = map[string][]*call{}
	}
	return b
}

// Enter waits until a call of a client may run, and returns a function to call at its end. It fails with ErrFull
// when too many calls wait, and with the error of ctx when that ends first.
func (b *Bulkhead) Enter(ctx context.Context, client string, standing Standing) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	leave = func() { b.leave(standing) }
	waiting, err := b.begin(client, standing)
	if err != nil {
		return nil, err
	}
	if waiting == nil {
		return leave, nil
	}
	select {
	case err := <-waiting.decided:
		if err != nil {
			return nil, err
		}
		return leave, nil
	case <-ctx.Done():
		if b.giveUp(client, standing, waiting) {
			leave() // it was admitted while ctx ended
		}
		return nil, ctx.Err()
	}
}

// begin lets a call run, and returns nil, or puts it into its client's queue.
func (b *Bulkhead) begin(client string, standing Standing) (*call, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.mayRun(standing) { // no call of this standing waits then
		b.take(standing)
		return nil, nil
	}
	if b.room == 0 && !b.displace(client, standing) {
		return nil, ErrFull
	}
	b.room--
	return b.lines[standing].join(client), nil
}

// mayRun reports whether there is a place for a call.
func (b *Bulkhead) mayRun(standing Standing) bool {
	return b.free > 0 && (standing == Known || b.forStrangers > 0)
}

// take gives a place to a call.
func (b *Bulkhead) take(standing Standing) {
	b.free--
	b.known++
	if standing == Stranger {
		b.forStrangers--
		b.known = 0
	}
}

// displace ends a waiting call to make room for a call of a client: the newest of the longest queue, if that is
// longer than the client's own would be. A known client displaces any stranger. It reports whether it ended a
// call.
func (b *Bulkhead) displace(client string, standing Standing) bool {
	from, longer := standing, len(b.lines[standing].queues[client])+1
	if standing == Known && len(b.lines[Stranger].clients) > 0 {
		from, longer = Stranger, 0
	}
	if !b.lines[from].displace(longer) {
		return false
	}
	b.room++
	return true
}

// leave ends a call and admits those that may run now.
func (b *Bulkhead) leave(standing Standing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free++
	if standing == Stranger {
		b.forStrangers++
	}
	for next, ok := b.next(); ok; next, ok = b.next() {
		b.take(next)
		b.room++
		b.lines[next].admit()
	}
}

// next returns the standing of the next call to begin. It reports false if none may begin.
func (b *Bulkhead) next() (Standing, bool) {
	known := len(b.lines[Known].clients) > 0 && b.mayRun(Known)
	stranger := len(b.lines[Stranger].clients) > 0 && b.mayRun(Stranger)
	if known && (!stranger || b.known < knownInTurn) {
		return Known, true
	}
	return Stranger, stranger
}

// giveUp removes a call that no longer waits. It reports whether the call had been admitted already.
func (b *Bulkhead) giveUp(client string, standing Standing, waiting *call) (admitted bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case err := <-waiting.decided:
		return err == nil
	default:
		b.lines[standing].remove(client, waiting)
		b.room++
		return false
	}
}
