// Package notice sends the SMS of shops that are not codes: invitations of staff, and answers to messages. A
// notice is counted, in the transaction that writes the record it is about, against limits of the shop and
// of the number; after the commit a few workers send it, once. The outcome is written to that record.
package notice

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/message/sms"
	"storefront/internal/platform/goroutine"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/record"
)

const (
	mostWaiting = 256 // notices
	workers     = 4
	longestWait = record.NoticeTime / 2 // later, a notice is not sent any more
	sendTime    = 10 * time.Second
	noteTime    = 5 * time.Second // for writing the outcome of one

	hoursOfDay    = 4  // a shop may send one part in so many of a day's notices in an hour
	toNumber      = 3  // from one shop in an hour
	toNumberInDay = 10 // from all shops
)

// Options are the settings of the service.
type Options struct {
	Store     *ent.Client
	Clock     record.Clock
	Sender    sms.Sender
	Log       *slog.Logger
	ShopInDay int // notices that a shop may send in a day; 0: none
}

// Service sends notices.
type Service struct {
	Options
	waiting chan waiting
	over    []<-chan struct{} // closed when a worker has ended
	stop    context.CancelFunc
}

// waiting is a notice in the queue.
type waiting struct {
	Notice
	since time.Time
}

// New starts the service; Close stops it.
func New(o Options) *Service {
	ctx, stop := context.WithCancel(context.Background())
	s := &Service{Options: o, waiting: make(chan waiting, mostWaiting), stop: stop}
	for range workers {
		s.over = append(s.over, goroutine.Keep(ctx, "sending notices", s.work))
	}
	return s
}

// Notice is an SMS of a shop.
type Notice struct {
	To, Text string // To is in E.164 form
	Booked   ratelimit.Booking
	// Done records the outcome; it is called once, after the commit.
	Done func(ctx context.Context, state record.NoticeState) error
}

// Reaches reports whether notices are sent to a number at all.
func (s *Service) Reaches(to string) bool { return s.ShopInDay > 0 && s.Sender.Reaches(to) }

// Book counts a notice of a shop to a number against the limits. If it fails with RATE_LIMITED, it counts
// nothing.
func (s *Service) Book(ctx context.Context, tx *ent.Tx, shop uuid.UUID, to string) (ratelimit.Booking, error) {
	const day = 24 * time.Hour
	ofShop := "notice:" + shop.String()
	booked, full, err := ratelimit.Take(ctx, tx, s.Clock.Now,
		ratelimit.Limit{Key: ofShop, Window: day, Most: s.ShopInDay},
		ratelimit.Limit{Key: ofShop, Window: time.Hour, Most: (s.ShopInDay + hoursOfDay - 1) / hoursOfDay},
		ratelimit.Limit{Key: ofShop + ":" + to, Window: time.Hour, Most: toNumber},
		ratelimit.Limit{Key: "notice:to:" + to, Window: day, Most: toNumberInDay})
	if err != nil || full.Wait == 0 {
		return booked, err
	}
	return nil, fault.New(fault.RateLimited,
		"the shop has sent too many SMS, or too many to this number; try again in %d seconds",
		fault.Seconds(full.Wait)).After(full.Wait)
}

// Send sends a notice after the outermost commit of ctx.
func (s *Service) Send(ctx context.Context, n Notice) {
	transaction.AfterCommit(ctx, func() {
		select {
		case s.waiting <- waiting{n, s.Clock.Now()}:
		default:
			s.Log.Warn("a notice was not sent: too many wait for the SMS provider", "to", sms.Masked(n.To))
			goroutine.Start("noting a notice", func() { s.finish(n, record.NoticeFailed) })
		}
	})
}

// work sends queued notices until Close.
func (s *Service) work(ctx context.Context) {
	for n := range s.waiting {
		state := record.NoticeFailed
		if s.Clock.Now().Sub(n.since) < longestWait && ctx.Err() == nil {
			state = s.hand(ctx, n.Notice)
		}
		s.finish(n.Notice, state)
	}
}

// hand passes a notice to the provider.
func (s *Service) hand(ctx context.Context, n Notice) record.NoticeState {
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	id, err := s.Sender.Send(ctx, sms.Message{To: n.To, Text: n.Text})
	if err == nil {
		s.Log.Info("a notice was sent", "to", sms.Masked(n.To), "id", id)
		return record.NoticeSent
	}
	s.Log.Warn("a notice was not sent", "to", sms.Masked(n.To), "error", err)
	if failed, ok := errors.AsType[*sms.Error](err); ok && failed.Kind != sms.Unknown {
		return record.NoticeFailed
	}
	return record.NoticeUnknown
}

// finish records the outcome of a notice. One that was not sent no longer counts against the limits.
func (s *Service) finish(n Notice, state record.NoticeState) {
	inTime := func(work func(ctx context.Context) error) error { // each for itself: the first may use up its time
		ctx, cancel := context.WithTimeout(context.Background(), noteTime)
		defer cancel()
		return work(ctx)
	}
	var err error
	if state == record.NoticeFailed {
		err = inTime(func(ctx context.Context) error {
			return transaction.Run(ctx, s.Store, func(tx *ent.Tx) error { return ratelimit.Undo(ctx, tx, n.Booked) })
		})
	}
	err = errors.Join(err, inTime(func(ctx context.Context) error { return n.Done(ctx, state) }))
	if err != nil {
		s.Log.Warn("what became of a notice was not noted", "to", sms.Masked(n.To), "state", state, "error", err)
	}
}

// Close sends the queued notices until ctx ends, and drops the rest.
func (s *Service) Close(ctx context.Context) {
	close(s.waiting)
	for _, over := range s.over {
		select {
		case <-over:
		case <-ctx.Done():
			s.stop()
			<-over // each notice in the queue is recorded as not sent
		}
	}
	s.stop()
}

const longestName = 60 // characters of a shop's name in an SMS

// NameOf returns the name of a shop in its language, as it stands in an SMS.
func NameOf(shop *ent.Tenant) string {
	name := []rune(shop.NameFa)
	if IsEnglish(shop) {
		name = []rune(shop.Name)
	}
	if len(name) > longestName {
		name = append(name[:longestName-1], '…')
	}
	return string(name)
}

// IsEnglish reports whether a shop speaks English to its people, not Farsi.
func IsEnglish(shop *ent.Tenant) bool { return shop.DefaultLocale == "en" }
