// Package upgrade tries an upgrade and the way back as an operator does them, by two builds of the program:
// one from before, and the one of now. `make upgrade FROM=v1.2.0` builds both and runs it; it needs
// TEST_POSTGRES_URL.
//
// Customers shop all the while: with a server of before while the newer program migrates its database; with
// both on one database; with the newer one alone; with one of before that is started again beside it; and
// with that alone. No answer may be a fault of the service, no matter which of the two wrote what is read,
// and each order must be there at the end. On SQLite, which one server has at a time, they follow each
// other.
package upgrade

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"storefront/cmd/internal/child"
	"storefront/cmd/internal/scratch"
)

func Run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("upgrade", flag.ContinueOnError)
	before := flags.String("before", "", "the program from before")
	now := flags.String("now", "bin/storefront", "the program of now")
	requests := flags.Int("requests", 600, "that customers make in each part")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *before == "" {
		return errors.New("-before names the program from before")
	}
	for _, kind := range []string{scratch.SQLite, scratch.Postgres} {
		p, err := scratch.New(ctx, kind)
		if err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
		t := &trial{Place: p, before: *before, now: *now, requests: *requests, out: out}
		if err := errors.Join(t.run(ctx), p.Close()); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
	}
	return nil
}

// trial is an upgrade on one kind of database.
type trial struct {
	*scratch.Place
	before, now string
	requests    int
	out         io.Writer
	crowd       *crowd
}

func (t *trial) env() []string {
	return []string{"DATABASE_URL=" + t.Database, "TOKEN_SIGNING_KEY=" + strings.Repeat("k", 32), "LISTEN_ADDR=127.0.0.1:0",
		"REGISTRATIONS_PER_HOUR=0", "LOG_FORMAT=json", "DRAIN_TIME=0s"}
}

func (t *trial) serve(ctx context.Context, program string) (*child.Server, error) {
	return child.Serve(ctx, t.Folder, t.env(), program, "serve")
}

// run upgrades, and goes back.
func (t *trial) run(ctx context.Context) error {
	bundle := filepath.Join(t.Folder, "shop.json")
	if err := writeShop(bundle); err != nil {
		return err
	}
	if _, err := child.Run(ctx, t.env(), t.before, "import", bundle); err != nil {
		return err
	}
	old, err := t.serve(ctx, t.before)
	if err != nil {
		return err
	}
	defer old.Stop()
	if t.crowd, err = newCrowd(ctx, old.Addr); err != nil {
		return err
	}
	var took child.Spent
	if err := t.part(ctx, "before, while the database is migrated", func() (err error) {
		took, err = child.Run(ctx, t.env(), t.now, "migrate")
		return err
	}, old); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "%s: migrated in %.2f s\n", t.Kind, took.Time.Seconds())
	together := t.Kind == scratch.Postgres
	if !together {
		old.Stop()
	}
	newer, err := t.serve(ctx, t.now)
	if err != nil {
		return err
	}
	defer newer.Stop()
	if together {
		if err := t.part(ctx, "both", nil, old, newer); err != nil {
			return err
		}
		old.Stop()
	}
	if err := t.part(ctx, "now", nil, newer); err != nil {
		return err
	}
	if !together {
		newer.Stop()
	}
	again, err := t.serve(ctx, t.before)
	if err != nil {
		return fmt.Errorf("the way back: %w", err)
	}
	defer again.Stop()
	if together {
		if err := t.part(ctx, "both, on the way back", nil, newer, again); err != nil {
			return err
		}
		newer.Stop()
	}
	if err := t.part(ctx, "before, again", nil, again); err != nil {
		return err
	}
	return t.crowd.lookAtAll(ctx, again.Addr)
}

// part has the customers shop with servers, which are all ready, while work is done, if any.
func (t *trial) part(ctx context.Context, name string, work func() error, servers ...*child.Server) error {
	var addresses []string
	for _, s := range servers {
		addresses = append(addresses, s.Addr)
	}
	working := make(chan error, 1)
	go func() {
		if work == nil {
			working <- nil
			return
		}
		working <- work()
	}()
	began := time.Now()
	done, err := t.crowd.shop(ctx, t.requests, addresses)
	if err := errors.Join(err, <-working); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, address := range addresses {
		if err := ready(ctx, address); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	fmt.Fprintf(t.out, "%s: %s: %d requests, %d orders in %.1f s, no failure, ready\n", t.Kind, name, done.requests,
		done.orders, time.Since(began).Seconds())
	return nil
}

// ready fails where a server says that it is not.
func ready(ctx context.Context, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("/readyz: %d %s", response.StatusCode, text)
	}
	return err
}

// writeShop writes the bundle of the shop.
func writeShop(file string) error {
	var products []string
	for i := range variants {
		products = append(products, fmt.Sprintf(`{"slug": "product-%d", "titleFa": "کالای %[1]d", "publishedAt": `+
			`"2026-01-01T00:00:00Z", "variants": [{"sku": "V-%[1]d", "price": %d, "priceCurrency": "IRT", "stock": 1000000}]}`,
			i, 1000+7*i))
	}
	return os.WriteFile(file, []byte(`{"format": "storefront-bundle/1", "tenant": {"domain": "`+domain+`", "slug": "upgrade", `+
		`"name": "Upgrade", "nameFa": "فروشگاه", "defaultLocale": "fa"}, "products": [`+strings.Join(products, ",")+`]}`), 0o600)
}

const (
	domain   = "upgrade.example"
	variants = 20
)
