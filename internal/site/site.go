// Package site puts the service together: a store, the GraphQL engine, its two doors and the server around them.
package site

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"time"

	"storefront/ent/tenant"
	"storefront/graph"
	"storefront/internal/account"
	"storefront/internal/cart"
	"storefront/internal/idempotency"
	"storefront/internal/order"
	"storefront/internal/partner"
	"storefront/internal/server"
	"storefront/internal/server/origin"
	"storefront/internal/sms"
	"storefront/internal/store"
	"storefront/rest"
)

// Options are the settings of a site; the zero value is a site with nothing configured.
type Options struct {
	Clock          func() time.Time // the time requests see; nil: the real one
	Origins        []origin.Origin  // origins that CORS allows beside tenants' own
	TrustedProxies []netip.Prefix   // peers whose X-Forwarded-For is believed

	Key           []byte            // signs tokens and codes, 32 bytes at least; nil: a random one, and sessions end with the process
	Sender        sms.Sender        // of codes and partners' messages; nil: none
	Provider      string            // name of what Sender speaks to
	Times         account.Times     // zero: account.Defaults
	Idempotency   idempotency.Times // zero: idempotency.Defaults
	CodesInMinute int               // SMS codes sent by the whole service; 0: 600

	NoExplorer bool // no playground, and no introspection of the GraphQL schema
}

// fill gives what is left out its value.
func (o *Options) fill() {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Key == nil {
		o.Key = make([]byte, 32)
		_, _ = rand.Read(o.Key) // never fails
	}
	if o.Sender == nil {
		o.Sender, _ = sms.New(sms.Settings{}) // none needs no settings
	}
	if o.Times == (account.Times{}) {
		o.Times = account.Defaults
	}
	if o.Idempotency == (idempotency.Times{}) {
		o.Idempotency = idempotency.Defaults
	}
	if o.CodesInMinute == 0 {
		o.CodesInMinute = 600
	}
}

// Site is the whole service. It is an http.Handler; Serve gives it a listener, and Close ends what goes on beside requests.
type Site struct {
	*server.Server
	accounts *account.Service
	gateway  *partner.Service
	keys     *idempotency.Store
}

// Close waits for the SMS codes that are being sent, until ctx ends.
func (s *Site) Close(ctx context.Context) { s.accounts.Close(ctx) }

// sweepEvery is the time between two sweeps.
const sweepEvery = 10 * time.Minute

// SweepAlong removes what has passed, now and then, until ctx ends: sessions, codes, counted events, old records, stored answers.
func (s *Site) SweepAlong(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := errors.Join(s.accounts.Sweep(ctx), s.gateway.Sweep(ctx), s.keys.Sweep(ctx)); err != nil && ctx.Err() == nil {
				log.Warn("what has passed was not removed", "error", err)
			}
		}
	}
}

// New makes the service over a migrated store.
func New(s *store.Store, log *slog.Logger, o Options) (*Site, error) {
	o.fill()
	log = slog.New(server.WithRequestID(log.Handler()))
	accounts, err := account.New(account.Options{
		Store: s.Client, Clock: o.Clock, Times: o.Times, Key: o.Key, Sender: o.Sender, CodesInMinute: o.CodesInMinute, Log: log,
	})
	if err != nil {
		return nil, err
	}
	gateway := partner.New(s.Client, o.Clock, o.Sender, o.Provider, log)
	keys := idempotency.New(s.Client, s.DB, o.Clock, o.Idempotency)
	carts := cart.New(s.Client, o.Clock)
	engine := graph.NewEngine(graph.Options{
		Store: s.Client, Accounts: accounts, Partners: gateway, Carts: carts, Orders: order.New(s.Client, carts, o.Clock),
		Keys: keys, Clock: o.Clock, Log: log, NoIntrospection: o.NoExplorer,
	})
	api, err := rest.New(engine)
	if err != nil {
		return nil, err
	}
	shown, err := pagesOf(o)
	if err != nil {
		return nil, err
	}
	front := server.New(server.Options{
		Pages:          shown,
		API:            api,
		GraphQL:        graph.NewDoor(engine),
		OwnsHost:       ownsHost(s),
		Ready:          s.Ready,
		Origins:        o.Origins,
		TrustedProxies: o.TrustedProxies,
		Log:            log,
	})
	return &Site{front, accounts, gateway, keys}, nil
}

// ownsHost tells whether a host is a tenant's domain or stands below one.
func ownsHost(s *store.Store) func(context.Context, string) bool {
	return func(ctx context.Context, host string) bool {
		var domains []string
		for rest, more := host, true; more && len(domains) < maxLabels; _, rest, more = strings.Cut(rest, ".") {
			domains = append(domains, rest)
		}
		known, err := s.Client.Tenant.Query().Where(tenant.DomainIn(domains...)).Exist(ctx)
		return err == nil && known
	}
}

// maxLabels bounds the names above a host that are looked up.
const maxLabels = 8
