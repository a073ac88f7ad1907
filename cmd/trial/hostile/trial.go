package hostile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"storefront/cmd/internal/child"
	"storefront/cmd/internal/scratch"
	"storefront/internal/contract/ledger"
	"storefront/internal/sms/smstest"
	"storefront/internal/store"
)

// honest begins the names of the tallies of honest customers, one for each step of their shopping.
const honest = "honest customers"

// trial is one service under attack.
type trial struct {
	*scratch.Place
	settings
	out     io.Writer
	server  *child.Server
	books   *store.Store // the same database
	initial map[uuid.UUID]int
	shops   shops
	phones  phones
	clients atomic.Uint64 // made so far
	senders sync.Map      // *http.Client by address

	newcomers []*newcomer

	mu      sync.Mutex
	tallies map[string]*tally
}

// tallyOf returns the tally of a name.
func (t *trial) tallyOf(name string) *tally {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.tallies[name] == nil {
		t.tallies[name] = new(tally)
	}
	return t.tallies[name]
}

// sent is the number of requests so far.
func (t *trial) sent() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, counts := range t.tallies {
		n += counts.total()
	}
	return n
}

func (t *trial) run(ctx context.Context) (err error) {
	defer func() {
		if t.server != nil {
			t.server.Stop()
		}
		if t.books != nil {
			err = errors.Join(err, t.books.Close())
		}
	}()
	if err := t.fill(ctx); err != nil {
		return err
	}
	t.phones.codes = map[string]string{}
	var fake smstest.Fake
	fake.OnArrival(t.phones.take)
	provider := httptest.NewServer(&fake)
	defer provider.Close()
	environment := append(t.environment(), "SMS_PROVIDER=kavenegar", "SMS_BASE_URL="+provider.URL,
		"SMS_API_KEY="+smstest.KavenegarKey)
	if t.server, err = child.Serve(ctx, t.Folder, environment, t.settings.server, "serve"); err != nil {
		return err
	}
	customers, err := t.register(ctx)
	if err != nil {
		return err
	}
	if t.shops, err = t.look(ctx, customers[0]); err != nil {
		return err
	}
	if t.shops.fuzzer, err = newFuzzer(&t.shops); err != nil {
		return err
	}
	t.shops.fuzzer.token = customers[len(customers)-1].token
	customers = customers[:len(customers)-1]
	if err := t.shop(ctx, customers, t.alone); err != nil {
		return fmt.Errorf("before the attacks: %w", err)
	}
	before, err := t.server.Memory()
	if err != nil {
		return err
	}
	t.tallies = map[string]*tally{} // what came before does not count
	t.newcomers = t.newNewcomers()
	start := time.Now()
	err = t.siege(ctx, customers)
	v := verdict{trial: t, before: before, lasted: time.Since(start)}
	if err != nil {
		return errors.Join(err, v.print())
	}
	if v.peak, err = t.server.Peak(); err != nil {
		return err
	}
	if v.after, v.settled, err = t.comeBack(ctx, before); err != nil {
		return err
	}
	if v.log, err = t.server.Log(); err != nil {
		return err
	}
	v.books = ledger.Check(ctx, t.books, t.initial)
	return v.print()
}

// environment is the configuration of commands.
func (t *trial) environment() []string {
	return []string{
		"DATABASE_URL=" + t.Database, "LISTEN_ADDR=127.0.0.1:0", "LOG_FORMAT=json", "METRICS_ADDR=",
		"ACCESS_TTL=24h",
		"TRUSTED_PROXIES=127.0.0.0/8",
		"TOKEN_SIGNING_KEY=a key of this trial alone, which signs nothing else",
	}
}

// shop lets the customers shop for some time and fails where one of them meets a wrong answer.
func (t *trial) shop(ctx context.Context, customers []*customer, long time.Duration) error {
	ctx, stop := context.WithTimeout(ctx, long)
	defer stop()
	faults := make([]error, len(customers))
	var all sync.WaitGroup
	for i, c := range customers {
		all.Go(func() { faults[i] = c.goShopping(ctx) })
	}
	all.Wait()
	return errors.Join(faults...)
}

// siege lets the customers shop beside all attacks, until enough requests were sent.
func (t *trial) siege(ctx context.Context, customers []*customer) error {
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
			if t.sent() >= t.requests && time.Now().After(least) {
				return
			}
			wait(ctx, 100*time.Millisecond)
		}
	})
	faults := make([]error, len(t.newcomers))
	var newcomers sync.WaitGroup
	for i, n := range t.newcomers {
		newcomers.Go(func() { faults[i] = n.signUp(ctx, i) })
	}
	err := t.shop(ctx, customers, t.atMost)
	stop()
	attacks.Wait()
	newcomers.Wait()
	return errors.Join(append(faults, err)...)
}

// comeBack waits until the server's memory is within bounds again, and says how long that took.
func (t *trial) comeBack(ctx context.Context, before int64) (after int64, took time.Duration, err error) {
	for start := time.Now(); ; wait(ctx, 500*time.Millisecond) {
		after, err = t.server.Memory()
		took = time.Since(start)
		if err != nil || ctx.Err() != nil || took > t.settle ||
			float64(after) <= t.bounds.growth*float64(before) {
			return after, took, errors.Join(err, ctx.Err())
		}
	}
}

// wait waits, or returns when ctx is done.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
