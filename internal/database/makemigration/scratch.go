package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	_ "github.com/lib/pq"  // registers "postgres"
	_ "modernc.org/sqlite" // registers "sqlite"
)

// scratch returns an empty database for one comparison.
func scratch(ctx context.Context, dialectName string) (_ dialect.Driver, discard func(), _ error) {
	if dialectName == dialect.SQLite {
		db, err := sql.Open("sqlite", "file:makemigration?mode=memory&_pragma=foreign_keys(1)")
		if err != nil {
			return nil, nil, err
		}
		db.SetMaxOpenConns(1) // each connection would have a database of its own in memory
		return entsql.OpenDB(dialectName, db), func() { db.Close() }, nil
	}
	return scratchPostgres(ctx)
}

func scratchPostgres(ctx context.Context) (_ dialect.Driver, discard func(), _ error) {
	address, err := url.Parse(os.Getenv("TEST_POSTGRES_URL"))
	if err != nil || address.Host == "" {
		return nil, nil, errors.New("TEST_POSTGRES_URL must name a server: run this by scripts/with-postgres")
	}
	server, err := sql.Open("postgres", address.String())
	if err != nil {
		return nil, nil, err
	}
	name := "makemigration_" + rand.Text()
	text := fmt.Sprintf(`CREATE DATABASE %q TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`, name)
	if _, err := server.ExecContext(ctx, text); err != nil {
		server.Close()
		return nil, nil, fmt.Errorf("make a database to work in: %w", err)
	}
	address.Path = "/" + name
	db, err := sql.Open("postgres", address.String())
	discard = func() {
		if db != nil {
			db.Close()
		}
		if _, err := server.ExecContext(ctx, fmt.Sprintf(`DROP DATABASE %q WITH (FORCE)`, name)); err != nil {
			fmt.Fprintln(os.Stderr, "makemigration: drop the database that was worked in:", err)
		}
		server.Close()
	}
	if err != nil {
		discard()
		return nil, nil, err
	}
	return entsql.OpenDB(dialect.Postgres, db), discard, nil
}
