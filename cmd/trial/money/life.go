package money

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
)

// entry is what is asked or was answered in a life.
type entry struct {
	Life     int         `json:"life"`
	At       time.Time   `json:"at"`
	Do       string      `json:"do"`
	Asks     bool        `json:"asks,omitempty"` // else it was answered
	Status   int         `json:"status,omitempty"`
	Code     string      `json:"code,omitempty"` // of a refusal
	Key      string      `json:"key,omitempty"`
	Order    string      `json:"order,omitempty"`
	Total    json.Number `json:"total,omitempty"`
	Currency string      `json:"currency,omitempty"`
	Note     string      `json:"note,omitempty"`
}

// diary is the file of the lives.
type diary struct {
	mu   sync.Mutex
	file *os.File
}

func (d *diary) write(e entry) {
	e.At = time.Now().UTC()
	d.mu.Lock()
	defer d.mu.Unlock()
	must.Get(d.file.Write(append(must.Get(json.Marshal(e)), '\n')))
}

func newRand(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// life is one order of a customer, until nobody cares for it any more.
type life struct {
	plan
	*rand.Rand
	town  *town
	shop  *shop
	buyer *customer.Customer
	web   customer.Client // the browser
	diary *diary

	order, code string
	theirs      string // the gateway's reference of the last try
	told        string // and of the one about which the gateway fails
}

const (
	patience = 60                     // how often a request without an answer is repeated
	restful  = 150 * time.Millisecond // between two tries
)

// note writes what was answered.
func (l *life) note(do string, a customer.Answer, err error) {
	l.diary.write(entry{Life: l.number, Do: do, Status: a.Status, Code: codeOf(err), Order: l.order})
}

// codeOf returns the code of a refusal, or says that it is open whether the request was done.
func codeOf(err error) string {
	if err != nil {
		return cmp.Or(customer.Code(err), "LOST")
	}
	return ""
}

// does sends a request with a key until it is answered, and reads the answer.
func (l *life) does(ctx context.Context, by *customer.Client, do, path string, body any, into any) error {
	key := fmt.Sprintf("life-%d-x%08x", l.number, l.Uint32())
	headers := []string{"Idempotency-Key", key}
	if strings.Contains(do, "look") {
		headers = nil
	}
	l.diary.write(entry{Life: l.number, Do: do, Asks: true, Key: key, Order: l.order})
	var err error
	for range patience {
		a := by.Send(ctx, http.MethodPost, path, customer.JSON(body), headers...)
		err = a.Read(into)
		l.note(do, a, err)
		refused, _ := errors.AsType[*customer.Refusal](err)
		if !errors.Is(err, customer.ErrLost) && (refused == nil || a.Status != http.StatusTooManyRequests &&
			customer.Code(err) != "RATE_LIMITED" && !strings.Contains(refused.Message, "still being worked on")) {
			return err
		}
		must.Do(customer.Wait(ctx, restful))
	}
	return err
}

// asks sends a document.
func (l *life) asks(
	ctx context.Context, by *customer.Client, do, document string, variables map[string]any, into any,
) error {
	variables["b"] = l.shop.id
	return l.does(ctx, by, do, "/graphql", map[string]any{"query": document, "variables": variables}, into)
}

// staff sends a document about the order as the shop's owner.
func (l *life) staff(ctx context.Context, do, document string, variables map[string]any, into any) error {
	variables["o"] = l.order
	return l.asks(ctx, &l.shop.owner.Client, do, document, variables, into)
}

// live lives the life. A refusal is a part of it; what must not be refused ends the trial.
func (l *life) live(ctx context.Context) {
	if !l.fill(ctx) || !l.checkout(ctx) {
		return
	}
	if l.story == "declared" {
		l.declared(ctx)
		return
	}
	for range l.IntN(2) * l.IntN(20) {
		l.browse(ctx, http.MethodGet, "/pay/"+l.code, nil)
	}
	if l.story == "robot" {
		for range 20 {
			l.browse(ctx, http.MethodGet, "/pay/"+l.code, nil)
		}
		return
	}
	l.test(ctx)
	page := l.begin(ctx, l.gateway)
	if page == "" {
		return
	}
	l.tell(ctx)
	switch l.story {
	case "never":
		return
	case "late":
		customer.Pause(ctx, l.town.pace.of(30*time.Minute)+time.Duration(l.IntN(500))*time.Millisecond)
	case "nok":
		l.comesBack(ctx, l.pay(ctx, page, "cancel", l.card()))
		page = cmp.Or(l.begin(ctx, l.gateway), page)
	case "cancel":
		l.cancel(ctx)
	case "tabs":
		l.tabs(ctx, page)
		return
	case "foreign":
		l.comesBack(ctx, l.town.foreign.Load().(string))
	}
	card := l.card()
	if l.IntN(15) == 0 && len(l.cells[asking]) == 0 {
		l.comesBack(ctx, l.pay(ctx, page, "pay", pauper))
	}
	home := l.pay(ctx, page, "pay", card)
	if l.story == "cancelPaid" {
		l.cancel(ctx)
	}
	if l.story == "twice" {
		l.pay(ctx, page, "pay", card)
	}
	l.comesBack(ctx, home)
	if l.story == "pay" && l.state(ctx).payable() { // a fault was in the way
		if page := l.begin(ctx, l.gateway); page != "" {
			l.comesBack(ctx, l.pay(ctx, page, "pay", card))
		}
	}
	l.after(ctx)
}

// fill puts 1 to 5 lines into the cart.
func (l *life) fill(ctx context.Context) bool {
	var lines []map[string]any
	for _, i := range l.Perm(len(l.shop.variants))[:1+l.IntN(5)] {
		lines = append(lines, map[string]any{"storeItemVariantId": l.shop.variants[i].ID, "quantity": 1 + l.IntN(3)})
	}
	return l.asks(ctx, &l.buyer.Client, "fill", `mutation($b: ID!, $lines: [CartItemInput!]!) {
		addToCart(businessId: $b, items: $lines) { message } }`, map[string]any{"lines": lines}, nil) == nil
}

// checkout places the order, sometimes with the total of yesterday, which must be refused, first.
func (l *life) checkout(ctx context.Context) bool {
	kind := "e_payment_gate"
	if l.story == "declared" {
		kind = []string{"cash", "pos"}[l.IntN(2)]
	}
	var got struct {
		Order struct {
			ID            string
			Total         json.Number
			PriceCurrency string
		}
	}
	body := map[string]any{"payment": map[string]any{"type": kind}, "shippingAddress": map[string]any{
		"province": "تهران", "city": "تهران", "address": "خیابان آزادی"}}
	path := "/api/v1" + l.path("/cart/checkout")
	if l.IntN(10) == 0 {
		body["expectedTotal"], body["customerNotes"] = 1, fmt.Sprintf("old-%d", l.number)
		err := l.does(ctx, &l.buyer.Client, "checkout of another amount", path, body, nil)
		must.Hold(slices.Contains([]string{"PRICE_CHANGED", "SHOP_CLOSED"}, customer.Code(err)),
			"an amount that is not the order's was answered %v", err)
		delete(body, "expectedTotal")
	}
	key := fmt.Sprintf("life-%d", l.number)
	body["customerNotes"] = key
	l.diary.write(entry{Life: l.number, Do: "order", Asks: true, Key: key})
	err := l.does(ctx, &l.buyer.Client, "checkout", path, body, &got)
	if err != nil {
		l.diary.write(entry{Life: l.number, Do: "order", Key: key, Code: codeOf(err)})
		return false
	}
	l.order = got.Order.ID
	l.diary.write(entry{Life: l.number, Do: "order", Key: key, Order: l.order, Total: got.Order.Total,
		Currency: got.Order.PriceCurrency, Status: http.StatusCreated,
		Note: fmt.Sprint(l.story, " ", l.gateway, " ", l.cells)})
	address := l.state(ctx).Payment.PayURL
	l.code = address[strings.LastIndex(address, "/")+1:]
	return l.code != "" || l.story == "declared"
}

func (l *life) path(path string) string { return "/businesses/" + l.shop.id + path }

// standing is how an order stands, as its customer sees it.
type standing struct {
	Status  string
	Payment struct{ Status, PayURL string }
}

func (s standing) payable() bool { return s.Payment.PayURL != "" && s.Payment.Status == "pending" }

func (l *life) state(ctx context.Context) standing {
	var got struct {
		Data struct{ Me struct{ Order standing } }
	}
	_ = l.asks(ctx, &l.buyer.Client, "look", `query($b: ID!, $o: ID!) { me { order(businessId: $b, orderId: $o) {
		status payment { status payUrl } } } }`, map[string]any{"o": l.order}, &got) // an erased customer has none
	return got.Data.Me.Order
}

// browse sends what a browser does, and notes what writes.
func (l *life) browse(ctx context.Context, method, target string, form url.Values) customer.Answer {
	return browse(ctx, l.web, method, target, form)
}

func browse(ctx context.Context, web customer.Client, method, target string, form url.Values) customer.Answer {
	return web.Send(ctx, method, target, []byte(form.Encode()), "Content-Type", "application/x-www-form-urlencoded",
		"Referer", "https://shop.example/")
}

// inject has a gateway fail as the cells of a part say, in what is about something of this life.
func (l *life) inject(ctx context.Context, part, match string) {
	var faults []map[string]any
	for _, c := range l.cells[part] {
		f := map[string]any{"operation": c.Operation, "kind": c.Kind, "moment": c.Moment, "code": c.Code,
			"match": match}
		switch {
		case c.Operation == "event":
			f["match"] = "checkout.session.completed " + match
		case c.Kind == "late" || c.Kind == "cut" || c.Kind == "status" || c.Kind == "html" || c.Kind == "huge":
			f["delay"] = time.Duration(l.IntN(1500)) * time.Millisecond
		case c.Kind == "slow":
			f["delay"] = time.Duration(l.IntN(1500)) * time.Millisecond
			if l.IntN(10) == 0 && l.town.isSlow {
				f["delay"] = 9 * time.Second
			}
		}
		faults = append(faults, f)
	}
	if len(faults) > 0 {
		l.town.control(ctx, l.gateway, map[string]any{"do": "inject", "faults": faults}, nil)
	}
}

// begin posts the order's page until the gateway's page is reached or the order cannot be paid, and returns that page.
func (l *life) begin(ctx context.Context, gateway string) string {
	if gateway == l.gateway {
		l.inject(ctx, beginning, l.code)
		l.cells[beginning] = nil
	}
	for range 12 {
		l.diary.write(entry{Life: l.number, Do: "begin", Asks: true, Order: l.order})
		a := l.browse(ctx, http.MethodPost, "/pay/"+l.code, url.Values{"with": {l.shop.active(gateway)}})
		l.note("begin", a, nil)
		if a.Status == http.StatusSeeOther {
			page := a.Header.Get("Location")
			must.Hold(strings.HasPrefix(page, l.town.gateways[gateway].url), "a customer is sent to %s", page)
			l.theirs = page[strings.LastIndex(page, "/")+1:]
			return page
		}
		if a.Status == http.StatusConflict && !l.state(ctx).payable() {
			return ""
		}
		must.Do(customer.Wait(ctx, 2*restful))
	}
	return ""
}

// tell has the gateway fail when it is asked about the last try.
func (l *life) tell(ctx context.Context) {
	l.told = l.theirs
	l.inject(ctx, asking, l.theirs)
	l.inject(ctx, ending, l.theirs)
}

// card returns the number of the card of this life.
func (l *life) card() string { return fmt.Sprintf("621986%010d", l.number) }

// pauper is a card with nothing on it.
const pauper = "6219869999999999"

// pay pays at a gateway's page, or cancels there, and returns where the customer comes back to; empty: nowhere.
func (l *life) pay(ctx context.Context, page, do, card string) string {
	at := must.Get(url.Parse(page))
	web := l.web
	web.Base, web.Headers = customer.At(at.Host), nil
	for range patience {
		l.diary.write(entry{Life: l.number, Do: "gateway: " + do, Asks: true, Order: l.order, Note: page})
		a := browse(ctx, web, http.MethodPost, at.Path, url.Values{"do": {do}, "card": {card}})
		l.note("gateway: "+do, a, nil)
		if a.Status != 0 { // the gateway may have been killed
			return a.Header.Get("Location")
		}
		must.Do(customer.Wait(ctx, restful))
	}
	return ""
}

// comesBack has the customer come back: never, once, twice, or eight times at once.
func (l *life) comesBack(ctx context.Context, home string) {
	if home == "" {
		return
	}
	at := must.Get(url.Parse(home))
	if l.IntN(20) == 0 {
		l.town.foreign.Store(home)
	}
	var all sync.WaitGroup
	for range []int{1, 1, 1, 1, 1, 1, 0, 2, 8}[l.IntN(9)] {
		all.Go(func() {
			a := l.browse(ctx, http.MethodGet, at.RequestURI(), nil)
			l.note("return", a, nil)
		})
	}
	all.Wait()
}

// tabs begins at two gateways, or twice at one, and pays at both.
func (l *life) tabs(ctx context.Context, first string) {
	other := map[string]string{"zibal": "zarinpal", "zarinpal": "zibal"}[l.gateway]
	second := l.begin(ctx, cmp.Or(other, l.gateway))
	homes := []string{l.pay(ctx, first, "pay", l.card()), ""}
	if second != "" {
		homes[1] = l.pay(ctx, second, "pay", l.card())
	}
	if l.IntN(2) == 0 {
		slices.Reverse(homes)
	}
	for _, home := range homes {
		l.comesBack(ctx, home)
	}
	l.after(ctx)
}
