package hostile

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"storefront/cmd/internal/customer"
)

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
			"domain": market, "firstName": strangerName, "lastName": strangerName, "acknowledgeExistingAccount": w.random.IntN(2) == 0})
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
