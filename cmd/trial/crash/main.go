// Package crash makes the service crash under load, again and again, and checks each time that all acknowledged
// writes are stored and consistent. `make crash` runs it; it needs TEST_POSTGRES_URL and the built server.
//
// Sixteen customers' clients fill carts, check out and cancel over HTTP. At a random moment the server is
// killed by SIGKILL. On PostgreSQL, if TEST_POSTGRES_CRASH names a program that crashes the database, every
// third time the database crashes instead, and the server must recover by itself. In the end a webhook of the
// shop must have received all events of each order, in their order.
//
// Before that eight clients interrupt writes with an Idempotency-Key at random moments (as often as -hangups
// says), often while the same request waits, and send them again. Each must be done once, or not at all if it
// is refused.
package crash

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/ent"
	entorder "storefront/ent/order"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// Trial is the trial that `go run ./cmd/trial crash` runs.
var Trial = stage.Trial{Name: "crash", About: "kill the server and PostgreSQL while clients order, again and again",
	Kinds: stage.Databases, Flags: func(f *flag.FlagSet) stage.Work {
		kills := f.Int("kills", 30, "crashes on each kind of database")
		hangups := f.Int("hangups", 1000, "how often clients hang up in a write with a key, on each kind of database")
		seed := f.Uint64("seed", rand.Uint64(),
			"of what clients do and when they are interrupted; the same seed is not the same run")
		return func(ctx context.Context, s *stage.Stage) {
			s.Say("seed %d", *seed)
			s.New(ctx)
			s.Env = []string{"CLIENT_LIMITS=off", "WEBHOOK_PRIVATE_ADDRESSES=allow"}
			(&trial{Stage: s, random: rand.New(rand.NewPCG(*seed, 0))}).run(ctx, *hangups, *kills)
		}
	}}

const (
	clients      = 16
	customers    = 12               // some have two clients, which share a cart
	mostAnswers  = 400              // the most answers before a crash
	comeBack     = 20 * time.Second // at most, after the database's crash
	databaseEach = 3                // every third crash is the database's

	plenty  = 24 // variants that never sell out
	scarce  = 4  // variants that sell out, so that checkouts fail and cancelled orders matter
	perCart = 3  // units of one variant that a client adds at most
)

// trial is a service that is made to crash.
type trial struct {
	*stage.Stage
	random          *rand.Rand
	server          *stage.Server
	clients         []*customer.Customer
	answered        atomic.Int64 // requests
	receiver        receiver
	databaseCrashes int
}

// run interrupts as many writes as hangups says, makes the service crash as often as kills says, and fails if
// anything is wrong afterwards.
func (t *trial) run(ctx context.Context, hangups, kills int) {
	stocks := append(slices.Repeat([]int{1_000_000}, plenty), slices.Repeat([]int{60}, scarce)...)
	t.Import(ctx, customer.Shop(stocks...))
	t.Count(ctx)
	t.server = t.Serve(ctx)
	by := customer.Client{Base: func() string { return t.server.Addr }}
	accounts := customer.EnterAll(ctx, customers, by)
	for i := range clients {
		c := accounts[i%customers].Another(rand.New(rand.NewPCG(t.random.Uint64(), 0)))
		c.Fickle = i%4 == 3
		must.Hold(len(c.Variants) == plenty+scarce, "the shop has %d variants on sale", len(c.Variants))
		t.clients = append(t.clients, c)
	}
	owner := customer.Register(ctx, by, 1000, customer.Domain)
	must.Get(t.Run(ctx, "staff", "add", "-unproven", customer.Domain, owner.Cell, "owner"))
	must.Do(owner.Listen(ctx, t.Receive(t.receiver.receive), "order_placed", "order_moved"))
	t.hangUp(ctx, owner, hangups)
	for n := range kills {
		must.In(fmt.Sprintf("crash %d", n+1), func() { t.round(ctx, n) })
	}
	t.checkEvents(ctx, owner)
	sum := customer.SumOf(t.clients)
	t.Say("%d crashes, of them %d of the database: %d requests answered, %d orders acknowledged and %d of them "+
		"cancelled, %d checkouts refused, %d without an answer, of which %d were sent again and acknowledged; "+
		"%d events reached the webhook and %d of them again; nothing lost, nothing twice, the books hold",
		kills, t.databaseCrashes, t.answered.Load(), sum.Placed, sum.Cancelled, sum.Refused, sum.Doubtful,
		sum.Later, len(t.receiver.known), t.receiver.again)
}

// round lets clients shop until a crash, and checks the stored data after it.
func (t *trial) round(ctx context.Context, n int) {
	crowd := customer.Go(ctx, t.clients, t.step)
	defer crowd.Stop()
	t.answers(ctx, crowd)
	program := os.Getenv("TEST_POSTGRES_CRASH") // crashes PostgreSQL and starts it again
	if t.Kind == stage.Postgres && program != "" && n%databaseEach == databaseEach-1 {
		t.crashDatabase(ctx, program)
		t.answers(ctx, crowd) // the server has recovered
		must.Do(crowd.Stop())
	} else {
		t.server.Kill()
		must.Do(crowd.Stop())
		t.server = t.Serve(ctx) // at another address
	}
	must.Do(customer.Check(ctx, t.clients), t.CheckBooks(ctx))
}

