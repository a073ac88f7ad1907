package account

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"storefront/internal/message/sms"
	"storefront/internal/platform/goroutine"
)

// outbox sends messages in the background, so that a provider neither delays an answer nor changes it. It notes when
// the provider is out of order.
type outbox struct {
	sender  sms.Sender // of codes
	notices sms.Sender
	clock   func() time.Time
	log     *slog.Logger
	waiting chan outgoing
	workers []<-chan struct{} // closed when a worker has ended
	stop    context.CancelFunc
	outages outages
}

type outgoing struct {
	sms.Message
	kind    messageKind
	network string                // of the client who asked for it
	expires time.Time             // when the message becomes useless
	unsent  func(context.Context) // called if the provider certainly has not received the message
}

// messageKind is the kind of a message in the log.
type messageKind string

const (
	aCode   messageKind = "a code"
	aNotice messageKind = "a notice of a sign-in"
)

const (
	outboxSize    = 1024 // messages that may wait
	outboxWorkers = 16   // messages being sent at once
	sendTime      = 10 * time.Second
	unsentTime    = 5 * time.Second // to take back what was counted
)

func newOutbox(sender, notices sms.Sender, clock func() time.Time, log *slog.Logger) *outbox {
	ctx, stop := context.WithCancel(context.Background())
	o := &outbox{
		sender: sender, notices: notices, clock: clock, log: log, waiting: make(chan outgoing, outboxSize), stop: stop,
		outages: outages{clock: clock, log: log, known: map[outageArea]*outage{}},
	}
	for range outboxWorkers {
		o.workers = append(o.workers, goroutine.Keep(ctx, "sending codes", o.work))
	}
	return o
}

func (o *outbox) work(ctx context.Context) {
	for m := range o.waiting {
		o.send(ctx, m)
	}
}

// put queues a message. When the queue is full the message is dropped; a code can be asked for again.
func (o *outbox) put(m outgoing) {
	o.outages.tries(m)
	select {
	case o.waiting <- m:
	default:
		o.drop(m, "too many messages are waiting for the SMS provider")
	}
}

// drop gives up a message that was not tried.
func (o *outbox) drop(m outgoing, reason string) {
	o.log.Warn(string(m.kind)+" was not sent: "+reason, "to", sms.Masked(m.To))
	o.takeBack(m)
}

func (o *outbox) takeBack(m outgoing) {
	ctx, cancel := context.WithTimeout(context.Background(), unsentTime)
	defer cancel()
	m.unsent(ctx)
}

func (o *outbox) send(ctx context.Context, m outgoing) {
	began := o.clock()
	if !began.Before(m.expires) {
		o.drop(m, "it has expired while the SMS provider was slow")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	sender := o.sender
	if m.kind == aNotice {
		sender = o.notices
	}
	id, err := sender.Send(ctx, m.Message)
	if err == nil {
		o.log.Info(string(m.kind)+" was sent", "to", sms.Masked(m.To), "id", id)
		o.outages.works(m)
		return
	}
	o.log.Warn(string(m.kind)+" was not sent", "to", sms.Masked(m.To), "error", err)
	failed, ok := errors.AsType[*sms.Error](err)
	switch {
	case !ok || failed.Kind == sms.Unknown: // it may still arrive
	case failed.Kind.IsOutage():
		o.takeBack(m)
		o.outages.fails(m, failed.Kind, began)
	default:
		o.outages.works(m) // the provider works for other numbers
	}
}

// close sends the queued messages until ctx ends, and drops the rest.
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
