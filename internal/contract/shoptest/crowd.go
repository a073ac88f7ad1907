package shoptest

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/contract/money/audit"
	"storefront/internal/platform/token"
)

// Crowd makes n customers with a session each, directly in the database: a registration would take a password
// hash each. They use REST and GraphQL of the given instances by turns.
func Crowd(t testing.TB, n int, instances ...*Accounts) []Shopper {
	t.Helper()
	a := instances[0]
	key, err := hkdf.Key(sha256.New, a.Key, nil, "storefront access tokens", 32)
	if err != nil {
		t.Fatal(err)
	}
	issuer := token.NewIssuer(key, nil, 24*time.Hour, a.Clock.Now)
	client, business := a.Store.Client, a.Named(t, "<tenant:tools>")
	users := Must(client.User.MapCreateBulk(make([]struct{}, n), func(u *ent.UserCreate, i int) {
		u.SetCellNumber(fmt.Sprintf("+98990%07d", i))
	}).Save(t.Context()))(t)
	sessions := Must(client.Session.MapCreateBulk(users, func(s *ent.SessionCreate, i int) {
		s.SetUserID(users[i].ID).SetExpiresAt(a.Clock.Now().Add(24 * time.Hour))
	}).Save(t.Context()))(t)
	apis := Sides(instances...)
	shoppers := make([]Shopper, n)
	for i, user := range users {
		access, err := issuer.Access(token.Claims{User: user.ID, Session: sessions[i].ID})
		if err != nil {
			t.Fatal(err)
		}
		shoppers[i] = Shopper{API: apis[i%len(apis)].With(access),
			Customer: Customer{ID: user.ID.String(), Access: access},
			Business: business}
	}
	return shoppers
}

// Everywhere returns every operation that takes a code, over REST and over GraphQL.
func (s Shopper) Everywhere(instances ...*Accounts) (all []Shopper) {
	for _, d := range Sides(instances...) {
		all = append(all, Shopper{API: d.With(s.Access), Customer: s.Customer, Business: s.Business})
	}
	return all
}

// EachRace runs f on both databases, with two instances of the service and a running clock. Afterwards
// orders, carts and stock must agree, so f must not change the stock directly.
func EachRace(t *testing.T, f func(t *testing.T, first, second *Accounts)) {
	t.Helper()
	EachAccounts(t, func(t *testing.T, a *Accounts) {
		a.Clock.Ticks.Store(true)
		initial := a.Units(t)
		f(t, a, a.Instance(t))
		a.Balances(t, initial)
	})
}

// Units returns the units of each variant, as audit.Units does.
func (a *Accounts) Units(t testing.TB) map[uuid.UUID]int {
	t.Helper()
	return Must(audit.Units(t.Context(), a.Store.Client))(t)
}

// Balances checks that orders, carts and stock agree.
func (a *Accounts) Balances(t testing.TB, initial map[uuid.UUID]int) {
	t.Helper()
	if err := audit.Check(t.Context(), a.Store.Client, initial); err != nil {
		t.Error(err)
	}
}

// WithStatus counts the customer's orders of a status at the shop.
func (s Shopper) WithStatus(t testing.TB, status string) int {
	t.Helper()
	return len(strings.Fields(s.Right(t, "Orders", "", "status="+status, "pageSize=50").Orders(t)))
}

// Short returns the short lines in the details of an error.
func (r Reply) Short(t testing.TB) string {
	t.Helper()
	var failed struct {
		Details []struct {
			StoreItemVariantID   string
			Requested, Available int
		}
	}
	if err := json.Unmarshal(r.Failure(t), &failed); err != nil {
		t.Fatalf("%v: %s", err, r.Body)
	}
	var all []string
	for _, line := range failed.Details {
		name := strings.TrimSuffix(strings.TrimPrefix(string(r.API.withNames(t, []byte(line.StoreItemVariantID))),
			"<tools:variant:"), ">")
		all = append(all, fmt.Sprintf("%s wants %d of %d", name, line.Requested, line.Available))
	}
	return strings.Join(all, ", ")
}
