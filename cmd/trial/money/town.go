package money

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httputil"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// pace is how many times shorter the windows of payments are.
type pace int

func (p pace) of(window time.Duration) time.Duration { return window / time.Duration(p) }

// town is the service with its shops, their customers, and the gateways.
type town struct {
	*stage.Stage
	pace     pace
	front    string // host:port of all servers
	servers  []*served
	gateways map[string]*served
	shops    []*shop
	tally    customer.Tally
	foreign  atomic.Value // where another customer came back to
	people   atomic.Int64
	planted  []string // secrets
	isSlow   bool     // gateways may be slower than the service waits
}

// served is a server that is killed and started again at its address.
type served struct {
	mu     sync.Mutex
	url    string
	ledger string // of a gateway
	start  func() *stage.Server
	now    *stage.Server
}

func (s *served) addr() string { return strings.TrimPrefix(s.url, "http://") }

func serve(start func() *stage.Server) *served {
	s := &served{start: start, now: start()}
	s.url = "http://" + s.now.Addr
	return s
}

// kill kills the server, and starts it again after a while.
func (s *served) kill(ctx context.Context, away time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.Kill()
	customer.Pause(ctx, away)
	s.now = s.start()
}

// build starts the gateways and the servers, each by its program, and sets up the shops.
func build(ctx context.Context, s *stage.Stage, p pace, servers []string) *town {
	t := &town{Stage: s, pace: p, gateways: map[string]*served{}}
	t.foreign.Store("")
	var addresses []string
	program := must.Get(os.Executable())
	for name := range opens {
		ledger, listen := filepath.Join(s.Folder, name+".ledger"), stage.FreeAddress()
		t.gateways[name] = serve(func() *stage.Server {
			return s.ServeBy(ctx, nil, program, "gateway", "-name", name, "-listen", listen, "-ledger", ledger,
				"-scale", fmt.Sprint(p))
		})
		t.gateways[name].ledger = ledger
		addresses = append(addresses, name+"="+t.gateways[name].url)
	}
	t.front = strings.TrimPrefix(s.Receive(t.balance()), "http://")
	s.Env = []string{"CLIENT_LIMITS=off", "WEBHOOK_PRIVATE_ADDRESSES=allow", "TRUSTED_PROXIES=127.0.0.1",
		"PUBLIC_URL=http://" + t.front, "GATEWAY_URLS=" + strings.Join(addresses, ","),
		fmt.Sprintf("GATEWAY_TIME=1:%d", p), "DRAIN_TIME=0s"}
	for i := range currencies {
		s.Import(ctx, bundleOf(i))
	}
	s.Count(ctx)
	for _, program := range servers {
		listen := stage.FreeAddress()
		t.servers = append(t.servers, serve(func() *stage.Server {
			return s.ServeBy(ctx, s.Environment("LISTEN_ADDR="+listen), program, "serve")
		}))
	}
	for i := range currencies {
		t.shops = append(t.shops, t.open(ctx, i))
	}
	t.control(ctx, "zibal", map[string]any{"do": "card", "id": pauper, "amount": 10}, nil)
	return t
}

// balance sends each request to the next server. What has no answer there is cut.
func (t *town) balance() http.HandlerFunc {
	var turn atomic.Int64
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			at := t.servers[int(turn.Add(1))%len(t.servers)]
			r.Out.URL.Scheme, r.Out.URL.Host = "http", at.addr()
			r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"]
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ErrorLog:     quiet,
	}
	return proxy.ServeHTTP
}

// client returns a client of the front, from an address of its own.
func (t *town) client(n int) customer.Client {
	web := customer.Web("")
	web.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return customer.Client{Base: customer.At(t.front), Web: web, Tally: &t.tally,
		Headers: []string{"X-Forwarded-For", fmt.Sprintf("10.%d.%d.7", n/250%250, n%250)}}
}

