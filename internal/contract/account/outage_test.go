package account_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"storefront/ent/rateevent"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/message/sms"
)

const codesOut = `{"enabled": false, "message": "No SMS code can be sent at the moment; try again in a minute, ` +
	`or sign in with the password."}`

// breakable is a provider that a test breaks and mends.
type breakable struct {
	*shoptest.Phones
	mu     sync.Mutex
	broken sms.Kind // empty: it works
	tried  int
	wait   chan struct{} // if not nil, messages wait until it is closed
}

func (b *breakable) breakDown(kind sms.Kind) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.broken = kind
}

// settle waits until the given number of messages have been tried.
func (b *breakable) settle(t testing.TB, messages int) {
	t.Helper()
	for began := time.Now(); time.Since(began) < 30*time.Second; time.Sleep(time.Millisecond) {
		b.mu.Lock()
		tried := b.tried
		b.mu.Unlock()
		if tried == messages {
			return
		}
	}
	t.Fatalf("%d messages were tried, want %d", b.tried, messages)
}

func (b *breakable) Send(ctx context.Context, m sms.Message) (string, error) {
	b.mu.Lock()
	b.tried++
	broken, wait := b.broken, b.wait
	b.mu.Unlock()
	if wait != nil {
		<-wait
	}
	if broken != "" {
		return "", &sms.Error{Kind: broken, Provider: "test", To: sms.Masked(m.To), Cause: errors.New("broken")}
	}
	return b.Phones.Send(ctx, m)
}

// asksUntil asks for codes until the answer is want, because the outcome of a message is known only some
// time after it was sent. It returns how many codes were promised.
func asksUntil(t testing.TB, d shoptest.API, cell, want string) (promised int) {
	t.Helper()
	for began := time.Now(); time.Since(began) < 30*time.Second; {
		got := d.Ask(t, "sendOtp", shoptest.ToCell(cell))
		if strings.Contains(got.Said, `"enabled":true`) {
			promised++
		}
		if got.Code == "" && shoptest.Tidied(t, got.Said) == shoptest.Tidied(t, want) {
			return promised
		}
	}
	t.Fatalf("sendOtp to %s is never answered by %s", cell, want)
	return 0
}

// TestAccountProviderOutOfOrder checks that messages that the provider does not accept count against no
// cell, that no code is promised during a known outage, that one message in 30 seconds is tried, and that
// codes are sent again afterwards.
func TestAccountProviderOutOfOrder(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		b := &breakable{Phones: a.Phones}
		all := shoptest.Sides(a.Instance(t, func(o *app.Options) { o.Sender, o.CodesToAddress = b, 100 }))
		promised := 0
		for n, kind := range []sms.Kind{sms.Unreachable, sms.Credit, sms.Busy, sms.Config} {
			d := all[n%len(all)]
			b.breakDown(kind)
			cell, other := d.Cell(10+n), d.Cell(20+n)
			for range 3 { // the next one may be asked for at once
				promised += asksUntil(t, d, cell, codeSent)
			}
			promised += asksUntil(t, d, cell, codesOut)
			d.Right(t, "sendOtp", shoptest.ToCell(other)).Is(t, codesOut)

			d.Clock.Pass(30 * time.Second)
			promised += asksUntil(t, d, other, codeSent)
			d.Right(t, "sendOtp", shoptest.ToCell(cell)).Is(t, codesOut)
			b.settle(t, promised)

			b.breakDown("")
			d.Clock.Pass(30 * time.Second)
			promised += asksUntil(t, d, cell, codeSent)
			code := d.Phones.Code(t, cell)
			promised += asksUntil(t, d, other, codeSent)
			d.Phones.Code(t, other)
			d.Wrong(t, "sendOtp", shoptest.ToCell(cell), 429, "RATE_LIMITED") // this one counts
			d.Right(t, "verifyOtp", shoptest.ByCode(cell, code)).Is(t, verified)
			counted := a.Store.Client.RateEvent.Query().Where(rateevent.Key("code:send@127.0.0.1")).CountX(t.Context())
			if counted != promised {
				t.Errorf("%d codes count against the client address, want %d", counted, promised)
			}
		}

		// A failure that may concern a single number, such as wrong settings, affects only the network that
		// asked.
		b.breakDown(sms.Config)
		d := all[0]
		d.Clock.Pass(time.Hour)
		promised += asksUntil(t, d, d.Cell(30), codesOut)
		d.From(shoptest.OwnerAt).Right(t, "sendOtp", shoptest.ToCell(d.Cell(31))).Is(t, codeSent)
		b.settle(t, promised+1)

		b.breakDown(sms.Unreachable) // an outage for numbers of one country does not affect another country
		d.Clock.Pass(time.Hour)
		for range 3 {
			asksUntil(t, d, "+442071838750", codeSent)
		}
		asksUntil(t, d, "+442071838750", codesOut)
		d.Right(t, "sendOtp", shoptest.ToCell(d.Cell(1))).Is(t, codeSent)
		b.breakDown(sms.Recipient) // this failure concerns one number: it counts, but is not an outage
		d.Clock.Pass(time.Minute)
		asksUntil(t, d, d.Cell(40), codeSent) // tries, and ends the outage
		asksUntil(t, d, d.Cell(41), codeSent)
		for n := range 4 {
			d.Right(t, "sendOtp", shoptest.ToCell(d.Cell(2+n))).Is(t, codeSent)
			d.Wrong(t, "sendOtp", shoptest.ToCell(d.Cell(2+n)), 429, "RATE_LIMITED")
		}
	})
}

// TestAccountProviderSlow checks that a code that has expired while the provider was slow is not sent, and
// may be asked for again at once.
func TestAccountProviderSlow(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		b := &breakable{Phones: a.Phones, wait: make(chan struct{})}
		d := a.Instance(t, func(o *app.Options) { o.Sender = b }).REST()
		const atOnce = 16
		for n := range atOnce {
			d.Right(t, "sendOtp", shoptest.ToCell(d.Cell(100+n))).Is(t, codeSent)
		}
		b.settle(t, atOnce)
		late := d.Cell(1)
		d.Right(t, "sendOtp", shoptest.ToCell(late)).Is(t, codeSent)
		d.Clock.Pass(5 * time.Minute)
		newer := d.Cell(2)
		d.Right(t, "sendOtp", shoptest.ToCell(newer)).Is(t, codeSent)
		close(b.wait)
		d.Phones.Code(t, newer)
		b.settle(t, atOnce+1)
		asksUntil(t, d, late, codeSent)
		d.Right(t, "verifyOtp", shoptest.ByCode(late, d.Phones.Code(t, late))).Is(t, verified)
	})
}
