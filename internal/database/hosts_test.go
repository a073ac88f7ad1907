package database_test

import (
	"net/url"
	"strings"
	"testing"

	"storefront/internal/database"
	"storefront/internal/database/dbtest"
	"storefront/internal/testkit/pgserver"
	"storefront/internal/testkit/testdb"
)

func TestHostsOfAURL(t *testing.T) {
	for raw, want := range map[string]string{
		"postgres://u:p%2C@h/d":                    "postgres://u:p%2C@h/d",
		"postgres://u:p,q@h:1/d?a=b":               "postgres://u:p,q@h:1/d?a=b",
		"postgres://u:p@a,b:6/d":                   "postgres://u:p@/d?host=a%2Cb&port=5432%2C6",
		"postgres://a:1,b:2":                       "postgres://?host=a%2Cb&port=1%2C2",
		"postgres://[::1]:1,[fe80::2]/d?x=1":       "postgres:///d?x=1&host=%3A%3A1%2Cfe80%3A%3A2&port=1%2C5432",
		"postgres://a,b?sslmode=disable":           "postgres://?sslmode=disable&host=a%2Cb&port=5432%2C5432",
		"postgres://u@a,b/d?sslmode=disable#piece": "postgres://u@/d?sslmode=disable&host=a%2Cb&port=5432%2C5432#piece",
	} {
		if got, err := database.WithHosts(raw); err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", raw, got, err, want)
		}
	}
	for _, raw := range []string{"postgres://a,/d", "postgres://,a/d", "postgres://a:,b/d"} {
		if got, err := database.WithHosts(raw); err == nil {
			t.Errorf("%s is read as %s", raw, got)
		}
	}
}

// TestTheHostThatAnswersIsUsed names a dead host, a live one, and another dead one.
func TestTheHostThatAnswersIsUsed(t *testing.T) {
	p, through := testdb.Through(t, testdb.Postgres(t))
	const gone = "127.0.0.1:1" // no test server listens on this port
	u, err := url.Parse(through)
	if err != nil {
		t.Fatal(err)
	}
	db := dbtest.Open(t, dbtest.With(strings.Replace(through, u.Host, gone+","+u.Host+","+gone, 1),
		"pool_size=2"))
	onEach(t, db, 2, "SELECT $1::int")
	p.Become(pgserver.Reset)
	p.Become(pgserver.None)
	onEach(t, db, 2, "SELECT $1::int")
	p.Refuse()
	p.Become(pgserver.Reset)
	if _, err := dbtest.TryAsk[int](t.Context(), db.Driver(), "SELECT $1::int", 1); !database.IsUnavailable(err) {
		t.Errorf("without a host that answers: %v, want unavailable", err)
	}
}
