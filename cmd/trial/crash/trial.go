package crash

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/google/uuid"

	"storefront/cmd/internal/child"
	"storefront/cmd/internal/scratch"
	"storefront/internal/contract/ledger"
	"storefront/internal/store"
)

const (
	clients      = 16
	customers    = 12               // of which some have two clients, who share a cart
	mostAnswers  = 400              // that clients get before a crash
	comeBack     = 20 * time.Second // at most, after the database's crash
	databaseEach = 3                // one of so many crashes is the database's
)

// trial is a service that is made to crash.
type trial struct {
	*scratch.Place
	binary string
	random *rand.Rand
	out    io.Writer
	shop
	server          *child.Server
	books           *store.Store // the same database
	initial         map[uuid.UUID]int
	clients         []*client
	doors           []*door // of the customers
	receiver        *receiver
	databaseCrashes int
}

// run has clients hang up and makes the service crash so many times, and fails when anything is wrong after
// one of them.
func (t *trial) run(ctx context.Context, hangups, kills int) (err error) {
	t.receiver = newReceiver()
	defer t.receiver.Close()
	defer func() {
		if t.server != nil {
			t.server.Stop()
		}
		if t.books != nil {
			err = errors.Join(err, t.books.Close())
		}
	}()
	if err := t.begin(ctx); err != nil {
		return err
	}
	if err := t.hangUp(ctx, hangups); err != nil {
		return err
	}
	for n := range kills {
		if err := t.round(ctx, n); err != nil {
			return fmt.Errorf("crash %d: %w", n+1, err)
		}
	}
	if err := t.checkEvents(ctx); err != nil {
		return err
	}
	t.tell(kills)
	return nil
}

// begin fills the database, starts the server and registers the customers.
func (t *trial) begin(ctx context.Context) (err error) {
	bundle := filepath.Join(t.Folder, "shop.json")
	if err := writeShop(bundle); err != nil {
		return err
	}
	for _, args := range [][]string{{"migrate"}, {"import", bundle}} {
		if _, err := child.Run(ctx, t.environment(), t.binary, args...); err != nil {
			return err
		}
	}
	if t.books, err = store.Open(ctx, t.Database); err != nil {
		return err
	}
	if t.initial, err = ledger.Units(ctx, t.books); err != nil {
		return err
	}
	if err := t.start(ctx); err != nil {
		return err
	}
	for i := range customers {
		d := newDoor()
		d.base = "http://" + t.server.Addr
		if t.business, err = register(ctx, d, i); err != nil {
			return err
		}
		t.doors = append(t.doors, d)
	}
	if t.shop, err = enter(ctx, t.doors[0], t.business); err != nil {
		return err
	}
	if err := t.listen(ctx); err != nil {
		return err
	}
	for i := range clients {
		d := newDoor()
		d.base, d.token = "http://"+t.server.Addr, t.doors[i%customers].token
		t.clients = append(t.clients, &client{
			door: d, random: rand.New(rand.NewPCG(t.random.Uint64(), 0)), shop: t.shop, patient: i%4 != 3,
		})
	}
	return nil
}

func (t *trial) environment() []string {
	return []string{
		"DATABASE_URL=" + t.Database, "LISTEN_ADDR=127.0.0.1:0", "LOG_FORMAT=json", "METRICS_ADDR=", "REGISTRATIONS_PER_HOUR=0",
		"ACCESS_TTL=24h", "WEBHOOK_PRIVATE_ADDRESSES=allow",
		"TOKEN_SIGNING_KEY=a key of this trial alone, whose tokens outlive the server",
	}
}

// start starts the server, and gives its address to clients and customers.
func (t *trial) start(ctx context.Context) error {
	server, err := child.Serve(ctx, t.Folder, t.environment(), t.binary, "serve")
	if err != nil {
		return err
	}
	t.server = server
	for _, c := range t.clients {
		c.base = "http://" + t.server.Addr
	}
	for _, d := range t.doors {
		d.base = "http://" + t.server.Addr
	}
	return nil
}

// round lets clients shop until a crash, and looks at what is there after it.
func (t *trial) round(ctx context.Context, n int) error {
	before, after := newCountdown(1+t.random.Int64N(mostAnswers)), newCountdown(1+t.random.Int64N(mostAnswers))
	stop, home := make(chan struct{}), make(chan struct{})
	faults := make([]error, len(t.clients))
	var shopping sync.WaitGroup
	for i, c := range t.clients {
		c.answers.Store(before)
		shopping.Go(func() { faults[i] = c.goShopping(ctx, stop) })
	}
	go func() {
		shopping.Wait()
		close(home)
	}()
	err := before.wait(ctx, home)
	if t.databaseCrash() != "" && n%databaseEach == databaseEach-1 {
		t.databaseCrashes++
		err = errors.Join(err, t.crashDatabase(ctx), t.ready(ctx))
		for _, c := range t.clients {
			c.answers.Store(after)
		}
		err = errors.Join(err, after.wait(ctx, home)) // which shows that it is as before
		close(stop)
		<-home
	} else {
		t.server.Kill()
		<-home
		err = errors.Join(err, t.start(ctx))
	}
	if err := errors.Join(err, errors.Join(faults...)); err != nil {
		return err
	}
	return t.check(ctx)
}

// ready waits until the server has found the database again.
func (t *trial) ready(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, comeBack)
	defer stop()
	for d := t.doors[0]; ; {
		err := d.call(ctx, http.MethodGet, "/readyz", "", nil, nil)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("the server has not come back after the database's crash: %w", err)
		}
		if err := wait(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
