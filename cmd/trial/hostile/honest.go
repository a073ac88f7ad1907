package hostile

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"sync/atomic"
	"time"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
)

// shopper is an honest customer, who stays within every limit.
type shopper struct {
	*customer.Customer
	trial *trial
}

// pause is the time between two clicks of a customer.
const pause = 30 * time.Millisecond

// register registers the customers, each at an address of its own, and proves their numbers. So the service knows
// them at their addresses.
func (t *trial) register(ctx context.Context) (all []*shopper) {
	for i := range t.shoppers + 1 { // the last one is the attackers'
		by := t.newClient(fmt.Sprintf("127.1.0.%d", 1+i), t.tallies.Of(honest)).Client
		c := customer.Register(ctx, by, i, market)
		c.Random = rand.New(rand.NewPCG(t.seed, t.clients.Add(1)))
		t.prove(ctx, c)
		all = append(all, &shopper{Customer: c, trial: t})
	}
	return all
}

// prove has a customer sign in with a code, in the session of the registration.
func (t *trial) prove(ctx context.Context, c *customer.Customer) {
	must.Do(c.REST(ctx, "POST", "/auth/send-otp", body{"cellNumber": c.Cell, "domain": market}).Read(nil))
	code, came := t.codes.LoadAndDelete(c.Cell)
	for ; !came; code, came = t.codes.LoadAndDelete(c.Cell) {
		must.Do(customer.Wait(ctx, 10*time.Millisecond))
	}
	must.Do(c.REST(ctx, "POST", "/auth/login-otp", body{"cellNumber": c.Cell, "code": code}).Read(nil))
}

// visit browses the shop once, buys, and sometimes signs in. It fails on an answer that an honest customer
// must not get.
func visit(ctx context.Context, c *shopper, n int) {
	for _, step := range []struct {
		name string
		take func(context.Context) customer.Answer
	}{
		{"home", c.seeHome}, {"list", c.browse}, {"product", c.seeProduct}, {"add to cart", c.addToCart},
		{"cart", c.Own}, {"checkout", c.checkOut},
	} {
		if ctx.Err() != nil {
			break
		}
		c.counted(step.name)
		a := step.take(ctx)
		if a.Status >= 400 && !slices.Contains([]int{409, 429, 503}, a.Status) {
			must.Do(fmt.Errorf("an honest customer's %w", a.Read(nil)))
		}
		customer.Pause(ctx, pause)
	}
	if n%5 == 4 {
		c.signIn(ctx)
	}
}

// counted counts the customer's next requests under the name of a step.
func (c *shopper) counted(step string) { c.Tally = c.trial.tallies.Of(honest + ": " + step) }

func (c *shopper) seeHome(ctx context.Context) customer.Answer {
	return c.Ask(ctx, `query($domain: String!) { tenant(domain: $domain) {
		name categories(entityType: product) { id nameFa itemCount }
		products(pageSize: 12) { total items { slug titleFa price inStock } } } }`,
		map[string]any{"domain": market})
}

// browse reads lists of the market and of the large shop, so that the caches are as full as after a day of
// ordinary visits.
func (c *shopper) browse(ctx context.Context) customer.Answer {
	shop := pick(c.Random, []string{market, catalog.Domain})
	words := []string{"", "book", "کتاب", "paper", "شعر", "مهندسی"}
	return c.REST(ctx, "GET", fmt.Sprintf("/tenants/%s/products?page=%d&pageSize=100&name=%s", shop,
		1+c.Random.IntN(20), url.QueryEscape(pick(c.Random, words))), nil)
}

func (c *shopper) seeProduct(ctx context.Context) customer.Answer {
	return c.REST(ctx, "GET", "/tenants/"+market+"/products/"+pick(c.Random, c.trial.shops.products), nil)
}

func (c *shopper) addToCart(ctx context.Context) customer.Answer {
	return c.Add(ctx, customer.Variant{ID: pick(c.Random, c.trial.shops.variants)}, 1)
}

// checkOut orders the cart, or nothing if adding to it was refused, and cancels the order, so that stock lasts.
func (c *shopper) checkOut(ctx context.Context) customer.Answer {
	a := c.Buy(ctx, c.NewKey())
	var placed struct{ Order struct{ ID string } }
	if a.Read(&placed) != nil {
		if a.Status == http.StatusBadRequest { // CART_EMPTY
			a.Status = http.StatusConflict
		}
		return a
	}
	customer.Pause(ctx, pause)
	c.counted("cancel")
	return c.Cancel(ctx, placed.Order.ID)
}

// signIn signs in with the password, while attackers guess at it.
func (c *shopper) signIn(ctx context.Context) {
	c.counted("sign in")
	a := c.REST(ctx, "POST", "/auth/login", map[string]any{"cellNumber": c.Cell, "password": c.Password})
	switch a.Status {
	case 0, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return
	}
	var in struct{ AccessToken string }
	must.In("an honest customer's sign-in", func() { must.Do(a.Read(&in)) })
	c.Token = in.AccessToken
}

// sixDigits is the code in a message.
var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

// newcomer is an honest person who signs up again and again, each time with another cell number. A stranger who
// knows the number shares their address.
type newcomer struct {
	*client
	trial         *trial
	from          string       // address
	cell          atomic.Value // string
	number, round int

	signedUp, refused, late int           // refused: got 429 or 503; late: no code was accepted in longestCode
	slowest                 time.Duration // from the first request for a code until it was used
}

// The passwords of newcomers, and of the stranger who registers their numbers before them.
const (
	ownPassword      = "a password of the newcomer"
	strangerPassword = "a password of the stranger"
	strangerName     = "Mallory"
)

