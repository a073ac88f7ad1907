package main

import (
	"context"
	"fmt"
)

// pumpCodes has codes sent to number after number from one address, each of which costs the service an SMS.
func pumpCodes(ctx context.Context, w *attacker) {
	w.rest(ctx, "POST", "/auth/send-otp", map[string]any{"cellNumber": someone(w.random), "domain": market})
}

// pumpCodesFromAnywhere does so from hundreds of addresses, which leaves the limit of the whole service.
func pumpCodesFromAnywhere(ctx context.Context, w *attacker) {
	w.elsewhere().rest(ctx, "POST", "/auth/send-otp", map[string]any{"cellNumber": someone(w.random)})
}

// guessPasswords signs in to one account after another, each of which takes a slow hash.
func guessPasswords(ctx context.Context, w *attacker) {
	w.elsewhere().rest(ctx, "POST", "/auth/login",
		map[string]any{"cellNumber": someone(w.random), "password": fmt.Sprint("guess ", w.random.IntN(1000))})
}

// lockOut guesses at honest customers' passwords from everywhere, so that the account would be locked.
func lockOut(ctx context.Context, w *attacker) {
	w.elsewhere().rest(ctx, "POST", "/auth/login",
		map[string]any{"cellNumber": w.victim(), "password": fmt.Sprint("guess ", w.random.IntN(1000))})
}

// victim is the cell number of an honest customer.
func (w *attacker) victim() string { return cellOf(w.random.IntN(w.trial.shoppers)) }

// guessCodes has a code sent and guesses at it through every operation that takes one.
func guessCodes(ctx context.Context, w *attacker) {
	cell := w.victim()
	if w.random.IntN(2) == 0 {
		cell = someone(w.random)
	}
	c := w.elsewhere()
	if w.random.IntN(10) == 0 {
		c.rest(ctx, "POST", "/auth/send-otp", map[string]any{"cellNumber": cell})
	}
	body := map[string]any{"cellNumber": cell, "code": fmt.Sprintf("%06d", w.random.IntN(1_000_000))}
	switch w.random.IntN(3) {
	case 0:
		c.rest(ctx, "POST", "/auth/login-otp", body)
	case 1:
		c.rest(ctx, "POST", "/auth/verify-otp", body)
	case 2:
		body["newPassword"] = "a password of the attacker"
		c.rest(ctx, "POST", "/auth/reset-password", body)
	}
}

// writeComments fills the market with comments that somebody has to look through.
func writeComments(ctx context.Context, w *attacker) {
	w.elsewhere().rest(ctx, "POST", "/tenants/"+market+"/comments", map[string]any{"entityType": "product",
		"entityId": pick(w.random, w.trial.shops.ids), "authorName": "Someone", "text": "Buy elsewhere!"})
}
