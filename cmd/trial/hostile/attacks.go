package hostile

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"storefront/cmd/internal/customer"
)

// attack is one way to harm the service. strike sends a few requests, or holds a connection for a while; each
// worker calls it again and again, and n counts its calls.
type attack struct {
	name    string
	workers int
	strike  func(ctx context.Context, w *attacker, n int)
}

// floods cost processor time. They run all at once, and keep about 40 requests in progress.
var floods = []attack{
	{"codes to many numbers", 4, func(ctx context.Context, w *attacker, _ int) { // each costs the service an SMS
		w.post(ctx, "/auth/send-otp", body{"cellNumber": someone(w.random), "domain": market})
	}},
	{"codes from many addresses", 3, func(ctx context.Context, w *attacker, _ int) { // the whole service has a limit
		w.elsewhere().post(ctx, "/auth/send-otp", body{"cellNumber": someone(w.random)})
	}},
	{"codes from a network", 2, func(ctx context.Context, w *attacker, _ int) { // a /48 of IPv6, as data centres assign
		w.as(fmt.Sprintf("2001:db8:48:%x::%x", w.random.IntN(1<<16), 1+w.random.IntN(1000))).
			post(ctx, "/auth/send-otp", body{"cellNumber": someone(w.random)})
	}},
	{"who knows the number", 3, knowTheNumber},
	{"wrong passwords", 4, func(ctx context.Context, w *attacker, _ int) { // each takes a slow hash
		w.elsewhere().post(ctx, "/auth/login", body{"cellNumber": someone(w.random), "password": w.guess()})
	}},
	{"wrong passwords of a customer", 2, func(ctx context.Context, w *attacker, _ int) { // to lock the account
		w.elsewhere().post(ctx, "/auth/login", body{"cellNumber": w.victim(), "password": w.guess()})
	}},
	{"guesses at codes", 3, guessCodes},
	{"29 aliases of facets", 2, askForFacets},
	{"counts with huge filters", 2, askForCounts},
	{"lists of long texts", 2, askForLongTexts},
	{"comments", 2, func(ctx context.Context, w *attacker, _ int) { // somebody has to moderate them
		w.elsewhere().post(ctx, "/tenants/"+market+"/comments", body{"entityType": "product",
			"entityId": pick(w.random, w.trial.shops.ids), "authorName": "Someone", "text": "Buy elsewhere!"})
	}},
	{"huge and deep bodies", 2, sendHugeBodies},
	{"imports of the large shop", 1, importAgain},
	{"any request to any route", 6, fuzzRoutes},
	{"any document", 3, fuzzDocuments},
}

// holds occupy connections, slots and memory, but cost little processor time. They run all at once.
var holds = []attack{
	{"bodies that drip", 4, dripBodies},
	{"bodies that never come", 4, announceBodies},
	{"bodies that stop", 1, stopBodies},
	{"requests that drip", 1, dripRequests},
	{"answers that nobody reads", 1, readNothing},
	{"idle connections", 1, standIdle},
}

// attacker is one worker of an attack.
type attacker struct {
	*client
	attack
	trial  *trial
	wanted json.RawMessage // values of a huge filter
	huge   [][]byte        // bodies
}

// newAttackers returns the workers of the attacks.
func (t *trial) newAttackers(attacks []attack) (all []*attacker) {
	for _, a := range attacks {
		for n := range a.workers {
			by := t.newClient(fmt.Sprintf("127.6.%d.%d", 6+n, 1+len(a.name)), t.tallies.Of(a.name))
			all = append(all, &attacker{client: by, attack: a, trial: t})
		}
	}
	return all
}

// elsewhere returns a copy of the attacker at another address, for one request.
func (w *attacker) elsewhere() *client { return w.client.at(w.trial, anywhere(w.random)) }

// anywhere returns a random address out of an attacker's hundreds, and anywhereElse one out of a stranger's
// thousands.
func anywhere(r *rand.Rand) string     { return fmt.Sprintf("127.66.%d.%d", r.IntN(2), 1+r.IntN(200)) }
func anywhereElse(r *rand.Rand) string { return fmt.Sprintf("10.77.%d.%d", r.IntN(200), 1+r.IntN(200)) }

// someone returns a random cell number, which hardly has an account, and victim returns an honest customer's.
func someone(r *rand.Rand) string  { return fmt.Sprintf("+98935%07d", r.IntN(10_000_000)) }
func (w *attacker) victim() string { return customer.Cell(w.random.IntN(w.trial.shoppers)) }

// guess and code return the attacker's guesses at passwords and codes.
func (w *attacker) guess() string { return fmt.Sprint("guess ", w.random.IntN(1000)) }
func (w *attacker) code() string  { return fmt.Sprintf("%06d", w.random.IntN(1_000_000)) }

// guessCodes requests a code and guesses at it through every operation that takes one.
func guessCodes(ctx context.Context, w *attacker, _ int) {
	cell := pick(w.random, []string{w.victim(), someone(w.random)})
	c := w.elsewhere()
	if w.random.IntN(10) == 0 {
		c.post(ctx, "/auth/send-otp", body{"cellNumber": cell})
	}
	guess := body{"cellNumber": cell, "code": w.code()}
	path := pick(w.random, []string{"/auth/login-otp", "/auth/verify-otp", "/auth/reset-password"})
	if path == "/auth/reset-password" {
		guess["newPassword"] = "a password of the attacker"
	}
	c.post(ctx, path, guess)
}

// knowTheNumber acts as a stranger who knows a newcomer's number and shares their address: it registers the
// number first, has codes sent to it, and guesses at codes and passwords.
func knowTheNumber(ctx context.Context, w *attacker, _ int) {
	if len(w.trial.newcomers) == 0 {
		customer.Pause(ctx, time.Second)
		return
	}
	victim := pick(w.random, w.trial.newcomers)
	c := w.as(forwarded(victim.from))
	if w.random.IntN(4) == 0 {
		c = w.as(anywhereElse(w.random))
	}
	request := pick(w.random, []struct {
		path string
		body body
	}{
		{"/auth/register", body{"password": strangerPassword, "domain": market, "firstName": strangerName,
			"lastName": strangerName, "acknowledgeExistingAccount": w.random.IntN(2) == 0}},
		{"/auth/send-otp", body{"domain": market}},
		{"/auth/login", body{"password": strangerPassword}},
		{"/auth/login-otp", body{"code": w.code()}},
		{"/auth/reset-password", body{"code": w.code(), "newPassword": strangerPassword}},
	})
	request.body["cellNumber"] = victim.cell.Load().(string)
	c.post(ctx, request.path, request.body)
	customer.Pause(ctx, 100*time.Millisecond)
}

// importAgain imports the large shop, every product of which has changed since the last time.
func importAgain(ctx context.Context, w *attacker, n int) {
	spent, err := w.trial.Run(ctx, "import", w.trial.large(n+1))
	if ctx.Err() != nil {
		return // it was interrupted
	}
	a := customer.Answer{Request: "import", Status: 200, Took: spent.Time}
	if err != nil {
		a.Status, a.Body = 500, []byte(err.Error())
	}
	w.Tally.Add(a)
	customer.Pause(ctx, time.Second)
}
