package payment_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/app"
	"storefront/internal/contract/money/standin"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/platform/sealer"
	"storefront/internal/record"
)

const (
	card   = "6219861012345678" // with enough on it
	public = "http://pay.invalid"
)

// desk is the tool shop with accounts at stand-ins of Zibal and Zarinpal, and a stand-in of Stripe.
type desk struct {
	*shoptest.Crew
	shoptest.Shopper
	zibal, zarinpal, stripe *bank
	settings                func(*app.Options)
}

// bank is a stand-in of a gateway, and the shop's account there.
type bank struct {
	*standin.Gateway
	url     string
	account uuid.UUID

	answering func(*http.Request) // is called before an answer leaves; nil: nothing is
}

func (b *bank) do(t *testing.T, c standin.Command) any {
	t.Helper()
	result, err := b.Do(c)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// booked returns how often the stand-in has done an operation.
func (b *bank) booked(t *testing.T, operation string) (n int) {
	t.Helper()
	for _, line := range b.do(t, standin.Command{Do: "lines"}).([]standin.Line) {
		if line.Operation == operation {
			n++
		}
	}
	return n
}

func eachDesk(t *testing.T, f func(t *testing.T, d *desk)) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		open := func(stand func(standin.Options) (*standin.Gateway, error), account standin.Account) *bank {
			g, err := stand(standin.Options{Now: c.Clock.Now})
			if err != nil {
				t.Fatal(err)
			}
			b := &bank{Gateway: g}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				g.ServeHTTP(w, r)
				if b.answering != nil {
					b.answering(r)
				}
			}))
			t.Cleanup(func() {
				server.Close()
				_ = g.Close()
			})
			b.url = server.URL
			b.do(t, standin.Command{Do: "account", Account: &account})
			b.do(t, standin.Command{Do: "card", ID: card, Amount: 1e12})
			return b
		}
		const merchant = "3b9ac9f0-1111-4222-8333-444455556666"
		d := &desk{zibal: open(standin.Zibal, standin.Account{ID: "shop1"}),
			zarinpal: open(standin.Zarinpal, standin.Account{ID: merchant}),
			stripe:   open(standin.Stripe, standin.Account{ID: "acct_1"})}
		d.settings = func(o *app.Options) {
			o.PublicURL = public
			o.GatewayURLs = map[string]string{"zibal": d.zibal.url, "zarinpal": d.zarinpal.url, "stripe": d.stripe.url}
		}
		d.Crew = &shoptest.Crew{Accounts: c.Instance(t, d.settings), Tools: c.Tools, Mugs: c.Mugs}
		d.zibal.account = d.account(t, "zibal", map[string]string{"merchant": "shop1"})
		d.zarinpal.account = d.account(t, "zarinpal", map[string]string{"merchant_id": merchant, "mode": "live"})
		d.StockedUp(t, "D-13", 20)
		d.Shopper = d.REST().Shopper(t, 1)
		f(t, d)
	})
}

// account adds an account of the shop that is switched on.
func (d *desk) account(t *testing.T, gateway string, secrets map[string]string) uuid.UUID {
	t.Helper()
	seals, err := sealer.New("storefront gateway accounts", d.Crew.Key, nil)
	if err != nil {
		t.Fatal(err)
	}
	shop, id := uuid.MustParse(d.Tools), record.NewID()
	text := shoptest.Must(json.Marshal(secrets))(t)
	d.Store.Client.GatewayAccount.Create().SetID(id).SetGateway(gateway).SetIsTest(false).SetLast4("1234").
		SetActive(true).SetSecrets(seals.Seal(text, slices.Concat(shop[:], id[:], []byte("secrets")))).ExecX(d.in(t))
	return id
}

func (d *desk) in(t *testing.T) context.Context {
	return tenancy.In(t.Context(), uuid.MustParse(d.Tools))
}

// order is an order and the code of its page.
type order struct{ id, code string }

// buys places an order that is to be paid at a gateway.
func (d *desk) buys(t *testing.T) order {
	t.Helper()
	o := d.Pays(t, "D-13", record.PayAtGateway)
	row := d.row(t, o.ID)
	return order{o.ID, *row.PayCode}
}

// row returns an order with its payments, oldest first.
func (d *desk) row(t *testing.T, id string) *ent.Order {
	t.Helper()
	o := d.Store.Client.Order.GetX(d.in(t), uuid.MustParse(id))
	o.Edges.Payments = o.QueryPayments().AllX(d.in(t))
	slices.SortFunc(o.Edges.Payments, func(a, b *ent.Payment) int {
		return strings.Compare(a.ID.String(), b.ID.String())
	})
	return o
}

// states returns the states of an order's payments, oldest first; the one that counts in brackets.
func (d *desk) states(t *testing.T, o order) string {
	t.Helper()
	var states []string
	for _, p := range d.row(t, o.id).Edges.Payments {
		state := string(p.Status)
		if p.Counts {
			state = "[" + state + "]"
		}
		states = append(states, state)
	}
	return strings.Join(states, " ")
}

func (d *desk) wantStates(t *testing.T, o order, want string) {
	t.Helper()
	if got := d.states(t, o); got != want {
		t.Errorf("got the payments %s, want %s", got, want)
	}
}

var direct = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// answer is what a browser got.
type answer struct {
	status   int
	location string
	body     string
	header   http.Header
}

func browse(t *testing.T, method, address string, form url.Values) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	got, err := direct.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{got.StatusCode, got.Header.Get("Location"), string(body), got.Header}
}

// begin posts to the page of an order, and returns the gateway's page.
func (d *desk) begin(t *testing.T, o order, at *bank) string {
	t.Helper()
	got := browse(t, "POST", d.URL+"/pay/"+o.code, url.Values{"with": {at.account.String()}})
	if got.status != http.StatusSeeOther || !strings.HasPrefix(got.location, at.url) {
		t.Fatalf("got %d to %q: %s", got.status, got.location, got.body)
	}
	return got.location
}

// pays has a customer pay at the gateway's page, or cancel there, and returns the address to come back to.
func pays(t *testing.T, page, do string) string {
	t.Helper()
	got := browse(t, "POST", page, url.Values{"do": {do}, "card": {card}})
	return strings.TrimPrefix(got.location, public)
}

// back has a customer come back, and returns where the service sends them.
func (d *desk) back(t *testing.T, path string) string {
	t.Helper()
	got := browse(t, "GET", d.URL+path, nil)
	if got.status != http.StatusSeeOther {
		t.Fatalf("got %d: %s", got.status, got.body)
	}
	return got.location
}

// pass has time pass in steps in which the service watches, as it does.
func (d *desk) pass(t *testing.T, whole time.Duration) {
	t.Helper()
	for ; whole > 0; whole -= time.Minute {
		d.Clock.Pass(min(whole, time.Minute))
		d.Service.WatchPayments(t.Context())
		d.Service.CancelOverdue(t.Context())
	}
}
