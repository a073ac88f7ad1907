package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"

	_ "github.com/lib/pq"  // registers "postgres"
	_ "modernc.org/sqlite" // registers "sqlite"
)

const (
	sqlite   = "sqlite"
	postgres = "postgres"
)

// place is a folder and an empty database.
type place struct {
	kind     string
	folder   string
	database string  // as DATABASE_URL takes it
	name     string  // PostgreSQL: of the database
	admin    *sql.DB // PostgreSQL: of the server
}

func newPlace(ctx context.Context, kind string) (p *place, err error) {
	p = &place{kind: kind}
	if p.folder, err = os.MkdirTemp("", "crash-*"); err != nil {
		return nil, err
	}
	if kind == sqlite {
		p.database = "sqlite://" + filepath.Join(p.folder, "shop.db")
		return p, nil
	}
	if err := p.create(ctx); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

func (p *place) create(ctx context.Context) error {
	server, err := url.Parse(os.Getenv("TEST_POSTGRES_URL"))
	if err != nil || server.Host == "" {
		return errors.New("TEST_POSTGRES_URL must name a PostgreSQL server: run make crash, or " +
			"scripts/with-postgres --durable go run ./cmd/crash")
	}
	if p.admin, err = sql.Open("postgres", server.String()); err != nil {
		return err
	}
	var id [4]byte
	rand.Read(id[:])
	p.name = "crash_" + hex.EncodeToString(id[:])
	if _, err := p.admin.ExecContext(ctx, "CREATE DATABASE "+p.name+" TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'"); err != nil {
		return fmt.Errorf("create %s: %w", p.name, err)
	}
	server.Path = "/" + p.name
	p.database = server.String()
	return nil
}

// close removes folder and database.
func (p *place) close() error {
	errs := []error{os.RemoveAll(p.folder)}
	if p.admin != nil {
		_, err := p.admin.Exec("DROP DATABASE IF EXISTS " + p.name + " WITH (FORCE)")
		errs = append(errs, err, p.admin.Close())
	}
	return errors.Join(errs...)
}

// databaseCrash is the program that makes the database's server crash and starts it again; it is empty
// where there is none.
func (p *place) databaseCrash() string {
	if p.kind == sqlite {
		return "" // it is part of the service
	}
	return os.Getenv("TEST_POSTGRES_CRASH")
}

// crashDatabase makes the database's server crash, and returns when it runs again.
func (p *place) crashDatabase(ctx context.Context) error {
	if said, err := exec.CommandContext(ctx, p.databaseCrash()).CombinedOutput(); err != nil {
		return fmt.Errorf("crash the database: %w: %s", err, said)
	}
	for { // connections from before are broken
		err := p.admin.PingContext(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
	}
}