// answers waits until clients have got a random number of answers, or until all clients have stopped.
func (t *trial) answers(ctx context.Context, crowd *customer.Crowd) {
	end := t.answered.Load() + 1 + t.random.Int64N(mostAnswers)
	for t.answered.Load() < end && !crowd.Ended() {
		must.Do(customer.Wait(ctx, time.Millisecond/4))
	}
}

// restAfterLoss is how long a client waits after the service has said that it cannot answer.
const restAfterLoss = 20 * time.Millisecond

// step sends one request. It ends by customer.ErrDone if the server is gone, and fails if an answer is wrong.
func (t *trial) step(ctx context.Context, c *customer.Customer, _ int) {
	err := request(ctx, c)
	switch {
	case err == nil:
		t.answered.Add(1)
	case errors.Is(err, customer.ErrGone):
		must.Do(customer.ErrDone)
	case errors.Is(err, customer.ErrLost):
		customer.Pause(ctx, restAfterLoss)
	default:
		must.Do(err)
	}
}

func request(ctx context.Context, c *customer.Customer) error {
	if c.Open() {
		return c.Checkout(ctx)
	}
	switch n := c.Random.IntN(100); {
	case n < 55:
		err := c.Add(ctx, c.Any(), 1+c.Random.IntN(perCart)).Read(nil)
		if code := customer.Code(err); code == "INSUFFICIENT_STOCK" || code == "MAX_ORDER_QUANTITY_EXCEEDED" {
			return nil
		}
		return err
	case n < 85:
		return c.Checkout(ctx)
	case n < 95:
		return c.CancelOne(ctx)
	case n < 98:
		return c.Repeat(ctx)
	}
	return c.Empty(ctx).Read(nil)
}

// crashDatabase runs a program that crashes the database and starts it again, and waits until the server reaches
// the database again.
func (t *trial) crashDatabase(ctx context.Context, program string) {
	t.databaseCrashes++
	said, err := exec.CommandContext(ctx, program).CombinedOutput()
	must.Hold(err == nil, "crash the database: %w: %s", err, said)
	for t.Admin.PingContext(ctx) != nil { // the old connections are broken
		must.Do(ctx.Err())
	}
	must.In("the server after the database's crash", func() {
		customer.Until(ctx, comeBack, func(ctx context.Context) error {
			return customer.Get(ctx, t.server.Addr, "/readyz").Read(nil)
		})
	})
}

// allSent is how long the last server has for the remaining events. The lease of a dead server ends within it.
const allSent = time.Minute

// receiver is the shop's webhook. It records the events of orders in the order of their first arrival.
type receiver struct {
	mu     sync.Mutex
	known  map[string]bool     // by webhook-id
	events map[string][]string // types by order
	again  int                 // events that came a second time
}

// receive answers a request of the webhook.
func (r *receiver) receive(w http.ResponseWriter, q *http.Request) {
	var event struct {
		Type string
		Data struct{ OrderID string }
	}
	if err := json.NewDecoder(q.Body).Decode(&event); err != nil { // the sender was killed
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil {
		r.known, r.events = map[string]bool{}, map[string][]string{}
	}
	if id := q.Header.Get("webhook-id"); r.known[id] {
		r.again++
	} else {
		r.known[id] = true
		r.events[event.Data.OrderID] = append(r.events[event.Data.OrderID], event.Type)
	}
	w.WriteHeader(http.StatusNoContent)
}

// checkEvents waits until all events are sent and compares them with the stored orders: each order has the
// event of its placing and then, if it was cancelled, that of its cancellation, whatever crashed in between.
func (t *trial) checkEvents(ctx context.Context, owner *customer.Customer) {
	orders := t.Books.Client.Order.Query().Select(entorder.FieldID, entorder.FieldStatus)
	all := must.Get(orders.All(tenancy.In(ctx, uuid.MustParse(owner.Business))))
	customer.Until(ctx, allSent, func(context.Context) error { return t.receiver.compare(all) })
}

// compare returns the events that are missing or out of order.
func (r *receiver) compare(all []*ent.Order) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var faults []error
	for _, o := range all {
		want := "[order.placed]"
		if o.Status != record.OrderPending {
			want = "[order.placed order.moved]"
		}
		if got := fmt.Sprint(r.events[o.ID.String()]); got != want {
			faults = append(faults, fmt.Errorf("of the order %s came %s, want %s", o.ID, got, want))
		}
	}
	if len(r.events) > len(all) {
		faults = append(faults, fmt.Errorf("events came of %d orders, and there are %d", len(r.events), len(all)))
	}
	return errors.Join(faults...)
}
