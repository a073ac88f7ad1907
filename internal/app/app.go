// Package app composes the service. Over a migrated store it makes the services of each domain, the GraphQL
// engine that uses them, the handlers of /graphql and REST, the pages, and the server around these.
//
// It has no rules of its own. cmd/storefront gives it the settings and a listener; tests give it a clock and
// a sender.
package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"storefront/ent/mediafile"
	"storefront/ent/shopevent"
	"storefront/ent/user"
	"storefront/graph"
	"storefront/graph/engine"
	graphql "storefront/graph/http"
	"storefront/internal/catalog"
	"storefront/internal/catalog/answercache"
	"storefront/internal/catalog/crawl"
	"storefront/internal/catalog/lookup"
	"storefront/internal/content/transfer"
	"storefront/internal/customer/account"
	"storefront/internal/customer/secondfactor"
	"storefront/internal/database/store"
	"storefront/internal/database/sweep"
	"storefront/internal/event/live"
	"storefront/internal/event/outbox"
	"storefront/internal/event/webhook"
	"storefront/internal/media"
	"storefront/internal/media/blob"
	"storefront/internal/message/notice"
	"storefront/internal/message/partner"
	"storefront/internal/message/sms"
	"storefront/internal/pages"
	"storefront/internal/platform/idempotency"
	"storefront/internal/platform/password"
	"storefront/internal/platform/signedlink"
	"storefront/internal/platform/tracing"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/gateway"
	"storefront/internal/sale/gatewayaccount"
	"storefront/internal/sale/order"
	"storefront/internal/sale/payment"
	"storefront/internal/sale/report"
	"storefront/internal/server"
	"storefront/internal/shop/staff"
	"storefront/rest"
)

// Options are the settings of the service and what it works with; the zero value is a service with nothing configured.
type Options struct {
	Settings

	Clock func() time.Time     // the time requests see; nil: the real one
	Ahead func() time.Duration // of the database's clock to the process's; nil: they are one

	LogDropped func() int64         // lines of the log that were dropped; nil: none
	Tracer     *tracing.Tracer      // makes a span for each request; nil: none
	Metrics    *prometheus.Registry // where metrics are registered; nil: a new registry
	Front      *server.Server       // the server from Starting, begun before the store was open; nil: a new one
	Imports    context.Context      // imports of sheets stop when it is done; nil: they never do

	Version, Commit string   // of the program
	Database        string   // the name of the database in the log, without secrets
	Shops           []string // domains of shops that the public page at / lists if they exist

	Key      []byte     // signs tokens and codes, at least 32 bytes; nil: a random one
	OtherKey []byte     // a second key whose signatures are accepted while keys are exchanged; nil: none
	Sender   sms.Sender // sends codes and partners' messages; nil: none
	Provider string     // name of Sender's provider

	Media      blob.Store // storage of uploaded images; nil: no uploads
	MediaSpool string     // folder of files during their upload; empty: the system's

	// Reach calls an address of a shop (gatewayaccount.Options); nil: over the network.
	Reach func(ctx context.Context, address string) ([]byte, error)

	PasswordCost password.Cost     // of a password hash; zero: password.Recommended
	Idempotency  idempotency.Times // zero: idempotency.Defaults
}

