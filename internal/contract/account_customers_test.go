package contract_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// The shops that customers register at, and what is known of them.
const (
	toolsShop = "tools.example"
	mugsShop  = "mugs.example"

	toolsBusiness = `{"id": "<id>", "name": "Tool House", "nameFa": "ابزارسرا", "slug": "tools", "domain": ` +
		`"tools.example"}`
	mugsBusiness = `{"id": "<id>", "name": "Mugs & More", "nameFa": "ماگ", "slug": "mugs", "domain": ` +
		`"mugs.example"}`
)

const (
	goodPassword  = "correct horse"
	otherPassword = "battery staple"
)

// customer is an account and one session of it.
type customer struct {
	cell, id        string
	access, refresh string
}

// Inputs of the operations.
func registering(cell, password, domain string) string {
	return fmt.Sprintf(`{"cellNumber": %q, "password": %q, "firstName": "Sara", "lastName": "Karimi", `+
		`"domain": %q}`, cell, password, domain)
}

func acknowledging(cell, password, domain string) string {
	return fmt.Sprintf(`{"cellNumber": %q, "password": %q, "firstName": "Reza", "lastName": "Other", `+
		`"domain": %q, "email": "reza@mail.example",
		"acknowledgeExistingAccount": true}`, cell, password, domain)
}

func byPassword(cell, password string) string {
	return fmt.Sprintf(`{"cellNumber": %q, "password": %q}`, cell, password)
}

func byCode(cell, code string) string {
	return fmt.Sprintf(`{"cellNumber": %q, "code": %q}`, cell, code)
}

func resetting(cell, code, password string) string {
	return fmt.Sprintf(`{"cellNumber": %q, "code": %q, "newPassword": %q}`, cell, code, password)
}

func changing(current, replacement string) string {
	return fmt.Sprintf(`{"currentPassword": %q, "newPassword": %q}`, current, replacement)
}

func refreshing(token string) string { return fmt.Sprintf(`{"refreshToken": %q}`, token) }

func toCell(cell string) string { return fmt.Sprintf(`{"cellNumber": %q}`, cell) }

func toCellFrom(cell, domain string) string {
	return fmt.Sprintf(`{"cellNumber": %q, "domain": %q}`, cell, domain)
}

// sara is a newly registered account as its owner sees it.
func sara(cell string) string {
	return fmt.Sprintf(`{"id": "<id>", "cellNumber": %q, "cellVerified": false, "firstName": "Sara", `+
		`"lastName": "Karimi", "email": null,
		"createdAt": "2026-11-15T12:00:00Z"}`, cell)
}

// signedIn is the body of a sign-in of a user.
func signedIn(user string) string {
	return `{"user": ` + user + `, "accessToken": "<access>", "refreshToken": "<refresh>"}`
}

// asCustomer reads the session that an answer contains.
func asCustomer(t testing.TB, r reply) customer {
	t.Helper()
	return customer{r.member(t, "user.cellNumber"), r.member(t, "user.id"), r.member(t, "accessToken"),
		r.member(t, "refreshToken")}
}

// register creates an account at the tool shop.
func (d door) register(t testing.TB, cell string) customer {
	t.Helper()
	return asCustomer(t, d.right(t, "register", registering(cell, goodPassword, toolsShop)))
}

// login begins one more session.
func (d door) login(t testing.TB, cell, password string) customer {
	t.Helper()
	return asCustomer(t, d.right(t, "login", byPassword(cell, password)))
}

// code has a code sent, and gives it; a minute passes first, so that it may be.
func (d door) code(t testing.TB, cell string) string {
	t.Helper()
	return d.codeFrom(t, cell, "")
}

func (d door) codeFrom(t testing.TB, cell, domain string) string {
	t.Helper()
	d.clock.pass(time.Minute)
	d.right(t, "sendOtp", toCellFrom(cell, domain))
	return d.phones.code(t, cell)
}

// lives checks whether an access token is valid.
func (d door) lives(t testing.TB, token string, want bool) {
	t.Helper()
	if got := d.with(token).ask(t, "me", ""); (got.code == "") != want ||
		!want && got.code != "UNAUTHENTICATED" {
		t.Errorf("the token lives: want %v, got %d %s", want, got.status, got.body)
	}
}

// isMember reports whether the account of a cell is an active member of a shop: registering there again is
// then refused.
func (d door) isMember(t testing.TB, cell, domain string) bool {
	t.Helper()
	got := d.ask(t, "register", registering(cell, "a password of nobody", domain))
	switch got.code {
	case "CELL_ALREADY_REGISTERED":
		return true
	case "CELL_EXISTS_OTHER_SITE":
		return false
	}
	t.Fatalf("%s", got.body)
	return false
}

// jsonText writes a text as JSON.
func jsonText(text string) string {
	written, _ := json.Marshal(text) // never fails
	return string(written)
}