// newcomer registers a customer.
func (t *town) newcomer(ctx context.Context) *customer.Customer {
	n := int(t.people.Add(1))
	var c *customer.Customer
	customer.Until(ctx, time.Minute, func(ctx context.Context) error { // a server may just have been killed
		return must.Run(func() { c = customer.Register(ctx, t.client(n), n, domain(n%len(currencies))) })
	})
	return c
}

// control has a gateway do something, and reads its answer. A gateway that was killed is asked again.
func (t *town) control(ctx context.Context, gateway string, command map[string]any, into any) {
	c := customer.Client{Base: customer.At(t.gateways[gateway].addr())}
	customer.Until(ctx, time.Minute, func(ctx context.Context) error {
		a := c.Send(ctx, http.MethodPost, "/control", customer.JSON(command))
		if a.Status == http.StatusConflict {
			return nil
		}
		if into != nil && a.Status == http.StatusOK {
			return json.Unmarshal(a.Body, into)
		}
		return a.Read(nil)
	})
}

// currencies are those of the shops: the first of each two has no delivery methods.
var currencies = []string{"IRT", "IRT", "IRR", "IRR", "USD", "USD"}

func domain(shop int) string { return fmt.Sprintf("shop%d.example", shop) }

// bundleOf returns the bundle of a shop.
func bundleOf(shop int) []byte {
	unit := map[string]float64{"IRT": 1000, "IRR": 10_000, "USD": 1.25}[currencies[shop]]
	var products []any
	for i := range 12 {
		variant := map[string]any{"sku": fmt.Sprintf("V-%d", i), "price": unit * float64(3+i), "stock": 100_000,
			"priceCurrency": currencies[shop]}
		if i%3 > 0 {
			variant["weight"] = 170 * i
		}
		products = append(products, map[string]any{"slug": fmt.Sprintf("product-%d", i), "titleFa": "کالا",
			"publishedAt": time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), "variants": []any{variant}})
	}
	sections := map[string]any{"products": products}
	if shop%2 == 1 {
		sections["deliveryMethods"] = []any{map[string]any{"key": "post", "name": "Post", "nameFa": "پست",
			"kind": "steps", "priceCurrency": currencies[shop], "freeFrom": 60 * unit, "steps": []any{
				map[string]any{"upTo": 1000, "price": 2 * unit}, map[string]any{"upTo": 5000, "price": 3 * unit},
				map[string]any{"upTo": 100_000, "price": 5 * unit}}}}
	}
	return customer.Bundle(domain(shop), fmt.Sprintf("shop%d", shop), sections)
}

// account is a shop's account at a gateway.
type account struct{ row, merchant string }

// shop is a shop with two accounts at each gateway that takes its currency, of which one is switched on.
type shop struct {
	id, currency string
	owner        *customer.Customer
	variants     []customer.Variant
	accounts     map[string][]account

	mu sync.Mutex
	on map[string]int
}

// owners is the number of the first shop's owner among persons.
const owners = 9000

