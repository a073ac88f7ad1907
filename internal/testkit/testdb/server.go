package testdb

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	_ "github.com/lib/pq" // registers "postgres"
)

// server is the PostgreSQL server of this run. Its databases are called testdb_<run>_<number>.
type server struct {
	url   *url.URL
	run   string // eight hexadecimal digits
	made  atomic.Int64
	admin *sql.DB
	copy  string // the option of CREATE DATABASE that copies a template fastest
}

// connect reaches the server once for the whole test binary.
var connect = sync.OnceValues(func() (*server, error) {
	given := os.Getenv("TEST_POSTGRES_URL")
	if given == "" {
		return nil, errors.New("TEST_POSTGRES_URL is not set: run the tests by `make test`, or one command by " +
			"`scripts/with-postgres go test ./...`")
	}
	address, err := url.Parse(given)
	if err != nil {
		return nil, errors.New("TEST_POSTGRES_URL is not a URL") // the cause would show its password
	}
	var id [4]byte
	rand.Read(id[:])
	s := &server{url: address, run: hex.EncodeToString(id[:])}
	if s.admin, err = sql.Open("postgres", s.named("", "testdb-"+s.run)); err != nil {
		return nil, fmt.Errorf("open the server of TEST_POSTGRES_URL: %w", err)
	}
	if err := s.sweep(context.Background()); err != nil {
		return nil, err
	}
	var version int
	if err := s.admin.QueryRow("SELECT current_setting('server_version_num')::int").Scan(&version); err != nil {
		return nil, fmt.Errorf("ask the server of TEST_POSTGRES_URL for its version: %w", err)
	}
	if version >= 150000 { // older ones know no other way
		s.copy = " STRATEGY file_copy" // writing every page to the log costs ten times as much
	}
	return s, nil
})

func onServer(t testing.TB) *server {
	t.Helper()
	s, err := connect()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// named returns the server's URL for a database; if name is empty, for the database of TEST_POSTGRES_URL.
func (s *server) named(name, application string) string {
	u := *s.url
	if name != "" {
		u.Path = "/" + name
	}
	if application != "" {
		q := u.Query()
		q.Set("application_name", application)
		u.RawQuery = q.Encode()
	}
	return u.String()
}

// sweep drops what earlier runs left: their templates, and all databases of a run that was killed. A run
// lives as long as its first connection, which is therefore never returned.
func (s *server) sweep(ctx context.Context) error {
	alive, err := s.admin.Conn(ctx)
	if err != nil {
		return fmt.Errorf("reach the server of TEST_POSTGRES_URL: %w", err)
	}
	rows, err := alive.QueryContext(ctx, `SELECT d.datname FROM pg_database d
		WHERE d.datname ~ '^testdb_[0-9a-f]{8}_' AND NOT EXISTS (
		SELECT FROM pg_stat_activity a WHERE a.application_name = 'testdb-' || split_part(d.datname, '_', 2))`)
	if err != nil {
		return fmt.Errorf("look for databases of earlier runs: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		_ = s.drop(ctx, name) // another run may be sweeping too
	}
	return rows.Err()
}

// create makes a database as a copy of template and returns its URL.
func (s *server) create(t testing.TB, template string) string {
	t.Helper()
	return s.createIn(t, template, "ENCODING 'UTF8' LOCALE 'C.UTF-8'")
}

func (s *server) createIn(t testing.TB, template, text string) string {
	t.Helper()
	name, err := s.makeIn(context.Background(), template, text)
	if err != nil {
		t.Fatal(err)
	}
	tests.Store(name, t.Name())
	t.Cleanup(func() {
		if err := s.drop(context.Background(), name); err != nil {
			t.Error(err)
		}
	})
	return behindPooler(s.named(name, ""))
}

// behindPooler returns the URL of a database by way of the pooler of TEST_POSTGRES_POOLER (scripts/with-pgbouncer), if
// there is one.
func behindPooler(address string) string {
	u, err := url.Parse(address)
	if pooler := os.Getenv("TEST_POSTGRES_POOLER"); err == nil && pooler != "" {
		u.Host = pooler
		return u.String()
	}
	return address
}

func (s *server) make(ctx context.Context, template string) (name string, err error) {
	return s.makeIn(ctx, template, "ENCODING 'UTF8' LOCALE 'C.UTF-8'")
}

// makeIn makes a database whose encoding and locale are said by text.
func (s *server) makeIn(ctx context.Context, template, text string) (name string, err error) {
	name = fmt.Sprintf("testdb_%s_%d", s.run, s.made.Add(1))
	_, err = s.admin.ExecContext(ctx, "CREATE DATABASE "+name+" TEMPLATE "+template+" "+text+s.copy)
	if err != nil {
		return "", fmt.Errorf("create a test database from %s: %w", template, err)
	}
	return name, nil
}

func (s *server) drop(ctx context.Context, name string) error {
	if _, err := s.admin.ExecContext(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
		return fmt.Errorf("drop the test database %s: %w", name, err)
	}
	return nil
}
