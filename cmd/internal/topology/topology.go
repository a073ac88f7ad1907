// Package topology makes what a shop in production has, on loopback, for commands that break it: a
// PostgreSQL primary with a standby that holds every acknowledged commit, a PgBouncer in front of each, and
// two servers of ours. One server reaches the database through both poolers, the other one directly, with
// the standby as its replica.
package topology

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	_ "github.com/lib/pq" // registers "postgres"

	"storefront/cmd/internal/child"
	"storefront/internal/contract/ledger"
	"storefront/internal/pgserver"
	"storefront/internal/store"
)

// Domain is the shop's.
const Domain = "shop.example"

// Products is how many products the shop has, which never run out.
const Products = 40

const database = "shop"

// Topology is what was made.
type Topology struct {
	Primary, Standby *pgserver.Server
	Bouncers         [2]*Bouncer // in front of the primary, and of the standby
	Servers          [2]*child.Server
	Metrics          [2]string // addresses
	folder           string
	binary           string
	initial          map[uuid.UUID]int // stock
}

// Options say how it is made.
type Options struct {
	Binary string // the server's program
	// Through gives the address by which something is reached: "primary" and "standby" by a server, "bouncer" 0 and 1.
	Through func(what, addr string) (string, error)
	Pool    int // connections of a server; 0: 16
}

// New makes everything, and fills the shop.
func New(ctx context.Context, o Options) (t *Topology, err error) {
	t = &Topology{binary: o.Binary}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.Close())
		}
	}()
	if o.Through == nil {
		o.Through = func(_, addr string) (string, error) { return addr, nil }
	}
	if o.Pool == 0 {
		o.Pool = 16
	}
	if t.folder, err = os.MkdirTemp("", "topology-*"); err != nil {
		return t, err
	}
	if err := t.replicate(ctx); err != nil {
		return t, err
	}
	for i, server := range []*pgserver.Server{t.Primary, t.Standby} {
		if t.Bouncers[i], err = NewBouncer(ctx, server, database); err != nil {
			return t, err
		}
	}
	return t, t.serve(ctx, o)
}

