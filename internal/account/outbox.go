package account

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"storefront/internal/sms"
)

// outbox sends messages in the background, so that a provider neither delays an answer nor changes it.
type outbox struct {
	sender  sms.Sender
	log     *slog.Logger
	waiting chan sms.Message
	workers sync.WaitGroup
	stop    context.CancelFunc
}

const (
	outboxSize    = 1024 // messages that may wait
	outboxWorkers = 16   // messages being sent at once
	sendTime      = 10 * time.Second
)

func newOutbox(sender sms.Sender, log *slog.Logger) *outbox {
	ctx, stop := context.WithCancel(context.Background())
	o := &outbox{sender: sender, log: log, waiting: make(chan sms.Message, outboxSize), stop: stop}
	for range outboxWorkers {
		o.workers.Go(func() {
			for m := range o.waiting {
				o.send(ctx, m)
			}
		})
	}
	return o
}

// put queues a message. When the queue is full the message is dropped; its code can be asked for again.
func (o *outbox) put(m sms.Message) {
	select {
	case o.waiting <- m:
	default:
		o.log.Warn("a code was not sent: too many messages are waiting for the SMS provider", "to", sms.Masked(m.To))
	}
}

func (o *outbox) send(ctx context.Context, m sms.Message) {
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	if id, err := o.sender.Send(ctx, m); err != nil {
		o.log.Warn("a code was not sent", "to", sms.Masked(m.To), "error", err)
	} else {
		o.log.Info("a code was sent", "to", sms.Masked(m.To), "id", id)
	}
}

// close sends what is queued until ctx ends, and drops the rest.
func (o *outbox) close(ctx context.Context) {
	close(o.waiting)
	done := make(chan struct{})
	go func() { o.workers.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
	}
	o.stop()
}
