package shoptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// PlainAddress is the golden answer of an address made of HomeAddress.
const PlainAddress = `{"id": "<id>", "label": null, "province": "تهران", "city": "تهران", "address": ` +
	`"خیابان ولیعصر، پلاک ۱۲", "postalCode": null,
	"landline": null, "createdAt": "<now>", "updatedAt": "<now>"}`

// HomeAddress is an address with the members that it must have.
const HomeAddress = `{"province": "تهران", "city": "تهران", ` +
	`"address": "خیابان ولیعصر، پلاک ۱۲"}`

// TooMany checks that an operation is rate limited and, over REST, which Retry-After it answers.
func (d API) TooMany(t testing.TB, operation, input, seconds string) {
	t.Helper()
	if got := d.Wrong(t, operation, input, 429, "RATE_LIMITED"); !d.GraphQL &&
		got.Header.Get("Retry-After") != seconds {
		t.Errorf("%s: Retry-After %q, want %q", operation, got.Header.Get("Retry-After"), seconds)
	}
}

// The domains of the first and the second of ShopBundles.
const (
	ToolsShop = "tools.example"
	MugsShop  = "mugs.example"
)

// Passwords that the service accepts.
const (
	GoodPassword  = "correct horse"
	OtherPassword = "battery staple"
)

// Customer is an account and one session of it.
type Customer struct {
	Cell, ID        string
	Access, Refresh string
}

// Registering returns the input of register.
func Registering(cell, password, domain string) string {
	return fmt.Sprintf(`{"cellNumber": %q, "password": %q, "firstName": "Sara", "lastName": "Karimi", `+
		`"domain": %q}`, cell, password, domain)
}

// Acknowledging returns the input of register for a cell that is registered at another shop.
func Acknowledging(cell, password, domain string) string {
	return fmt.Sprintf(`{"cellNumber": %q, "password": %q, "firstName": "Reza", "lastName": "Other", `+
		`"domain": %q, "email": "reza@mail.example",
		"acknowledgeExistingAccount": true}`, cell, password, domain)
}

// ByPassword returns the input of login.
func ByPassword(cell, password string) string {
	return fmt.Sprintf(`{"cellNumber": %q, "password": %q}`, cell, password)
}

// ByCode returns the input of loginOtp and verifyOtp.
func ByCode(cell, code string) string {
	return fmt.Sprintf(`{"cellNumber": %q, "code": %q}`, cell, code)
}

// ByCodeAt returns the input of signInByCode.
func ByCodeAt(cell, code, domain string) string {
	return fmt.Sprintf(`{"cellNumber": %q, "code": %q, "domain": %q}`, cell, code, domain)
}

// Proving returns the input of register without a password, with a proof of the cell by one of its members,
// code and ticket.
func Proving(cell, by, proof, domain string) string {
	return fmt.Sprintf(`{"cellNumber": %q, %q: %q, "firstName": "Sara", "lastName": "Karimi", "domain": %q}`,
		cell, by, proof, domain)
}

// Changing returns the input of changePassword.
func Changing(current, replacement string) string {
	return fmt.Sprintf(`{"currentPassword": %q, "newPassword": %q}`, current, replacement)
}

// Refreshing returns the input of refresh.
func Refreshing(token string) string { return fmt.Sprintf(`{"refreshToken": %q}`, token) }

// ToCell returns the input of sendOtp.
func ToCell(cell string) string { return fmt.Sprintf(`{"cellNumber": %q}`, cell) }

// ToCellFrom returns the input of sendOtp that names a shop.
func ToCellFrom(cell, domain string) string {
	return fmt.Sprintf(`{"cellNumber": %q, "domain": %q}`, cell, domain)
}

// AsCustomer reads the session that an answer contains.
func AsCustomer(t testing.TB, r Reply) Customer {
	t.Helper()
	return Customer{Cell: r.Member(t, "user.cellNumber"), ID: r.Member(t, "user.id"),
		Access: r.Member(t, "accessToken"), Refresh: r.Member(t, "refreshToken")}
}

// Register registers a customer at the tool shop.
func (d API) Register(t testing.TB, cell string) Customer {
	t.Helper()
	return AsCustomer(t, d.Right(t, "register", Registering(cell, GoodPassword, ToolsShop)))
}

