package hostile

import (
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/sms/smstest"
)

// honest begins the names of the tallies of honest customers, one for each step of their shopping.
const honest = "honest customers"

// trial is one service under attack.
type trial struct {
	*stage.Stage
	settings
	out     io.Writer
	server  *stage.Server
	shops   shops
	phones  phones
	clients atomic.Uint64 // made so far
	senders sync.Map      // *http.Client by address

	newcomers []*newcomer
	tallies   customer.Tallies
}

func (t *trial) run(ctx context.Context) {
	t.fill(ctx)
	t.phones.codes = map[string]string{}
	var fake smstest.Fake
	fake.OnArrival(t.phones.take)
	provider := httptest.NewServer(&fake)
	defer provider.Close()
	t.server = t.Serve(ctx, "SMS_PROVIDER=kavenegar", "SMS_BASE_URL="+provider.URL,
		"SMS_API_KEY="+smstest.KavenegarKey)
	customers := t.register(ctx)
	t.look(ctx, customers[0])
	last := len(customers) - 1
	t.shops.fuzzer = must.Get(newFuzzer(&t.shops))
	t.shops.fuzzer.token, customers = customers[last].Token, customers[:last]
	must.In("before the attacks", func() { customer.For(ctx, t.alone, customers, visit) })
	v := verdict{trial: t, before: t.server.Memory()}
	t.tallies.Clear() // what came before does not count
	t.newcomers = t.newNewcomers()
	start := time.Now()
	err := t.siege(ctx, customers)
	v.lasted = time.Since(start)
	if err == nil {
		v.peak = t.server.Peak()
		v.after, v.settled = t.comeBack(ctx, v.before)
		v.log, v.books = t.server.Log(), t.CheckBooks(ctx)
	}
	must.Do(err, v.print())
}

// siege lets the customers shop beside all attacks, until enough requests were sent.
func (t *trial) siege(ctx context.Context, customers []*shopper) error {
	ctx, stop := context.WithTimeout(ctx, t.atMost)
	defer stop()
	var attacks sync.WaitGroup
	for _, a := range t.chosen() {
		for n := range a.workers {
			w := t.newAttacker(a, n)
			attacks.Go(func() {
				for ctx.Err() == nil {
					a.strike(ctx, w)
				}
			})
		}
	}
	attacks.Go(func() {
		defer stop()
		for least := time.Now().Add(t.atLeast); ctx.Err() == nil; {
			if t.tallies.Requests() >= t.requests && time.Now().After(least) {
				return
			}
			wait(ctx, 100*time.Millisecond)
		}
	})
	signing := customer.Go(ctx, t.newcomers, signUp)
	shopping := customer.Go(ctx, customers, visit)
	select {
	case <-ctx.Done():
	case <-shopping.Home(): // all met a wrong answer
	}
	stop()
	attacks.Wait()
	return errors.Join(shopping.Stop(), signing.Stop())
}

// comeBack waits until the server's memory is within bounds again, and says how long that took.
func (t *trial) comeBack(ctx context.Context, before int64) (after int64, took time.Duration) {
	for start := time.Now(); ; wait(ctx, 500*time.Millisecond) {
		after, took = t.server.Memory(), time.Since(start)
		must.Do(ctx.Err())
		if took > t.settle || float64(after) <= t.bounds.growth*float64(before) {
			return after, took
		}
	}
}