// newcomers names their requests. They are strangers to the service, as the attackers are, and so have bounds of
// their own.
const newcomers = "newcomers"

// betweenSignUps keeps a newcomer within the limits of one address.
const betweenSignUps = 12 * time.Second

// longestCode is the longest that a newcomer waits for a code.
const longestCode = time.Minute + time.Second // the pause between two codes, and the delivery

// newNewcomers returns newcomers with numbers that no earlier wave has used, each at an address of its own.
func (t *trial) newNewcomers() (all []*newcomer) {
	for range t.signingUp {
		i := int(t.people.Add(1))
		from := fmt.Sprintf("127.2.%d.1", i)
		n := &newcomer{client: t.newClient(from, t.tallies.Of(newcomers)), trial: t, from: from, number: i}
		n.cell.Store("")
		all = append(all, n)
	}
	return all
}

// signUp signs up one number. It fails if another person gets into the account.
func signUp(ctx context.Context, n *newcomer, round int) {
	n.Tally = n.trial.tallies.Of(newcomers)
	n.round = round
	cell := fmt.Sprintf("+98919%02d%05d", n.number, 1000+round)
	n.cell.Store(cell)
	customer.Pause(ctx, time.Duration(n.random.IntN(2000))*time.Millisecond) // so that the stranger may be first
	must.In("a newcomer with "+cell, func() { n.one(ctx, cell) })
	customer.Pause(ctx, betweenSignUps)
}

// one signs up with one number.
func (n *newcomer) one(ctx context.Context, cell string) {
	registered := n.REST(ctx, "POST", "/auth/register", map[string]any{"cellNumber": cell, "password": ownPassword,
		"firstName": "Sara", "lastName": "Karimi", "domain": market})
	var in struct{ AccessToken string }
	switch registered.Status {
	case http.StatusCreated, http.StatusConflict:
		_ = json.Unmarshal(registered.Body, &in)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable: // the code decides what was registered
		n.refused++
	default:
		must.Do(registered.Read(&in))
	}
	// After a registration the newcomer proves the number by signing in, with the registration's token or, as
	// some clients do, without it. If the number was registered already, or in every third round, the newcomer
	// sets a password.
	prover := *n.client
	path, body := "/auth/login-otp", map[string]any{"cellNumber": cell}
	switch {
	case registered.Status != http.StatusCreated || n.round%3 == 2:
		path, body["newPassword"] = "/auth/reset-password", ownPassword
	case n.round%3 == 0:
		prover.Token = in.AccessToken
	}
	if !n.useCode(ctx, &prover, path, body) {
		return
	}
	token := n.ownsIt(ctx, cell)
	if token == "" && path == "/auth/login-otp" && prover.Token == "" {
		// The stranger has contested the registration, so that its password is void.
		body = map[string]any{"cellNumber": cell, "newPassword": ownPassword}
		if !n.useCode(ctx, n.client, "/auth/reset-password", body) {
			return
		}
		token = n.ownsIt(ctx, cell)
	}
	must.Hold(token != "", "the own password does not open it")
	n.signedUp++
	own := *n.client
	own.Token = token
	if a := own.Ask(ctx, `{ me { firstName } }`, nil); a.Status != http.StatusOK {
		must.Do(a.Read(nil)) // otherwise the request was refused for a while
	}
}

// useCode requests codes until one of them is accepted. It gives up after longestCode: the stranger may have spent
// the guesses of each.
func (n *newcomer) useCode(ctx context.Context, by *client, path string, body map[string]any) bool {
	cell := body["cellNumber"].(string)
	for began := time.Now(); ; customer.Pause(ctx, 50*time.Millisecond) {
		must.Do(ctx.Err())
		if time.Since(began) > longestCode {
			n.late++
			return false
		}
		code, came := n.trial.codes.Load(cell)
		if !came {
			a := n.REST(ctx, "POST", "/auth/send-otp", map[string]any{"cellNumber": cell, "domain": market})
			if a.Status == http.StatusTooManyRequests { // a code is on its way, or was requested within a minute
				customer.Pause(ctx, 200*time.Millisecond)
			}
			continue
		}
		body["code"] = code
		a := by.REST(ctx, "POST", path, body)
		switch a.Status {
		case http.StatusOK, http.StatusCreated:
			n.trial.codes.Delete(cell)
			n.slowest = max(n.slowest, time.Since(began))
			return true
		case http.StatusTooManyRequests:
			n.refused++
			customer.Pause(ctx, time.Second)
		case http.StatusBadRequest, http.StatusUnauthorized, http.StatusServiceUnavailable: // a newer code follows
		default:
			must.Do(a.Read(nil))
		}
	}
}

// ownsIt signs in with the newcomer's password and returns the token, or "" if the password is wrong. It
// fails if the stranger's password signs in.
func (n *newcomer) ownsIt(ctx context.Context, cell string) (token string) {
	login := func(by *client, password string) customer.Answer {
		return by.REST(ctx, "POST", "/auth/login", map[string]any{"cellNumber": cell, "password": password})
	}
	a := login(n.client, ownPassword)
	busy := func(status int) bool {
		return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
	}
	for began := time.Now(); busy(a.Status) && time.Since(began) < longestCode; {
		n.refused++
		must.Do(customer.Wait(ctx, time.Second))
		a = login(n.client, ownPassword)
	}
	if a.Status == http.StatusUnauthorized {
		return ""
	}
	var in struct{ AccessToken string }
	must.Do(a.Read(&in))
	tried := login(n.as(anywhereElse(n.random)), strangerPassword)
	must.Hold(tried.Status != http.StatusOK, "it was taken over: the stranger's password opens it")
	must.Do(ctx.Err())
	return in.AccessToken
}
