package account_test

import (
	"strings"
	"testing"
	"time"

	"storefront/ent/user"
	"storefront/internal/contract/shoptest"
)

// state is what is left of an account, or of none, after an event.
type state struct {
	code       string // of the answer; empty: success
	proven     bool
	handedOver bool
	former     bool // whether the former password and session go on
}

// TestAccountStates checks the table "Whose account it is" of contract 3.2, cell by cell: what each event does to an
// account that does not exist, to one that nobody has proved, and to one that is proven. What was in it stays always.
func TestAccountStates(t *testing.T) {
	none, unproven, proven, over := state{}, state{former: true}, state{proven: true, former: true},
		state{proven: true, handedOver: true}
	is := func(s state, code string) state {
		s.code = code
		return s
	}
	newPassword := func(s state) state { // sessions end
		s.former = false
		return s
	}
	type event = func(*testing.T, shoptest.API, string) shoptest.Reply
	by := func(operation string, input func(cell, code string) string) event {
		return func(t *testing.T, d shoptest.API, cell string) shoptest.Reply {
			return d.Ask(t, operation, input(cell, d.Code(t, cell)))
		}
	}
	reset := func(cell, code string) string { return resetting(cell, code, "a third password") }
	atShop := func(cell, code string) string { return shoptest.ByCodeAt(cell, code, shoptest.ToolsShop) }
	withProof := func(cell, code string) string { return shoptest.Proving(cell, "code", code, shoptest.ToolsShop) }
	plain := func(operation, input string) event {
		return func(t *testing.T, d shoptest.API, cell string) shoptest.Reply {
			return d.Ask(t, operation, strings.ReplaceAll(input, "CELL", cell))
		}
	}
	events := []struct {
		name     string
		do       event
		token    bool // the account's own, of an hour ago
		soon     bool // at the address that registered it, within half an hour
		of       [3]state
		onlyMade bool // there is no event without an account
	}{
		{name: "register", do: plain("register",
			shoptest.Registering("CELL", shoptest.OtherPassword, shoptest.ToolsShop)),
			of: [3]state{none, is(unproven, "CELL_ALREADY_REGISTERED"), is(proven, "CELL_ALREADY_REGISTERED")}},
		{name: "register elsewhere", do: plain("register",
			shoptest.Registering("CELL", shoptest.GoodPassword, shoptest.MugsShop)),
			of: [3]state{none, unproven, proven}},
		{name: "register elsewhere, another password", do: plain("register",
			shoptest.Registering("CELL", shoptest.OtherPassword, shoptest.MugsShop)),
			of: [3]state{none, is(unproven, "CELL_EXISTS_OTHER_SITE"), is(proven, "CELL_EXISTS_OTHER_SITE")}},
		{name: "register elsewhere, acknowledged", do: plain("register",
			shoptest.Acknowledging("CELL", shoptest.OtherPassword, shoptest.MugsShop)),
			of: [3]state{none, unproven, proven}},
		{name: "register by a code", do: by("register", withProof), of: [3]state{{proven: true}, over, proven}},
		{name: "register by a code, with the token", do: by("register", withProof), token: true, onlyMade: true,
			of: [3]state{none, proven, proven}},
		{name: "login", do: plain("login", shoptest.ByPassword("CELL", shoptest.GoodPassword)),
			of: [3]state{is(none, "INVALID_CREDENTIALS"), unproven, proven}},
		{name: "login, wrong", do: plain("login", shoptest.ByPassword("CELL", "a wrong password")),
			of: [3]state{is(none, "INVALID_CREDENTIALS"), is(unproven, "INVALID_CREDENTIALS"),
				is(proven, "INVALID_CREDENTIALS")}},
		{name: "verifyOtp", do: by("verifyOtp", shoptest.ByCode), of: [3]state{none, unproven, proven}},
		{name: "verifyOtp, with the token", do: by("verifyOtp", shoptest.ByCode), token: true, onlyMade: true,
			of: [3]state{none, proven, proven}},
		{name: "verifyOtp, same sitting", do: by("verifyOtp", shoptest.ByCode), soon: true, onlyMade: true,
			of: [3]state{none, proven, proven}},
		{name: "loginOtp", do: by("loginOtp", shoptest.ByCode), of: [3]state{is(none, "NO_ACCOUNT"), over, proven}},
		{name: "loginOtp, with the token", do: by("loginOtp", shoptest.ByCode), token: true, onlyMade: true,
			of: [3]state{none, proven, proven}},
		{name: "loginOtp, same sitting", do: by("loginOtp", shoptest.ByCode), soon: true, onlyMade: true,
			of: [3]state{none, proven, proven}},
		{name: "signInByCode", do: by("signInByCode", atShop), of: [3]state{none, over, proven}},
		{name: "signInByCode, with the token", do: by("signInByCode", atShop), token: true, onlyMade: true,
			of: [3]state{none, proven, proven}},
		{name: "signInByCode, at the same address", do: by("signInByCode", atShop), soon: true, onlyMade: true,
			of: [3]state{none, over, proven}},
		{name: "resetPassword", do: by("resetPassword", reset),
			of: [3]state{is(none, "NO_ACCOUNT"), over, newPassword(proven)}},
		{name: "resetPassword, with the token", do: by("resetPassword", reset), token: true, onlyMade: true,
			of: [3]state{none, newPassword(proven), newPassword(proven)}},
		{name: "resetPassword, at the same address", do: by("resetPassword", reset), soon: true, onlyMade: true,
			of: [3]state{none, over, newPassword(proven)}},
	}
	const registeredAt = "192.0.2.50"
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		n, messages := 0, map[string]bool{}
		for _, event := range events {
			for i, want := range event.of {
				if i == 0 && event.onlyMade {
					continue
				}
				n++
				d := a.GraphQL()
				cell, maker, owner := d.Cell(n), d.From(registeredAt), d.From(shoptest.OwnerAt)
				var made shoptest.Customer
				if i > 0 {
					made = maker.Register(t, cell)
					maker.With(made.Access).Right(t, "createAddress", shoptest.HomeAddress)
				}
				if i == 2 {
					maker.With(made.Access).Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
				}
				if event.soon {
					owner = maker
				} else {
					d.Clock.Pass(time.Hour)
				}
				if event.token {
					owner = owner.With(made.Access)
				}
				got := event.do(t, owner, cell)
				if got.Code != want.code {
					t.Errorf("%s, %d: got %s, want %q", event.name, i, got.Body, want.code)
				}
				if want.code == "INVALID_CREDENTIALS" {
					messages[got.Message(t)] = true
				}
				is, err := a.Store.Client.User.Query().Where(user.CellNumber(cell)).Only(t.Context())
				if err == nil && is.Vouched != want.proven {
					t.Errorf("%s, %d: proven is %v", event.name, i, is.Vouched)
				}
				if i == 0 {
					continue
				}
				if (is.HandedOverAt != nil) != want.handedOver {
					t.Errorf("%s, %d: it was handed over at %v", event.name, i, is.HandedOverAt)
				}
				if want.former {
					maker.Login(t, cell, shoptest.GoodPassword)
					maker.Refresh(t, made)
				} else {
					ended := maker.Wrong(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), 401,
						"INVALID_CREDENTIALS")
					messages[ended.Message(t)] = true
					maker.Dead(t, made)
				}
				left := a.Rows(t, "SELECT count(*) FROM addresses WHERE user_id = $1", is.ID)
				if left != 1 || is.FirstName == nil || *is.FirstName != "Sara" {
					t.Errorf("%s, %d: %d addresses, the name is %v", event.name, i, left, is.FirstName)
				}
			}
		}
		if len(messages) != 1 {
			t.Errorf("a refused password has %d messages: %v", len(messages), messages)
		}
	})
}
