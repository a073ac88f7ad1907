package account_test

import (
	"slices"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
)

type sessionSeen struct {
	ID                               string
	CreatedAt, LastUsedAt, ExpiresAt time.Time
	Current                          bool
	Client, Network                  string
}

const (
	sessionsOf = `{ me { sessions { id createdAt lastUsedAt expiresAt current client network provenAt } } }`
	endingOne  = `mutation($id: ID!) { endSession(sessionId: $id) { message } }`
	endingRest = `mutation { endOtherSessions { message } }`
)

// sessionsSeen returns the sessions that a customer is shown, newest first.
func sessionsSeen(t testing.TB, d shoptest.API) []sessionSeen {
	t.Helper()
	var seen struct {
		Me struct{ Sessions []sessionSeen }
	}
	shoptest.Worker{API: d}.Do(t, sessionsOf, nil, &seen)
	return seen.Me.Sessions
}

// TestAccountSessions lists the sessions of a customer and ends them.
func TestAccountSessions(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d, second := a.GraphQL(), a.Instance(t)
		began := a.Clock.Now()
		first := d.From("203.0.113.77").Register(t, d.Cell(1))
		stranger := d.Register(t, d.Cell(2))
		a.Clock.Pass(time.Minute)
		phone := d.From("2001:db8:1:2::3")
		phone.Headers = append(phone.Headers, "User-Agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) "+
			"AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1")
		other := phone.Login(t, first.Cell, shoptest.GoodPassword)
		a.Clock.Pass(10 * time.Minute)
		other = d.Refresh(t, other)
		used := a.Clock.Now()
		rest := a.REST().Login(t, first.Cell, shoptest.GoodPassword)

		seen := sessionsSeen(t, d.With(first.Access))
		if len(seen) != 3 {
			t.Fatalf("got %+v", seen)
		}
		slices.Reverse(seen)
		if one := seen[0]; !one.Current || one.Network != "203.0.113.0/24" || one.Client != "Go-http-client" ||
			!one.CreatedAt.Equal(began) || !one.LastUsedAt.Equal(began) ||
			!one.ExpiresAt.Equal(began.Add(90*shoptest.Days)) {
			t.Errorf("got %+v", one)
		}
		if one := seen[1]; one.Current || one.Network != "2001:db8:1::/48" || one.Client != "Safari on iOS" ||
			!one.CreatedAt.Equal(began.Add(time.Minute)) || !one.LastUsedAt.Equal(used) {
			t.Errorf("got %+v", one)
		}

		mine := shoptest.Worker{API: d.With(first.Access)}
		theirs := map[string]any{"id": seen[1].ID} // the session of the phone
		shoptest.Worker{API: d.With(stranger.Access)}.Refused(t, "NOT_FOUND", endingOne, theirs)
		mine.Refused(t, "NOT_FOUND", endingOne, map[string]any{"id": shoptest.NobodysID})
		a.GraphQL().Lives(t, other.Access, true)
		mine.Do(t, endingOne, theirs, nil)
		mine.Refused(t, "NOT_FOUND", endingOne, theirs)
		for _, at := range []*shoptest.Accounts{a, second} {
			at.GraphQL().Lives(t, other.Access, false)
			at.REST().Lives(t, other.Access, false)
		}
		d.Dead(t, other)
		a.REST().Lives(t, rest.Access, true)
		mine.Do(t, endingRest, nil, nil)
		d.Dead(t, rest)
		d.Lives(t, stranger.Access, true)
		if seen := sessionsSeen(t, mine.API); len(seen) != 1 || !seen[0].Current {
			t.Errorf("left are %+v", seen)
		}
		mine.Do(t, endingOne, map[string]any{"id": seen[0].ID}, nil) // as logout does
		d.Dead(t, first)

		// A session that can no longer be refreshed is not shown.
		idle := d.Login(t, first.Cell, shoptest.GoodPassword)
		a.Clock.Pass(20 * shoptest.Days)
		kept := d.Login(t, first.Cell, shoptest.GoodPassword)
		a.Clock.Pass(10 * shoptest.Days)
		kept = d.Refresh(t, kept)
		if seen := sessionsSeen(t, d.With(kept.Access)); len(seen) != 1 || !seen[0].Current {
			t.Errorf("after 30 days: %+v", seen)
		}
		d.Dead(t, idle)
	})
}

// TestSessionEndedWhileInUse ends a session while an authenticated request of it is running. The request
// must write nothing.
func TestSessionEndedWhileInUse(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		slow, happens := a.Meanwhile(t)
		s := a.GraphQL().Shopper(t, 1)
		other := s.API.Login(t, s.Customer.Cell, shoptest.GoodPassword)
		mine := shoptest.Worker{API: a.GraphQL().With(other.Access)}
		late := s
		late.Accounts = slow
		happens(func() { mine.Do(t, endingRest, nil, nil) })
		late.Wrong(t, "CreateAddress", shoptest.HomeAddress, "UNAUTHENTICATED")
		mine.HasAddresses(t, 0)
	})
}
