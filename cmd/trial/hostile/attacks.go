package hostile

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/internal/customer"
)

// attack is one way to harm the service. Strike sends a few requests, or holds something for a while; each
// worker calls it again and again.
type attack struct {
	name    string
	workers int
	strike  func(ctx context.Context, w *attacker)
}

// attacks run all at once. Together they keep about 40 requests under way, beside connections that only
// stand there.
var attacks = []attack{
	{"codes to many numbers", 4, pumpCodes},
	{"codes from many addresses", 3, pumpCodesFromAnywhere},
	{"codes from a network", 2, pumpCodesFromNetworks},
	{"who knows the number", 3, knowTheNumber},
	{"wrong passwords", 4, guessPasswords},
	{"wrong passwords of a customer", 2, lockOut},
	{"guesses at codes", 3, guessCodes},
	{"29 aliases of facets", 2, askForFacets},
	{"counts with huge filters", 2, askForCounts},
	{"lists of long texts", 2, askForLongTexts},
	{"comments", 2, writeComments},
	{"huge and deep bodies", 2, sendHugeBodies},
	{"bodies that drip", 4, dripBodies},
	{"bodies that never come", 4, announceBodies},
	{"idle connections", 1, standIdle},
	{"imports of the large shop", 1, importAgain},
	{"any request to any route", 6, fuzzRoutes},
	{"any document", 3, fuzzDocuments},
}

// attacker is one worker of an attack.
type attacker struct {
	*client
	trial  *trial
	rounds int
	wanted json.RawMessage // values of a huge filter
	huge   [][]byte        // bodies
	fuzz   *fuzzer
}

// chosen are the attacks that the flags name.
func (t *trial) chosen() []attack {
	if t.settings.attacks == "" {
		return attacks
	}
	names := strings.Split(t.settings.attacks, ",")
	return slices.DeleteFunc(slices.Clone(attacks), func(a attack) bool {
		return !slices.Contains(names, a.name)
	})
}

func (t *trial) newAttacker(a attack, n int) *attacker {
	return &attacker{client: t.newClient(fmt.Sprintf("127.6.%d.%d", 6+n, 1+len(a.name)), t.tallies.Of(a.name)),
		trial: t, fuzz: t.shops.fuzzer}
}

// elsewhere is the attacker at another address, for one request.
func (w *attacker) elsewhere() *client { return w.client.at(w.trial, anywhere(w.random)) }

// anywhere is a random address of an attacker who has some hundreds.
func anywhere(r *rand.Rand) string { return fmt.Sprintf("127.66.%d.%d", r.IntN(2), 1+r.IntN(200)) }

// pumpCodes has codes sent to number after number from one address, each of which costs the service an SMS.
func pumpCodes(ctx context.Context, w *attacker) {
	w.REST(ctx, "POST", "/auth/send-otp", map[string]any{"cellNumber": someone(w.random), "domain": market})
}

// pumpCodesFromAnywhere does so from hundreds of addresses, which leaves the limit of the whole service.
func pumpCodesFromAnywhere(ctx context.Context, w *attacker) {
	w.elsewhere().REST(ctx, "POST", "/auth/send-otp", map[string]any{"cellNumber": someone(w.random)})
}

// guessPasswords signs in to one account after another, each of which takes a slow hash.
func guessPasswords(ctx context.Context, w *attacker) {
	w.elsewhere().REST(ctx, "POST", "/auth/login",
		map[string]any{"cellNumber": someone(w.random), "password": fmt.Sprint("guess ", w.random.IntN(1000))})
}

// lockOut guesses at honest customers' passwords from everywhere, so that the account would be locked.
func lockOut(ctx context.Context, w *attacker) {
	w.elsewhere().REST(ctx, "POST", "/auth/login",
		map[string]any{"cellNumber": w.victim(), "password": fmt.Sprint("guess ", w.random.IntN(1000))})
}

// victim is the cell number of an honest customer.
func (w *attacker) victim() string { return customer.Cell(w.random.IntN(w.trial.shoppers)) }

// guessCodes has a code sent and guesses at it through every operation that takes one.
func guessCodes(ctx context.Context, w *attacker) {
	cell := w.victim()
	if w.random.IntN(2) == 0 {
		cell = someone(w.random)
	}
	c := w.elsewhere()
	if w.random.IntN(10) == 0 {
		c.REST(ctx, "POST", "/auth/send-otp", map[string]any{"cellNumber": cell})
	}
	body := map[string]any{"cellNumber": cell, "code": fmt.Sprintf("%06d", w.random.IntN(1_000_000))}
	switch w.random.IntN(3) {
	case 0:
		c.REST(ctx, "POST", "/auth/login-otp", body)
	case 1:
		c.REST(ctx, "POST", "/auth/verify-otp", body)
	case 2:
		body["newPassword"] = "a password of the attacker"
		c.REST(ctx, "POST", "/auth/reset-password", body)
	}
}

// pumpCodesFromNetworks does so as somebody who has a /48 of IPv6, as datacentres give.
func pumpCodesFromNetworks(ctx context.Context, w *attacker) {
	c := w.as(fmt.Sprintf("2001:db8:48:%x::%x", w.random.IntN(1<<16), 1+w.random.IntN(1000)))
	c.REST(ctx, "POST", "/auth/send-otp", map[string]any{"cellNumber": someone(w.random)})
}