// open gives a shop an owner and accounts, one of all for test money.
func (t *town) open(ctx context.Context, n int) *shop {
	owner := customer.Enter(ctx, t.client(10_000+n), owners+n, domain(n))
	must.Get(t.Run(ctx, "staff", "add", "-unproven", domain(n), owner.Cell, "owner"))
	s := &shop{id: owner.Business, currency: currencies[n], owner: owner, variants: owner.Variants,
		accounts: map[string][]account{}, on: map[string]int{}}
	gateways := names[:2]
	if s.currency == "USD" {
		gateways = names[2:]
	}
	for i := range 2 * len(gateways) {
		gateway, isTest := gateways[i/2], n == 4 && i == 1
		random := rand.New(rand.NewPCG(uint64(n), uint64(i)))
		letters := fmt.Sprintf("%08x%08x%08x", random.Uint32(), random.Uint32(), random.Uint32())
		var at map[string]any // what the gateway knows
		var secrets []any
		secret := func(name, value string) {
			secrets = append(secrets, map[string]any{"name": name, "value": value})
			if name != "mode" {
				t.planted = append(t.planted, value)
			}
		}
		switch gateway {
		case "zibal":
			at = map[string]any{"id": "merchant-" + letters}
			secret("merchant", "merchant-"+letters)
		case "zarinpal":
			at = map[string]any{"id": fmt.Sprintf("%s-1111-4222-8333-%s", letters[:8], letters[8:20])}
			secret("merchant_id", at["id"].(string))
			secret("mode", "live")
		case "stripe":
			key := "sk_live_" + letters
			if isTest {
				key = "sk_test_" + letters
			}
			at = map[string]any{"id": "acct_" + letters, "keys": []string{key}}
			secret("secret_key", key)
			secret("webhook_secret", "whsec_"+letters)
		}
		var got struct {
			Data struct {
				AddGatewayAccount struct{ Account struct{ ID string } }
			}
		}
		must.Do(owner.Ask(ctx, `mutation($b: ID!, $in: GatewayAccountInput!, $pass: String) {
			addGatewayAccount(businessId: $b, input: $in, currentPassword: $pass) { account { id } } }`, map[string]any{
			"b": s.id, "pass": owner.Password,
			"in": map[string]any{"gateway": gateway, "secrets": secrets}}).Read(&got))
		row := got.Data.AddGatewayAccount.Account.ID
		if gateway == "stripe" {
			at["hooks"] = []any{map[string]any{"url": "http://" + t.front + "/pay/stripe/" + row,
				"secrets": []string{"whsec_" + letters}, "test": isTest}}
		}
		t.control(ctx, gateway, map[string]any{"do": "account", "account": at}, nil)
		s.accounts[gateway] = append(s.accounts[gateway], account{row, at["id"].(string)})
		must.Do(owner.Ask(ctx, switchAccount, s.switching(row)).Read(nil))
		s.on[gateway] = i % 2
	}
	return s
}

const switchAccount = `mutation($b: ID!, $id: ID!, $pass: String) {
	switchGatewayAccount(businessId: $b, accountId: $id, active: true, currentPassword: $pass) { account { id } } }`

func (s *shop) switching(row string) map[string]any {
	return map[string]any{"b": s.id, "id": row, "pass": s.owner.Password}
}

// now returns the account that is switched on.
func (s *shop) now(gateway string) account {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accounts[gateway][s.on[gateway]]
}

func (s *shop) active(gateway string) string   { return s.now(gateway).row }
func (s *shop) merchant(gateway string) string { return s.now(gateway).merchant }

// change switches to the other account of a life's gateway.
func (s *shop) change(ctx context.Context, l *life) {
	s.mu.Lock()
	defer s.mu.Unlock()
	other := 1 - s.on[l.gateway]
	must.Do(l.asks(ctx, &s.owner.Client, "switch", switchAccount, s.switching(s.accounts[l.gateway][other].row), nil))
	s.on[l.gateway] = other
}

// list returns all orders of the shop as staff see them.
func (s *shop) list(ctx context.Context) (all []shown) {
	var after *string
	for more := true; more; {
		var got struct {
			Data struct {
				ShopOrdersConnection struct {
					Nodes    []struct{ Order shown }
					PageInfo struct {
						HasNextPage bool
						EndCursor   *string
					}
				}
			}
		}
		must.Do(s.owner.Ask(ctx, `query($b: ID!, $after: String) {
			shopOrdersConnection(businessId: $b, first: 50, after: $after) {
				nodes { order { id orderNumber status total priceCurrency payment { status amount refundDueAmount } } }
				pageInfo { hasNextPage endCursor } } }`, map[string]any{"b": s.id, "after": after}).Read(&got))
		page := got.Data.ShopOrdersConnection
		for _, node := range page.Nodes {
			all = append(all, node.Order)
		}
		more, after = page.PageInfo.HasNextPage, page.PageInfo.EndCursor
	}
	return slices.Clip(all)
}
