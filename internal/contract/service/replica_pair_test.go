package service_test

import (
	"database/sql"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
	"storefront/internal/pgserver"
	"storefront/internal/store/storetest"
)

// pair is a primary of PostgreSQL with a standby, which the tests of replicas share.
type pair struct {
	primary, standby *pgserver.Server
	control          *sql.DB // of the standby
	wal              *sql.DB // of the primary
}

const replicatedDatabase = "shop"

func newPair(t *testing.T) *pair {
	t.Helper()
	primary, err := pgserver.New(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { primary.Close() })
	p := &pair{primary: primary, wal: openSQL(t, primary.URL("postgres"))}
	if _, err := p.wal.Exec("CREATE DATABASE " + replicatedDatabase); err != nil {
		t.Fatal(err)
	}
	fill := shoptest.Importing(shoptest.ShopBundles)
	if err := storetest.Prepare(t.Context(), primary.URL(replicatedDatabase), fill); err != nil {
		t.Fatal(err)
	}
	if p.standby, err = primary.Standby(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.standby.Close() })
	p.control = openSQL(t, p.standby.URL("postgres"))
	return p
}

func openSQL(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// lag pauses the replay of the standby, or resumes it.
func (p *pair) lag(t *testing.T, lags bool) {
	t.Helper()
	do := "SELECT pg_wal_replay_resume()"
	if lags {
		do = "SELECT pg_wal_replay_pause()"
	}
	if _, err := p.control.Exec(do); err != nil {
		t.Fatal(err)
	}
}

// catchUp waits until the standby shows all that the primary has.
func (p *pair) catchUp(t *testing.T) {
	t.Helper()
	var position string
	if err := p.wal.QueryRow("SELECT pg_current_wal_flush_lsn()").Scan(&position); err != nil {
		t.Fatal(err)
	}
	p.until(t, "the standby has caught up", func() bool {
		var there bool
		err := p.control.QueryRow("SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn", position).Scan(&there)
		if err != nil {
			t.Fatal(err)
		}
		return there
	})
}

// until waits until is returns true.
func (p *pair) until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(promised); !is(); {
		if time.Now().After(end) {
			t.Fatalf("it did not come to this: %s", what)
		}
		<-time.After(time.Millisecond) // leaves the processors to what is waited for
	}
}