// replicate makes the primary with the shop, and the standby.
func (t *Topology) replicate(ctx context.Context) (err error) {
	if t.Primary, err = pgserver.New(ctx, true, "synchronous_commit = on", "hot_standby_feedback = on"); err != nil {
		return err
	}
	if err := Exec(ctx, t.Primary, "postgres", "CREATE DATABASE "+database); err != nil {
		return err
	}
	bundle := filepath.Join(t.folder, "shop.json")
	if err := WriteShop(bundle); err != nil {
		return err
	}
	for _, args := range [][]string{{"migrate"}, {"import", bundle}} {
		if _, err := child.Run(ctx, []string{"DATABASE_URL=" + t.Primary.URL(database)}, t.binary, args...); err != nil {
			return err
		}
	}
	if err := t.countStock(ctx); err != nil {
		return err
	}
	if t.Standby, err = t.Primary.Standby(ctx); err != nil {
		return err
	}
	// Only now, as nothing could be committed before.
	return Exec(ctx, t.Primary, "postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
}

// serve starts our servers.
func (t *Topology) serve(ctx context.Context, o Options) error {
	direct, pooled := [2]string{}, [2]string{}
	for i, server := range []*pgserver.Server{t.Primary, t.Standby} {
		var err error
		if direct[i], err = o.Through([]string{"primary", "standby"}[i], server.Addr()); err != nil {
			return err
		}
		if pooled[i], err = o.Through(fmt.Sprint("bouncer ", i), t.Bouncers[i].Addr); err != nil {
			return err
		}
	}
	replica, err := o.Through("replica", t.Standby.Addr())
	if err != nil {
		return err
	}
	for i, hosts := range []string{pooled[0] + "," + pooled[1], direct[0] + "," + direct[1]} {
		at, err := FreeAddress()
		if err != nil {
			return err
		}
		t.Metrics[i] = at
		environment := []string{
			"DATABASE_URL=" + t.Primary.URLAt(hosts, database) + fmt.Sprint("&pool_size=", o.Pool),
			"LISTEN_ADDR=127.0.0.1:0", "METRICS_ADDR=" + at, "LOG_FORMAT=json", "LOG_LEVEL=info", "ACCESS_TTL=24h",
			"TOKEN_SIGNING_KEY=a key of this trial alone, alike at both servers",
			"GUEST_CARTS_PER_HOUR=0", "GUEST_CARTS_PER_SHOP=0", "PUBLIC_WRITES_PER_MINUTE=0", "REGISTRATIONS_PER_HOUR=0",
		}
		if i == 1 {
			environment = append(environment, "DATABASE_REPLICA_URL="+t.Standby.URLAt(replica, database))
		}
		if t.Servers[i], err = child.Serve(ctx, t.folder, environment, t.binary, "serve"); err != nil {
			return err
		}
	}
	return nil
}

// Complaints returns the last warnings of each of our servers as an error.
func (t *Topology) Complaints() error {
	var errs []error
	for i, s := range t.Servers {
		said, err := s.Log()
		if err != nil {
			return err
		}
		var last [][]byte
		for line := range bytes.Lines(said) {
			if !bytes.Contains(line, []byte(`"level":"INFO"`)) {
				last = append(last, line)
			}
		}
		errs = append(errs, fmt.Errorf("server %d said last: %s", i+1, bytes.Join(last[max(0, len(last)-5):], nil)))
	}
	return errors.Join(errs...)
}

func (t *Topology) countStock(ctx context.Context) error {
	s, err := store.Open(ctx, t.Primary.URL(database))
	if err != nil {
		return err
	}
	defer s.Close()
	t.initial, err = ledger.Units(ctx, s)
	return err
}

// CheckBooks looks at a server of PostgreSQL whether orders, carts and stock agree.
func (t *Topology) CheckBooks(ctx context.Context, at *pgserver.Server) error {
	s, err := store.Open(ctx, at.URL(database))
	if err != nil {
		return err
	}
	defer s.Close()
	return ledger.Check(ctx, s, t.initial)
}

// Close ends all that was made, and removes it.
func (t *Topology) Close() error {
	var errs []error
	for _, s := range t.Servers {
		if s != nil {
			s.Stop()
		}
	}
	for _, b := range t.Bouncers {
		if b != nil {
			errs = append(errs, b.Close())
		}
	}
	for _, s := range []*pgserver.Server{t.Standby, t.Primary} {
		if s != nil {
			errs = append(errs, s.Close())
		}
	}
	return errors.Join(append(errs, os.RemoveAll(t.folder))...)
}

// Exec runs statements at a server.
func Exec(ctx context.Context, at *pgserver.Server, database string, statements ...string) error {
	return ExecAt(ctx, at.URL(database), statements...)
}

// ExecAt runs statements at the database of a URL.
func ExecAt(ctx context.Context, url string, statements ...string) error {
	db, err := sql.Open("postgres", url)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, text := range statements {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

// WriteShop writes the bundle of the shop whose customers Register makes.
func WriteShop(file string) error {
	var products []any
	for i := range Products {
		products = append(products, map[string]any{
			"slug": fmt.Sprintf("product-%d", i), "titleFa": fmt.Sprintf("کالای %d", i),
			"publishedAt": time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
			"variants": []any{map[string]any{"sku": fmt.Sprintf("V-%d", i), "price": 1000 + 7*i,
				"priceCurrency": "IRT", "stock": 100_000_000}},
		})
	}
	text, err := json.Marshal(map[string]any{
		"format": "storefront-bundle/1",
		"tenant": map[string]any{"domain": Domain, "slug": "shop", "name": "Shop", "nameFa": "فروشگاه",
			"defaultLocale": "fa"},
		"products": products,
	})
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}
