package main

import (
	"context"
	"database/sql"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"

	"storefront/internal/content/bundle"
	"storefront/internal/database/store/storetest"
	"storefront/internal/demo"
	"storefront/internal/record"
	"storefront/internal/testkit/testdb"
)

// TestServeListensFirst starts the service while its database cannot be used. It must answer that it is alive
// but not ready, and become ready with the database.
func TestServeListensFirst(t *testing.T) {
	eachEmpty(t, func(t *testing.T, database string) {
		database, comes := absent(t, database)
		ctx, stop := context.WithCancel(t.Context())
		running := launched(ctx, on(database, "DRAIN_TIME", "0s"))
		running.says(t, "starting")
		for path, want := range map[string]int{
			"/healthz": 200, "/readyz": 503, "/api/v1/cities": 503, "/graphql": 503, "/staff": 503, "/": 503,
			"/docs": 503, "/media/x": 503, "/nothing": 503, "/a//b": 404,
		} {
			if status, body := fetch(t, running.url+path); status != want {
				t.Errorf("%s: %d %s, want %d", path, status, body, want)
			}
		}
		comes()
		running.says(t, "listening")
		for _, path := range []string{"/healthz", "/readyz", "/api/v1/cities?level=country"} {
			if status, body := fetch(t, running.url+path); status != 200 {
				t.Errorf("%s: %d %s", path, status, body)
			}
		}
		stop()
		running.ends(t)
	})
}

// TestServeWithoutMigrating waits for another command to migrate.
func TestServeWithoutMigrating(t *testing.T) {
	eachEmpty(t, func(t *testing.T, database string) {
		ctx, stop := context.WithCancel(t.Context())
		s := on(database, "DRAIN_TIME", "0s")
		running := launched(ctx, s, "-no-migrate")
		running.says(t, "starting")
		address := running.url
		running.says(t, "the database cannot be used yet")
		healthy := on(database, "LISTEN_ADDR", strings.TrimPrefix(address, "http://"))
		healthy.succeed(t, "healthcheck")
		healthy.succeed(t, "migrate")
		running.says(t, "listening")
		if status, body := fetch(t, running.url+"/readyz"); status != 200 {
			t.Errorf("%d %s", status, body)
		}
		stop()
		running.ends(t)
		healthy.refuse(t, []string{"healthcheck"}, "refused")
	})
}

// TestServeStopsWhileItStarts ends a service that waits for its database.
func TestServeStopsWhileItStarts(t *testing.T) {
	eachEmpty(t, func(t *testing.T, database string) {
		database, _ = absent(t, database)
		ctx, stop := context.WithCancel(t.Context())
		running := launched(ctx, on(database, "DRAIN_TIME", "0s"))
		running.says(t, "starting")
		stop()
		running.ends(t)
	})
}

// absent returns a database that cannot be used until comes is called: its server does not run, or another
// process has locked its file.
func absent(t *testing.T, address string) (there string, comes func()) {
	t.Helper()
	if path, isFile := strings.CutPrefix(address, "sqlite://"); isFile {
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		tx, err := db.Begin()
		if err == nil {
			_, err = tx.Exec("CREATE TABLE locked (id int)")
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = tx.Rollback() })
		return address, func() { _ = tx.Rollback() }
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	server := u.Host
	u.Host = listener.Addr().String()
	open := make(chan struct{})
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			select {
			case <-open:
			default:
				client.Close()
				continue
			}
			back, err := net.Dial("tcp", server)
			if err != nil {
				client.Close()
				continue
			}
			go func() { _, _ = io.Copy(back, client); back.Close() }()
			go func() { _, _ = io.Copy(client, back); client.Close() }()
		}
	}()
	return u.String(), func() { close(open) }
}

// TestServeDemoByThreeAtOnce starts three servers on one empty database. One loads the demo, and all serve
// it. On SQLite only one server runs; the others are refused.
func TestServeDemoByThreeAtOnce(t *testing.T) {
	eachEmpty(t, func(t *testing.T, database string) {
		ctx, stop := context.WithCancel(t.Context())
		var all, running []*served
		for range 3 {
			all = append(all, launched(ctx, on(database, "DRAIN_TIME", "0s"), "--demo"))
		}
		for _, one := range all {
			if err := one.saysOrEnds(t, "listening"); err == nil {
				running = append(running, one)
			} else if !strings.Contains(err.Error(), "another server has") {
				t.Errorf("refused with %v", err)
			}
		}
		want := 3
		if strings.HasPrefix(database, "sqlite") {
			want = 1
		}
		if len(running) != want {
			t.Fatalf("%d servers run, want %d", len(running), want)
		}
		var before string
		for _, one := range running {
			if pages := visit(t, one.url); before != "" && pages != before {
				t.Errorf("got the pages %s, want those of the first: %s", pages, before)
			} else {
				before = pages
			}
		}
		stop()
		signIns := 0
		for _, one := range running {
			signIns += strings.Count(one.ends(t), "Sign in as")
		}
		if signIns != 1 {
			t.Errorf("%d printed how to sign in, want 1", signIns)
		}
	})
}

// TestServeDemoGoesOn starts after an interrupted load of the demo.
func TestServeDemoGoesOn(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := storetest.Open(t, database)
		for _, d := range demo.Bundles() {
			if _, err := bundle.Import(t.Context(), s, bundle.Bytes(d.Data), nil, bundle.StableIDs); err != nil {
				t.Fatal(err)
			}
		}
		ctx, stop := context.WithCancel(t.Context())
		running := serving(t, ctx, on(database, "DRAIN_TIME", "0s"), "--demo")
		stop()
		printed := printedJSON.FindStringSubmatch(running.ends(t))
		if printed == nil {
			t.Fatal("it did not print how to sign in")
		}
		ctx, stop = context.WithCancel(t.Context())
		again := serving(t, ctx, on(database, "DRAIN_TIME", "0s"), "--demo")
		signIn(t, again.url, printed[1]).looksAt(t, "paperlane.example", 11, string(record.PriceChanged))
		stop()
		again.ends(t)
	})
}

// TestDatabaseThatCannotHoldPersianIsNamed checks that on a PostgreSQL database with a wrong encoding or
// locale each command reports the fault and how to create the database. SQLite has only one encoding.
func TestDatabaseThatCannotHoldPersianIsNamed(t *testing.T) {
	t.Parallel()
	for text, words := range map[string][]string{
		"ENCODING 'LATIN1' LOCALE 'C'": {
			"its encoding is LATIN1", "CREATE DATABASE name TEMPLATE template0 ENCODING 'UTF8'",
		},
		"ENCODING 'SQL_ASCII' LOCALE 'C'": {"its encoding is SQL_ASCII", "CREATE DATABASE name"},
		"ENCODING 'UTF8' LOCALE 'C'":      {"does not know the letters of Persian", "LOCALE 'C.UTF-8'"},
	} {
		s := on(testdb.PostgresIn(t, text))
		for _, command := range [][]string{{"serve"}, {"migrate"}, {"tenant", "list"}} {
			s.refuse(t, command, words...)
		}
	}
}