// fill sets zero fields to their defaults.
func (o *Options) fill() {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Imports == nil {
		o.Imports = context.Background()
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
	if o.PasswordCost == (password.Cost{}) {
		o.PasswordCost = password.Recommended
	}
	usual := account.UsualLimits
	o.CodesInMinute = cmp.Or(o.CodesInMinute, usual.CodesInMinute)
	o.CodesToAddress = cmp.Or(o.CodesToAddress, usual.CodesToAddress)
	o.CodesInHour, o.CodesInDay = cmp.Or(o.CodesInHour, usual.CodesInHour), cmp.Or(o.CodesInDay, usual.CodesInDay)
}

// App is the whole service. It is an http.Handler. Serve serves a listener, and Close ends background work.
type App struct {
	*server.Server
	Images   *media.Service
	accounts *account.Service
	notices  *notice.Service
	sweeper  *sweeper
	webhooks *webhook.Service
	log      *slog.Logger

	engine *engine.Engine
	moves  chan struct{} // wakes MoveLoop
	key    *keyComparison
	store  *store.Store
	orders *order.Service

	payments *payment.Service

	accountsAt *gatewayaccount.Service
	tenants    *lookup.Tenants
	shops      []string // domains of a demo's shops

	firstSweep time.Duration
	pace       record.Pace // of the windows of payments
}

// Close waits until pending SMS are sent, or ctx ends.
func (a *App) Close(ctx context.Context) {
	a.accounts.Close(ctx)
	a.notices.Close(ctx)
}

// Starting returns the server of a service whose store is not open yet, for Options.Front.
func Starting(log *slog.Logger, o Options) *server.Server {
	return server.Starting(server.Options{
		Clock: o.Clock, Origins: o.Origins, Headers: o.Headers, TrustedProxies: o.TrustedProxies,
		DrainTime: o.DrainTime, Database: o.Database, Tracer: o.Tracer, Metrics: o.Metrics, Log: log,
	})
}

// Command runs a document for the operator at a terminal.
func (a *App) Command(ctx context.Context, c engine.Command) engine.Result {
	return a.engine.Command(ctx, c)
}

// SendEvents numbers events, and sends them to webhooks, until ctx is done. It returns when the running deliveries
// have ended.
func (a *App) SendEvents(ctx context.Context) {
	if err := a.webhooks.TakeOver(ctx); err != nil && ctx.Err() == nil {
		a.log.Warn("webhooks of an earlier run wait for some seconds", "error", err)
	}
	a.webhooks.Run(ctx)
}

// New composes the service over a migrated store.
func New(s *store.Store, log *slog.Logger, o Options) (*App, error) {
	o.fill()
	log = slog.New(server.WithRequestID(log.Handler()))
	front := o.Front
	if front == nil {
		front = Starting(log, o)
	}
	registry := front.Registry()
	meters := newMeters(registry, cmp.Or(o.Provider, "none"))
	factors, err := secondfactor.New(s.Client, o.Clock, o.Key, o.OtherKey, log)
	if err != nil {
		return nil, err
	}
	accounts, err := account.New(account.Options{
		Store: s.Client, Clock: o.Clock, Times: o.Times, Key: o.Key, OtherKey: o.OtherKey, Factors: factors,
		Sender: meters.counting(o.Sender, purposeCode), Notices: meters.counting(o.Sender, purposeNotice),
		Checked: meters.checked, Refused: by[string](meters.refusals), Log: log,
		Limits: o.Limits, RegistrationsInHour: o.RegistrationsInHour,
		RefuseCommonPasswords: o.RefuseCommonPasswords, PasswordCost: o.PasswordCost,
	})
	if err != nil {
		return nil, err
	}
	partners := partner.New(s.Client, o.Clock, meters.counting(o.Sender, purposePartner), o.Provider, log)
	partners.KeysKept = o.Idempotency.Kept
	webhooks := webhook.New(webhook.Options{
		Store: s.Client, Clock: o.Clock, Log: log, Private: o.PrivateWebhooks, Attempted: by[string](meters.webhooks),
	})
	notices := notice.New(notice.Options{Store: s.Client, Clock: o.Clock, Log: log, ShopInDay: o.ShopSMSInDay,
		Sender: meters.counting(o.Sender, purposeNotice)})
	gateways, bank := gateway.All(o.GatewayURLs), gateway.NewDemo()
	if len(o.Shops) > 0 {
		gateways = append(gateways, bank)
	}
	accountsAt, err := gatewayaccount.New(gatewayaccount.Options{
		Store: s.Client, Clock: o.Clock, Key: o.Key, OtherKey: o.OtherKey, Gateways: gateways,
		PublicURL: strings.TrimSuffix(o.PublicURL, "/"), Notices: notices, Reach: o.Reach,
	})
	if err != nil {
		return nil, err
	}
	registry.MustRegister(backlogMetrics{webhooks, log})
	keys := idempotency.New(s.Client, s.DB, o.Clock, o.Idempotency)
	carts := cart.New(s.Client, o.Clock)
	carts.GuestsInHour, carts.ShopGuestsInHour = o.GuestCartsInHour, o.ShopGuestCartsInHour
	orders := order.New(s.Client, carts, o.Clock)
	orders.Ahead, orders.Pace = o.Ahead, o.GatewayTime
	orders.Placed = meters.placed.Inc
	orders.Moved, orders.Marked = by[record.OrderStatus](meters.moves), by[record.PaymentStatus](meters.payments)
	payments := payment.New(payment.Options{Store: s.Client, Orders: orders, Accounts: accountsAt, Clock: o.Clock,
		Log: log, Demo: len(o.Shops) > 0, Pace: o.GatewayTime})
	reports := report.New(s.Client, o.Clock, log)
	moves := make(chan struct{}, 1)
	tenants := lookup.NewTenants(s.DB)
	var answers *answercache.Cache
	if o.CacheSize > 0 {
		answers = answercache.New(uint64(o.CacheSize), tenants.FindAll, registry)
	}
	links := &staff.Links{Store: s.Client, Signer: signedlink.New(o.Key, o.OtherKey, o.Clock), Clock: o.Clock,
		Sessions: accounts, OperatorsNeedFactor: o.OperatorsNeedFactor}
	sheets := transfer.New(o.Imports, s, links, o.Clock, log)
	images := media.New(media.Options{
		Store: s.Client, Files: o.Media, Clock: o.Clock, Log: log, Links: links, Orders: orders,
		Base: o.MediaURL, Quota: o.MediaQuota, Spool: o.MediaSpool,
	})
	registry.MustRegister(readinessMetrics{s, images})
	listening := live.New(s.Client, o.Clock, log)
	lists := catalog.NewCatalog(s.Client, tenants)
	files := crawl.New(crawl.Records{Catalog: lists, Store: s.Client}, o.Clock, log, o.Version+" "+o.Commit)
	runner := graph.NewEngine(
		graph.Services{
			Store: s.Client, Tenants: tenants, Catalog: lists, Accounts: accounts, Factors: factors, Partners: partners,
			Carts: carts, Orders: orders, Payments: payments, Reports: reports, Webhooks: webhooks, Notices: notices,
			Sheets: sheets, Media: images, Links: links, Live: listening, Gateways: accountsAt,
			Tokens: &staff.Tokens{Store: s.Client, Clock: o.Clock, Log: log},
			Moving: func() { wake(moves) },
			Rules: graph.Rules{PublicWritesInMinute: o.PublicWritesInMinute,
				OperatorsNeedFactor: o.OperatorsNeedFactor, NoIntrospection: o.NoExplorer},
		},
		engine.Options{Keys: keys, Answers: answers, Clock: o.Clock, Log: log},
	)
	api, err := rest.New(runner, tenants.Charges)
	if err != nil {
		return nil, err
	}
	shown, err := pagesOf(o, tenants)
	if err != nil {
		return nil, err
	}
	shown[payment.Path] = pages.Pay(payments, log)
	if len(o.Shops) > 0 {
		shown[pages.DemoBankPath] = pages.DemoBank(bank)
	}
	shown[gatewayaccount.MarkerPath] = http.HandlerFunc(accountsAt.Marker)
	graphQL := graphql.NewHandler(runner)
	measure(registry, o, s, graphQL, listening, lists)
	front.Open(server.Handlers{
		Pages: shown, API: api, GraphQL: graphQL, Live: http.HandlerFunc(graphQL.ServeLive),
		Streams: map[string]http.Handler{
			transfer.Path: sheets.Handler(), record.MediaPath: http.HandlerFunc(images.Handler),
			crawl.Path: files.Handler(),
		},
		OwnsHost: ownsHost(tenants), Ready: readinessOf(s, images),
	})
	old := func() []sweep.Job {
		return slices.Concat(accounts.Old(), factors.Old(), partners.Old(), keys.Old(), webhooks.Old(), carts.Old(),
			payments.Old(), staff.Old(o.Clock()), o.Keep.old(o.Clock()))
	}
	return &App{
		Server: front, Images: images, accounts: accounts, notices: notices,
		sweeper: newSweeper(s, old, []deletion{
			{user.Table, "erase accounts", accounts.EraseOld},
			{mediafile.Table, "delete unused images", images.Sweep},
			{shopevent.Table, "delete old events", func(ctx context.Context) (int, error) {
				n, err := outbox.Sweep(ctx, s.Client, o.Clock())
				return int(n), err
			}},
		}, []resealing{
			{"second factors", factors.Reseal}, {"gateway accounts", accountsAt.Reseal},
		}, registry, log),
		key:        newKeyComparison(s, o, registry, log),
		accountsAt: accountsAt, tenants: tenants, shops: o.Shops,
		engine: runner, webhooks: webhooks, log: log, moves: moves, store: s, orders: orders, payments: payments,
		firstSweep: o.FirstSweep, pace: o.GatewayTime,
	}, nil
}

// OpenDemoGateways gives the shops of a demo an account at its payment gateway.
func (a *App) OpenDemoGateways(ctx context.Context) error {
	shops, err := a.tenants.FindAll(ctx, a.shops)
	for _, shop := range shops {
		err = cmp.Or(err, a.accountsAt.OpenDemo(ctx, shop.ID))
	}
	return err
}

// ownsHost returns a function that reports whether a host is the domain of a tenant or a subdomain of one.
func ownsHost(tenants *lookup.Tenants) func(context.Context, string) bool {
	return func(ctx context.Context, host string) bool {
		var domains []string
		for rest, more := host, true; more && len(domains) < maxLabels; _, rest, more = strings.Cut(rest, ".") {
			domains = append(domains, rest)
		}
		found, err := tenants.FindAll(ctx, domains)
		return err == nil && slices.ContainsFunc(domains, func(domain string) bool { return found[domain] != nil })
	}
}

// maxLabels is the most domains that are looked up for a host: its own and its parents.
const maxLabels = 8
