package account_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"storefront/ent/user"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
)

// someone knows the number of an account, and has a password and maybe sessions of their own.
type someone struct {
	at, password string
	sessions     []*ofSomeone
}

type ofSomeone struct {
	shoptest.Customer
	ended bool
}

// life is what is true of one account.
type life struct {
	a         *shoptest.Accounts
	cell      string
	steps     []string
	there     bool
	proven    bool
	member    bool   // of the shop where both people register
	password  string // empty: none
	from      string // the address that registered it
	made      time.Time
	contested bool
	addresses int

	holder, stranger *someone // the stranger has no phone
}

// TestAccountLives lets the holder of a number and a stranger do what they like, at random. However they begin, after
// the holder's first code the stranger has no way in; who sends a token of the account loses nothing; and what was put
// into the account stays. More lives: -rounds.
func TestAccountLives(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		for n := range 20 * *shoptest.Rounds {
			random := rand.New(rand.NewPCG(1, uint64(n)))
			l := &life{a: a, cell: a.GraphQL().Cell(n),
				holder:   &someone{at: shoptest.OwnerAt, password: "holder's word"},
				stranger: &someone{at: shoptest.StrangerAt, password: "stranger's word"}}
			for range 4 + random.IntN(8) {
				l.step(t, random)
			}
			l.check(t)
			if t.Failed() {
				t.Fatalf("life %d: %s", n, strings.Join(l.steps, ", "))
			}
		}
	}, func(o *app.Options) { o.CodesInHour, o.CodesInDay = 1000, 1000 })
}

func (l *life) now() time.Time { return l.a.Clock.Now() }

// step does something, and foretells what it answers and changes.
func (l *life) step(t *testing.T, random *rand.Rand) {
	t.Helper()
	who := []*someone{l.holder, l.stranger}[random.IntN(2)]
	did := []string{"register", "login", "address", "loginOtp", "verifyOtp", "signInByCode", "resetPassword",
		"pass"}[random.IntN(8)]
	token := who.token(random)
	l.steps = append(l.steps, fmt.Sprintf("%s at %s, token %v", did, who.at, token != nil))
	d := l.a.GraphQL().From(who.at)
	if token != nil {
		d = d.With(token.Access)
	}
	switch did {
	case "pass":
		l.a.Clock.Pass([]time.Duration{time.Minute, 20 * time.Minute, 2 * time.Hour}[random.IntN(3)])
	case "register":
		got := d.Ask(t, "register", shoptest.Registering(l.cell, who.password, shoptest.ToolsShop))
		if l.wants(t, got, !l.there || !l.member && l.password == who.password) {
			if !l.there {
				l.there, l.password, l.from, l.made = true, who.password, who.at, l.now()
			}
			l.member = true
			who.begins(t, got)
		} else if !l.proven && who.password != l.password && !l.now().After(l.made.Add(30*time.Minute)) {
			l.contested = true
		}
	case "login":
		got := d.Ask(t, "login", shoptest.ByPassword(l.cell, who.password))
		if l.wants(t, got, l.there && l.password == who.password) {
			who.begins(t, got)
		}
	case "address":
		live := who.live(random)
		if live == nil {
			return
		}
		live.Customer = d.Refresh(t, live.Customer)
		d.With(live.Access).Right(t, "createAddress", shoptest.HomeAddress)
		l.addresses++
	default:
		l.code(t, d, did, token != nil)
	}
}

// code has the holder use a code.
func (l *life) code(t *testing.T, d shoptest.API, operation string, token bool) {
	t.Helper()
	if len(l.steps) > 0 && !strings.Contains(l.steps[len(l.steps)-1], l.holder.at) {
		return // the stranger has no phone
	}
	code := d.Code(t, l.cell)
	input := shoptest.ByCode(l.cell, code)
	switch operation {
	case "signInByCode":
		input = shoptest.ByCodeAt(l.cell, code, shoptest.ToolsShop)
	case "resetPassword":
		input = resetting(l.cell, code, l.holder.password)
	}
	same := token || (operation == "loginOtp" || operation == "verifyOtp") && l.from == l.holder.at && !l.contested &&
		!l.now().After(l.made.Add(30*time.Minute))
	got := d.Ask(t, operation, input)
	l.wants(t, got, l.there || operation == "verifyOtp" || operation == "signInByCode")
	switch {
	case !l.there:
		return
	case operation == "verifyOtp":
		l.proven = l.proven || same
		return
	case !l.proven && !same:
		l.password, l.member = "", false
		l.endSessions()
	}
	l.proven = true
	if operation == "resetPassword" {
		l.password = l.holder.password
		l.endSessions()
		return
	}
	l.holder.begins(t, got)
}

func (l *life) endSessions() {
	for _, who := range []*someone{l.holder, l.stranger} {
		for _, one := range who.sessions {
			one.ended = true
		}
	}
}

// check compares what is left at the end with what was foretold.
func (l *life) check(t *testing.T) {
	t.Helper()
	for _, who := range []*someone{l.holder, l.stranger} {
		d := l.a.GraphQL().From(who.at)
		got := d.Ask(t, "login", shoptest.ByPassword(l.cell, who.password))
		l.wants(t, got, l.there && l.password == who.password)
		for _, one := range who.sessions {
			l.wants(t, d.Ask(t, "refresh", shoptest.Refreshing(one.Refresh)), !one.ended)
		}
	}
	if !l.there {
		return
	}
	is := l.a.Store.Client.User.Query().Where(user.CellNumber(l.cell)).OnlyX(t.Context())
	kept := l.a.Rows(t, "SELECT count(*) FROM addresses WHERE user_id = $1", is.ID)
	if is.Vouched != l.proven || kept != l.addresses {
		t.Errorf("proven %v, %d addresses; want %v, %d", is.Vouched, kept, l.proven, l.addresses)
	}
}

// wants checks whether an answer is a success, and returns it.
func (l *life) wants(t *testing.T, got shoptest.Reply, want bool) bool {
	t.Helper()
	if (got.Code == "") != want {
		t.Errorf("%s: want success %v, got %s", l.steps[len(l.steps)-1], want, got.Body)
	}
	return got.Code == ""
}

func (s *someone) begins(t *testing.T, got shoptest.Reply) {
	if got.Code == "" && strings.Contains(got.Said, "accessToken") {
		s.sessions = append(s.sessions, &ofSomeone{Customer: shoptest.AsCustomer(t, got)})
	}
}

// token returns a session whose token is sent, whether or not that has expired: in half of the cases, if there is one.
func (s *someone) token(random *rand.Rand) *ofSomeone {
	if random.IntN(2) == 0 {
		return nil
	}
	return s.live(random)
}

func (s *someone) live(random *rand.Rand) *ofSomeone {
	var live []*ofSomeone
	for _, one := range s.sessions {
		if !one.ended {
			live = append(live, one)
		}
	}
	if len(live) == 0 {
		return nil
	}
	return live[random.IntN(len(live))]
}
