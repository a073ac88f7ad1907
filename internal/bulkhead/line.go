package bulkhead

import "slices"

// line holds the waiting calls of one standing.
type line struct {
	queues  map[string][]*call
	clients []string // clients with a queue, in the order of their turns
}

// call is a waiting call.
type call struct {
	decided chan error // nil: it may run; ErrFull: it was displaced
}

// join puts a call at the end of its client's queue.
func (l *line) join(client string) *call {
	waiting := &call{decided: make(chan error, 1)}
	if len(l.queues[client]) == 0 {
		l.clients = append(l.clients, client)
	}
	l.queues[client] = append(l.queues[client], waiting)
	return waiting
}

// admit lets the oldest call of the client whose turn it is run.
func (l *line) admit() {
	client := l.clients[0]
	next := l.queues[client][0]
	l.remove(client, next)
	if len(l.queues[client]) > 0 {
		l.clients = append(l.clients[1:], client)
	}
	next.decided <- nil
}

// displace ends the newest call of the client with the longest queue, if that is longer than length. Among
// equally long queues it takes the one whose turn is last. It reports whether it ended a call.
func (l *line) displace(length int) bool {
	longest := ""
	for _, client := range l.clients {
		if n := len(l.queues[client]); n > length && n >= len(l.queues[longest]) {
			longest = client
		}
	}
	queue := l.queues[longest]
	if len(queue) == 0 {
		return false
	}
	newest := queue[len(queue)-1]
	l.remove(longest, newest)
	newest.decided <- ErrFull
	return true
}

// remove takes a call out of its client's queue.
func (l *line) remove(client string, waiting *call) {
	queue := l.queues[client]
	i := slices.Index(queue, waiting)
	l.queues[client] = slices.Delete(queue, i, i+1)
	if len(l.queues[client]) == 0 {
		delete(l.queues, client)
		l.clients = slices.DeleteFunc(l.clients, func(c string) bool { return c == client })
	}
}