// Login begins another session.
func (d API) Login(t testing.TB, cell, password string) Customer {
	t.Helper()
	return AsCustomer(t, d.Right(t, "login", ByPassword(cell, password)))
}

// Code requests a code and returns it. It first moves the clock by a minute, so that the limit allows the
// code.
func (d API) Code(t testing.TB, cell string) string {
	t.Helper()
	return d.CodeFrom(t, cell, "")
}

// CodeFrom is Code for a shop.
func (d API) CodeFrom(t testing.TB, cell, domain string) string {
	t.Helper()
	d.Clock.Pass(time.Minute)
	d.Right(t, "sendOtp", ToCellFrom(cell, domain))
	return d.Phones.Code(t, cell)
}

// Lives checks that an access token is valid, or is not.
func (d API) Lives(t testing.TB, token string, want bool) {
	t.Helper()
	if got := d.With(token).Ask(t, "me", ""); (got.Code == "") != want ||
		!want && got.Code != "UNAUTHENTICATED" {
		t.Errorf("the token lives: want %v, got %d %s", want, got.Status, got.Body)
	}
}

// IsMember reports whether the account of a cell is an active member of a shop, which then refuses another
// registration.
func (d API) IsMember(t testing.TB, cell, domain string) bool {
	t.Helper()
	got := d.Ask(t, "register", Registering(cell, "a password of nobody", domain))
	switch got.Code {
	case "CELL_ALREADY_REGISTERED":
		return true
	case "CELL_EXISTS_OTHER_SITE":
		return false
	}
	t.Fatalf("got %s", got.Body)
	return false
}

// JSONText writes a text as JSON.
func JSONText(text string) string {
	written, _ := json.Marshal(text) // never fails
	return string(written)
}

// Days is a day: 3 * Days.
const Days = 24 * time.Hour

// Refresh continues a session.
func (d API) Refresh(t testing.TB, c Customer) Customer {
	t.Helper()
	return AsCustomer(t, d.Right(t, "refresh", Refreshing(c.Refresh)))
}

// Dead checks that neither token of a session works any more.
func (d API) Dead(t testing.TB, c Customer) {
	t.Helper()
	d.Lives(t, c.Access, false)
	d.Wrong(t, "refresh", Refreshing(c.Refresh), 401, "INVALID_CREDENTIALS")
}

// Worthless returns Authorization headers that must be refused.
func (a *Accounts) Worthless(t *testing.T) map[string]string {
	t.Helper()
	d := a.REST()
	expired := d.Register(t, d.Cell(1))
	a.Clock.Pass(time.Hour)
	good, ended := d.Register(t, d.Cell(2)), d.Register(t, d.Cell(3))
	WantGraphQL(t, a.Send(t, "POST", "/graphql", GraphQLBody(`mutation { logout { message } }`, ""), "Authorization",
		"Bearer "+ended.Access), 200, "")
	elsewhere := &Accounts{Clock: a.Clock, Phones: a.Phones, Key: bytes.Repeat([]byte("x"), 32),
		Database: a.Database}
	foreign := elsewhere.Instance(t).REST().Login(t, d.Cell(2), GoodPassword)
	parts := strings.Split(good.Access, ".")
	d.Lives(t, good.Access, true)
	return map[string]string{
		"missing": "", "garbage": "Bearer x", "a scheme alone": "Bearer", "nothing after the scheme": "Bearer ",
		"no scheme":      good.Access,
		"another scheme": "Basic " + good.Access, "a refresh token": "Bearer " + good.Refresh, "twice": "Bearer " +
			good.Access + " " + good.Access,
		"expired": "Bearer " + expired.Access, "ended": "Bearer " + ended.Access, "of another key": "Bearer " +
			foreign.Access,
		"unsigned":         "Bearer eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0." + parts[1] + ".",
		"signed otherwise": "Bearer " + parts[0] + "." + parts[1] + "." + strings.Split(ended.Access, ".")[2],
		"of another body":  "Bearer " + parts[0] + "." + strings.Split(ended.Access, ".")[1] + "." + parts[2],
	}
}

// The client addresses of the customer and of a stranger.
const OwnerAt, StrangerAt = "198.51.100.9", "203.0.113.7"
