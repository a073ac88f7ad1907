package contract_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"storefront/ent/rateevent"
	"storefront/internal/app"
	"storefront/internal/sms"
)

const codesOut = `{"enabled": false, "message": "No SMS code can be sent at the moment; try again in a minute, ` +
	`or sign in with the password."}`

// breakable is a provider that a test breaks and mends.
type breakable struct {
	*phones
	mu     sync.Mutex
	broken sms.Kind // empty: it works
	tried  int
	wait   chan struct{} // where there is one, messages wait until it is closed
}

func (b *breakable) breakDown(kind sms.Kind) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.broken = kind
}

// settle waits until so many messages have been tried.
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
	return b.phones.Send(ctx, m)
}

// asksUntil asks for codes until the answer is the one that is wanted, as what became of a message is known a
// moment after it was sent. It returns how many codes were promised.
func (d door) asksUntil(t testing.TB, cell, want string) (promised int) {
	t.Helper()
	for began := time.Now(); time.Since(began) < 30*time.Second; {
		got := d.ask(t, "sendOtp", toCell(cell))
		if strings.Contains(got.said, `"enabled":true`) {
			promised++
		}
		if got.code == "" && tidied(t, got.said) == tidied(t, want) {
			return promised
		}
	}
	t.Fatalf("sendOtp to %s is never answered by %s", cell, want)
	return 0
}

// TestAccountProviderOutOfOrder checks that what a provider does not take counts against no cell, that no
// code is promised while it is known to be out of order, that one message in 30 seconds tries, and that codes
// are sent when it works again.
func TestAccountProviderOutOfOrder(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		b := &breakable{phones: a.phones}
		all := sides(a.instance(t, func(o *app.Options) { o.Sender, o.CodesToAddress = b, 100 }))
		promised := 0
		for n, kind := range []sms.Kind{sms.Unreachable, sms.Credit, sms.Busy, sms.Config} {
			d := all[n%len(all)]
			b.breakDown(kind)
			cell, other := d.cell(10+n), d.cell(20+n)
			for range 3 { // the next one may be asked for at once
				promised += d.asksUntil(t, cell, codeSent)
			}
			promised += d.asksUntil(t, cell, codesOut)
			d.right(t, "sendOtp", toCell(other)).is(t, codesOut)

			d.clock.pass(30 * time.Second)
			promised += d.asksUntil(t, other, codeSent)
			d.right(t, "sendOtp", toCell(cell)).is(t, codesOut)
			b.settle(t, promised)

			b.breakDown("")
			d.clock.pass(30 * time.Second)
			promised += d.asksUntil(t, cell, codeSent)
			code := d.phones.code(t, cell)
			promised += d.asksUntil(t, other, codeSent)
			d.phones.code(t, other)
			d.wrong(t, "sendOtp", toCell(cell), 429, "RATE_LIMITED") // this one counts
			d.right(t, "verifyOtp", byCode(cell, code)).is(t, verified)
			counted := a.store.Client.RateEvent.Query().Where(rateevent.Key("code:send@127.0.0.1")).CountX(t.Context())
			if counted != promised {
				t.Errorf("%d codes count against the client address, want %d", counted, promised)
			}
		}

		// What may be about a number, as whether the settings are wrong, concerns the network alone that asked for it.
		b.breakDown(sms.Config)
		d := all[0]
		d.clock.pass(time.Hour)
		promised += d.asksUntil(t, d.cell(30), codesOut)
		d.from(ownerAt).right(t, "sendOtp", toCell(d.cell(31))).is(t, codeSent)
		b.settle(t, promised+1)

		b.breakDown(sms.Unreachable) // numbers of one country, which anybody can name, say nothing of another's
		d.clock.pass(time.Hour)
		for range 3 {
			d.asksUntil(t, "+442071838750", codeSent)
		}
		d.asksUntil(t, "+442071838750", codesOut)
		d.right(t, "sendOtp", toCell(d.cell(1))).is(t, codeSent)
		b.breakDown(sms.Recipient) // this failure is the number's: it counts, and is no outage
		d.clock.pass(time.Minute)
		d.asksUntil(t, d.cell(40), codeSent) // tries, and ends the outage
		d.asksUntil(t, d.cell(41), codeSent)
		for n := range 4 {
			d.right(t, "sendOtp", toCell(d.cell(2+n))).is(t, codeSent)
			d.wrong(t, "sendOtp", toCell(d.cell(2+n)), 429, "RATE_LIMITED")
		}
	})
}

// TestAccountProviderSlow checks that a code that has expired while the provider was slow is not sent, and
// may be asked for again at once.
func TestAccountProviderSlow(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		b := &breakable{phones: a.phones, wait: make(chan struct{})}
		d := a.instance(t, func(o *app.Options) { o.Sender = b }).rest()
		const atOnce = 16
		for n := range atOnce {
			d.right(t, "sendOtp", toCell(d.cell(100+n))).is(t, codeSent)
		}
		b.settle(t, atOnce)
		late := d.cell(1)
		d.right(t, "sendOtp", toCell(late)).is(t, codeSent)
		d.clock.pass(5 * time.Minute)
		newer := d.cell(2)
		d.right(t, "sendOtp", toCell(newer)).is(t, codeSent)
		close(b.wait)
		d.phones.code(t, newer)
		b.settle(t, atOnce+1)
		d.asksUntil(t, late, codeSent)
		d.right(t, "verifyOtp", byCode(late, d.phones.code(t, late))).is(t, verified)
	})
}