// knowTheNumber does what a stranger can who knows a newcomer's number and shares their address: registers
// it first, has codes sent to it, and guesses at codes and passwords.
func knowTheNumber(ctx context.Context, w *attacker) {
	if len(w.trial.newcomers) == 0 {
		wait(ctx, time.Second)
		return
	}
	victim := pick(w.random, w.trial.newcomers)
	cell := victim.cell.Load().(string)
	c := w.as(forwarded(victim.from))
	if w.random.IntN(4) == 0 {
		c = w.as(anywhereElse(w.random))
	}
	switch w.random.IntN(5) {
	case 0:
		c.REST(ctx, "POST", "/auth/register", map[string]any{"cellNumber": cell, "password": strangerPassword,
			"domain": market, "firstName": strangerName, "lastName": strangerName,
			"acknowledgeExistingAccount": w.random.IntN(2) == 0})
	case 1:
		c.REST(ctx, "POST", "/auth/send-otp", map[string]any{"cellNumber": cell, "domain": market})
	case 2:
		c.REST(ctx, "POST", "/auth/login", map[string]any{"cellNumber": cell, "password": strangerPassword})
	case 3:
		c.REST(ctx, "POST", "/auth/login-otp", map[string]any{"cellNumber": cell,
			"code": fmt.Sprintf("%06d", w.random.IntN(1_000_000))})
	case 4:
		c.REST(ctx, "POST", "/auth/reset-password", map[string]any{"cellNumber": cell,
			"code": fmt.Sprintf("%06d", w.random.IntN(1_000_000)), "newPassword": strangerPassword})
	}
	wait(ctx, 100*time.Millisecond)
}

// anywhereElse is a random address of a stranger who has many.
func anywhereElse(r *rand.Rand) string { return fmt.Sprintf("10.77.%d.%d", r.IntN(200), 1+r.IntN(200)) }

// writeComments fills the market with comments that somebody has to look through.
func writeComments(ctx context.Context, w *attacker) {
	w.elsewhere().REST(ctx, "POST", "/tenants/"+market+"/comments", map[string]any{"entityType": "product",
		"entityId": pick(w.random, w.trial.shops.ids), "authorName": "Someone", "text": "Buy elsewhere!"})
}

// askForFacets asks for the facets of a large shop 29 times in one document, each time with another filter.
func askForFacets(ctx context.Context, w *attacker) {
	document := `query($domain: String!) { tenant(domain: $domain) {` + repeated(29,
		`a%d: products(name: "`+fmt.Sprint(w.random.IntN(1000))+` %d", pageSize: 1) {
			facets { categories { category { id } count } brands { brand { id } count }
				prices { currency buckets { count } } } } `) + `} }`
	w.Ask(ctx, document, map[string]any{"domain": catalog.Domain})
}

// askForCounts asks for 29 counts, each of which could be kept under a filter of 200 KB.
func askForCounts(ctx context.Context, w *attacker) {
	if w.wanted == nil { // written once: the processors are the service's
		values := make([]int, 20_000)
		for i := range values {
			values[i] = 100_000_000 + w.random.IntN(900_000_000)
		}
		w.wanted = json.RawMessage(strings.ReplaceAll(strings.Trim(fmt.Sprint(values), "[]"), " ", `","`))
		w.wanted = append(append([]byte(`["`), w.wanted...), `"]`...)
	}
	document := `query($domain: String!, $values: [TechnicalFilter!]) { tenant(domain: $domain) {` +
		repeated(29, `a%d: products(values: $values, name: "%d") { total } `) + `} }`
	w.Ask(ctx, document, map[string]any{"domain": market,
		"values": []any{map[string]any{"key": fmt.Sprint("k", w.random.IntN(1000)), "anyOf": w.wanted}}})
}

// askForLongTexts asks for all articles of 100,000 letters, a few times in one document.
func askForLongTexts(ctx context.Context, w *attacker) {
	document := `query($domain: String!) { tenant(domain: $domain) {` +
		repeated(1+w.random.IntN(29), `a%d: blogs(pageSize: 100) { items { body slug } } `) + `} }`
	w.Ask(ctx, document, map[string]any{"domain": longTexts})
	wait(ctx, 10*time.Millisecond)
}

// sendHugeBodies sends bodies that are longer, deeper or of more members than any request needs.
func sendHugeBodies(ctx context.Context, w *attacker) {
	target := pick(w.random, []string{"/graphql", "/api/v1/auth/login", "/api/v1/tenants/" + market +
		"/comments"})
	if w.huge == nil { // written once: the processors are the service's
		for n := 1 << 10; n <= 4<<20; n *= 4 {
			w.huge = append(w.huge, hugeBodies(n)...)
		}
	}
	w.Send(ctx, "POST", target, pick(w.random, w.huge))
}

// hugeBodies are bodies of about n bytes.
func hugeBodies(n int) [][]byte {
	return [][]byte{
		[]byte(`{"query": "` + strings.Repeat("x", n) + `"}`),
		[]byte(strings.Repeat(`{"a":`, n/8) + "1" + strings.Repeat("}", n/8)),
		[]byte(strings.Repeat("[", n)),
		[]byte(`{` + repeated(min(n, 1<<17)/16, `"a%d": 1, `) + `"b": 1}`),
		[]byte(`{"query": "{ ` + strings.Repeat("a{", min(n, 1<<17)/2) + `"}`),
		[]byte(`{"query": "{ ` + strings.Repeat("__typename ", min(n, 1<<17)/11) + ` }"}`),
	}
}

// importAgain imports the large shop, every product of which has changed since the last time.
func importAgain(ctx context.Context, w *attacker) {
	w.rounds++
	spent, err := w.trial.Run(ctx, "import", w.trial.large(w.rounds))
	if ctx.Err() != nil {
		return // it was interrupted
	}
	a := customer.Answer{Request: "import", Status: 200, Took: spent.Time}
	if err != nil {
		a.Status, a.Body = 500, []byte(err.Error())
	}
	w.Tally.Add(a)
	wait(ctx, time.Second)
}
