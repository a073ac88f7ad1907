package account

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"storefront/internal/goroutine"
	"storefront/internal/sms"
)

// outbox sends messages in the background, so that a provider neither delays an answer nor changes it. It notes when
// the provider is out of order.
type outbox struct {
	sender  sms.Sender
	clock   func() time.Time
	log     *slog.Logger
	waiting chan codeMessage
	workers []<-chan struct{} // closed when a worker has ended
	stop    context.CancelFunc

	mu      sync.Mutex
	outages map[string]*outage // by country
}

// codeMessage is a message with a code.
type codeMessage struct {
	sms.Message
	expires time.Time             // the code; after it the message is of no use
	unsent  func(context.Context) // is called when the provider certainly has not got the message
}

// outage are the failures in a row of messages to one country. Each country has its own, as a provider may fail with
// numbers of a country that anybody can name.
type outage struct {
	failures int
	probed   time.Time // when the last message was tried while the provider was out of order
}

const (
	outboxSize    = 1024 // messages that may wait
	outboxWorkers = 16   // messages being sent at once
	sendTime      = 10 * time.Second
	unsentTime    = 5 * time.Second // to take back what was counted

	failuresOfOutage = 3 // in a row; then the provider is out of order
	probePause       = 30 * time.Second
)

func newOutbox(sender sms.Sender, clock func() time.Time, log *slog.Logger) *outbox {
	ctx, stop := context.WithCancel(context.Background())
	o := &outbox{
		sender: sender, clock: clock, log: log, waiting: make(chan codeMessage, outboxSize), stop: stop,
		outages: map[string]*outage{},
	}
	for range outboxWorkers {
		o.workers = append(o.workers, goroutine.Keep(ctx, "sending codes", o.work))
	}
	return o
}

// work sends what waits, until close.
func (o *outbox) work(ctx context.Context) {
	for m := range o.waiting {
		o.send(ctx, m)
	}
}

// outOfOrder reports whether the provider is known not to take messages to a cell. Every probePause it is
// false, so that one message tries.
func (o *outbox) outOfOrder(cell string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	out := o.outages[country(cell)]
	return out != nil && out.failures >= failuresOfOutage && o.clock().Before(out.probed.Add(probePause))
}

// country is the beginning of a number in E.164 form that its country has, if not it alone.
func country(cell string) string { return cell[:min(len("+98"), len(cell))] }

// put queues a message. When the queue is full the message is dropped; its code can be asked for again.
func (o *outbox) put(m codeMessage) {
	o.mu.Lock()
	if out := o.outages[country(m.To)]; out != nil {
		out.probed = o.clock()
	}
	o.mu.Unlock()
	select {
	case o.waiting <- m:
	default:
		o.drop(m, "too many messages are waiting for the SMS provider")
	}
}

// drop gives a message up that was not tried.
func (o *outbox) drop(m codeMessage, reason string) {
	o.log.Warn("a code was not sent: "+reason, "to", sms.Masked(m.To))
	o.takeBack(m)
}

func (o *outbox) takeBack(m codeMessage) {
	ctx, cancel := context.WithTimeout(context.Background(), unsentTime)
	defer cancel()
	m.unsent(ctx)
}

func (o *outbox) send(ctx context.Context, m codeMessage) {
	began := o.clock()
	if !began.Before(m.expires) {
		o.drop(m, "it has expired while the SMS provider was slow")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	id, err := o.sender.Send(ctx, m.Message)
	if err == nil {
		o.log.Info("a code was sent", "to", sms.Masked(m.To), "id", id)
		o.works(m.To)
		return
	}
	o.log.Warn("a code was not sent", "to", sms.Masked(m.To), "error", err)
	failed, ok := errors.AsType[*sms.Error](err)
	switch {
	case !ok || failed.Kind == sms.Unknown: // it may still arrive
	case failed.Kind.IsOutage():
		o.takeBack(m)
		o.fails(m.To, failed.Kind, began)
	default:
		o.works(m.To) // for others
	}
}

// works notes that the provider takes messages to the country of a cell.
func (o *outbox) works(cell string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if out := o.outages[country(cell)]; out != nil && out.failures >= failuresOfOutage {
		o.log.Info("the SMS provider takes codes again", "country", country(cell))
	}
	delete(o.outages, country(cell))
}

// fails notes that the provider did not take a message that was tried at a time, for a reason that will stop
// the next one as well.
func (o *outbox) fails(cell string, kind sms.Kind, tried time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	out := o.outages[country(cell)]
	if out == nil {
		out = &outage{}
		o.outages[country(cell)] = out
	}
	if out.failures++; out.failures == failuresOfOutage {
		out.probed = tried
		o.log.Error("the SMS provider is out of order: codes are not offered", "country", country(cell), "kind", kind)
	}
}

// close sends what is queued until ctx ends, and drops the rest.
func (o *outbox) close(ctx context.Context) {
	close(o.waiting)
	for _, over := range o.workers {
		select {
		case <-over:
		case <-ctx.Done():
		}
	}
	o.stop()
}
