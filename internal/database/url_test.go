package database_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"storefront/internal/database"
	"storefront/internal/database/dbtest"
	"storefront/internal/testkit/testdb"
)

func TestOpenSaysWhatToDo(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, []byte("no database, and long enough to be seen as none by its first bytes"),
		0o600); err != nil {
		t.Fatal(err)
	}
	const secret = "s3cr3t"
	for raw, words := range map[string]string{
		"":                                                  "sqlite:// or postgres://",
		"storefront.db":                                     "sqlite:// or postgres://",
		"mysql://u:" + secret + "@h/d":                      "sqlite:// or postgres://",
		"sqlite://":                                         "name a file",
		"sqlite://:memory:":                                 "name a file",
		"sqlite://" + folder:                                "is a folder",
		"sqlite://" + folder + "/no/file.db":                "does not exist: make it",
		"sqlite://" + file + "/file.db":                     "not a folder",
		"sqlite://" + file:                                  "not a database",
		"sqlite://a.db?cache=shared":                        `unknown parameter "cache"`,
		"sqlite://a.db?pool_size=0":                         "pool_size",
		"sqlite://a.db?pool_size=many":                      "pool_size",
		"sqlite://a.db?statement_cache=-1":                  "statement_cache",
		"sqlite://a.db?synchronous=off":                     "full or normal",
		"postgres://u:" + secret + "/x@h/d":                 "percent-encode",
		"postgres://u:" + secret + "%@h/d":                  "percent-encode",
		"postgres://u:" + secret + "@h:port/d":              "percent-encode",
		"postgres://u:" + secret + "@h/d?sslmode=" + secret: "sslmode",
	} {
		db, err := database.Open(t.Context(), raw)
		if err == nil {
			db.Close()
			t.Errorf("%q is opened", raw)
			continue
		}
		if !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %q, want the words %q and never the password", raw, err, words)
		}
	}
}

func TestWrongPasswordIsNotShown(t *testing.T) {
	u, err := url.Parse(testdb.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(u.User.Username(), "s3cr3t")
	if _, err = database.Open(t.Context(), u.String()); err == nil || strings.Contains(err.Error(), "s3cr3t") {
		t.Errorf("%v, want an error without the password", err)
	}
}

func TestPoolHoldsWhatTheURLSays(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, dbtest.With(url, "pool_size=3"))
		for range 3 {
			defer beginReadOnly(t, db).Rollback()
		}
		ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer stop()
		if _, err := dbtest.TryAsk[int](ctx, db.Driver(), "SELECT 1"); err == nil {
			t.Error("a fourth connection was there")
		}
	})
}

func TestCheckText(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		if db.Dialect == "postgres" {
			dbtest.Exec(t, db.Driver(), "CREATE EXTENSION pg_trgm")
		}
		if err := db.CheckText(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestCheckTextOfADatabaseWithoutPersian(t *testing.T) {
	u, err := url.Parse(testdb.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	admin := dbtest.Open(t, dbtest.With(u.String(), "pool_size=1"))
	name := strings.TrimPrefix(u.Path, "/") + "_ascii"
	dbtest.Exec(t, admin.Driver(), fmt.Sprintf("CREATE DATABASE %s TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'",
		name))
	t.Cleanup(func() {
		if err := dbtest.Try(context.Background(), admin.Driver(), fmt.Sprintf("DROP DATABASE %s WITH (FORCE)",
			name)); err != nil {
			t.Error(err)
		}
	})
	u.Path = "/" + name
	db := dbtest.Open(t, u.String())
	dbtest.Exec(t, db.Driver(), "CREATE EXTENSION pg_trgm")
	if err := db.CheckText(t.Context()); err == nil || !strings.Contains(err.Error(), "C.UTF-8") {
		t.Errorf("%v, want one that tells the locale to choose", err)
	}
}
