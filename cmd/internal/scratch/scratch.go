// Package scratch makes a folder and an empty database of each kind for commands that try the service out:
// the trials.
package scratch

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	_ "github.com/lib/pq"  // registers "postgres"
	_ "modernc.org/sqlite" // registers "sqlite"
)

// The kinds of databases.
const (
	SQLite   = "sqlite"
	Postgres = "postgres"
)

// Place is a folder and a database that is empty at first.
type Place struct {
	Kind     string
	Folder   string
	Database string  // as DATABASE_URL takes it
	Admin    *sql.DB // PostgreSQL: of the server
	name     string  // PostgreSQL: of the database
}

// New makes a place for a database of a kind. PostgreSQL's is made on the server that TEST_POSTGRES_URL names.
func New(ctx context.Context, kind string) (p *Place, err error) {
	p = &Place{Kind: kind}
	if p.Folder, err = os.MkdirTemp("", "scratch-*"); err != nil {
		return nil, err
	}
	if kind == SQLite {
		p.Database = "sqlite://" + filepath.Join(p.Folder, "shop.db")
		return p, nil
	}
	if err := p.create(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

func (p *Place) create(ctx context.Context) error {
	server, err := url.Parse(os.Getenv("TEST_POSTGRES_URL"))
	if err != nil || server.Host == "" {
		return errors.New("TEST_POSTGRES_URL must name a PostgreSQL server: run the command by its make target, " +
			"or by scripts/with-postgres")
	}
	if p.Admin, err = sql.Open("postgres", server.String()); err != nil {
		return err
	}
	var id [4]byte
	rand.Read(id[:])
	p.name = "scratch_" + hex.EncodeToString(id[:])
	if _, err := p.Admin.ExecContext(ctx, "CREATE DATABASE "+p.name+
		" TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'"); err != nil {
		return fmt.Errorf("create %s: %w", p.name, err)
	}
	server.Path = "/" + p.name
	p.Database = server.String()
	return nil
}

// Close removes folder and database.
func (p *Place) Close() error {
	errs := []error{os.RemoveAll(p.Folder)}
	if p.Admin != nil {
		_, err := p.Admin.Exec("DROP DATABASE IF EXISTS " + p.name + " WITH (FORCE)")
		errs = append(errs, err, p.Admin.Close())
	}
	return errors.Join(errs...)
}
