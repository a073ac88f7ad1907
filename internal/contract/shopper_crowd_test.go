package contract_test

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
	"storefront/internal/contract/ledger"
	"storefront/internal/token"
)

// crowd makes n customers with a session each, by hand: to register them would cost a hash of a password
// each. They stand at both doors of the given instances by turns.
func crowd(t testing.TB, n int, instances ...*accounts) []shopper {
	t.Helper()
	a := instances[0]
	key, err := hkdf.Key(sha256.New, a.key, nil, "storefront access tokens", 32)
	if err != nil {
		t.Fatal(err)
	}
	issuer := token.NewIssuer(key, 24*time.Hour, a.clock.now)
	client, business := a.store.Client, a.named(t, "<tenant:tools>")
	users := must(client.User.MapCreateBulk(make([]struct{}, n), func(u *ent.UserCreate, i int) {
		u.SetCellNumber(fmt.Sprintf("+98990%07d", i))
	}).Save(t.Context()))(t)
	sessions := must(client.Session.MapCreateBulk(users, func(s *ent.SessionCreate, i int) {
		s.SetUserID(users[i].ID).SetExpiresAt(a.clock.now().Add(24 * time.Hour))
	}).Save(t.Context()))(t)
	doors := sides(instances...)
	shoppers := make([]shopper, n)
	for i, user := range users {
		access, err := issuer.Access(token.Claims{User: user.ID, Session: sessions[i].ID})
		if err != nil {
			t.Fatal(err)
		}
		shoppers[i] = shopper{doors[i%len(doors)].with(access), customer{id: user.ID.String(), access: access},
			business, nil}
	}
	return shoppers
}

// everywhere returns every operation that takes a code, over REST and over GraphQL.
func (s shopper) everywhere(instances ...*accounts) (all []shopper) {
	for _, d := range sides(instances...) {
		all = append(all, shopper{d.with(s.access), s.customer, s.business, nil})
	}
	return all
}

// eachRace runs f on both databases, with two instances of the service, whose clock goes. Afterwards the
// books must be right, whatever f did beside changing the stock by hand.
func eachRace(t *testing.T, f func(t *testing.T, first, second *accounts)) {
	t.Helper()
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.clock.ticks.Store(true)
		initial := a.units(t)
		f(t, a, a.instance(t))
		a.balances(t, initial)
	})
}

// units counts the units that there are; see ledger.Units.
func (a *accounts) units(t testing.TB) map[uuid.UUID]int {
	t.Helper()
	return must(ledger.Units(t.Context(), a.store))(t)
}

// balances checks that the books are right.
func (a *accounts) balances(t testing.TB, initial map[uuid.UUID]int) {
	t.Helper()
	if err := ledger.Check(t.Context(), a.store, initial); err != nil {
		t.Error(err)
	}
}

// outcomes counts replies by their code; those that succeeded are "".
func outcomes(replies []reply) map[string]int {
	counts := map[string]int{}
	for _, r := range replies {
		counts[r.code]++
	}
	return counts
}

// withStatus counts the customer's orders of a status at the shop.
func (s shopper) withStatus(t testing.TB, status string) int {
	t.Helper()
	return len(strings.Fields(s.right(t, "Orders", "", "status="+status, "pageSize=50").orders(t)))
}

// short reports the short lines in the details of an error.
func (r reply) short(t testing.TB) string {
	t.Helper()
	var failed struct {
		Details []struct {
			StoreItemVariantID   string
			Requested, Available int
		}
	}
	if err := json.Unmarshal(r.failure(t), &failed); err != nil {
		t.Fatalf("%v: %s", err, r.body)
	}
	var all []string
	for _, line := range failed.Details {
		name := strings.TrimSuffix(strings.TrimPrefix(string(r.door.withNames(t, []byte(line.StoreItemVariantID))),
			"<tools:variant:"), ">")
		all = append(all, fmt.Sprintf("%s wants %d of %d", name, line.Requested, line.Available))
	}
	return strings.Join(all, ", ")
}
