// makemigration writes what has changed in ent/schema as versioned SQL files, one for each kind of database:
//
//	scripts/with-postgres go run ./internal/database/makemigration NAME
//
// It replays the files that exist against empty databases, compares the outcome with the schema, and writes the
// difference to internal/database/versions/{sqlite3,postgres}/<time>_NAME.sql; on PostgreSQL each statement about
// an existing table gets a file of its own. Read the files before you commit them: a renamed column, for one, is
// seen as a dropped and a new one, and a test says what would hold customers up. It works in the module's root and
// needs TEST_POSTGRES_URL, where it makes a database for the time of its work.
//
// Until releases.json names a release it writes the one file of each kind, <time>_begin.sql, again and needs no NAME.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"entgo.io/ent/dialect"

	"storefront/internal/database/versions/releases"
)

const folder = "internal/database/versions"

func main() {
	if err := run(context.Background(), os.Args[1:], time.Now()); err != nil {
		fmt.Fprintln(os.Stderr, "makemigration:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, now time.Time) error {
	all, err := releases.Read(filepath.Join(folder, "releases.json"))
	if err != nil {
		return err
	}
	if len(all) > 0 && (len(args) != 1 || !regexp.MustCompile(`^[a-z0-9_]+$`).MatchString(args[0])) {
		return errors.New("name the change in lower-case letters, digits and underscores, as in: " +
			"makemigration order_notes")
	}
	for _, kind := range []string{dialect.SQLite, dialect.Postgres} {
		here, version := filepath.Join(folder, kind), now.UTC().Format(stamp)
		if len(all) > 0 {
			err = add(ctx, here, kind, version, args[0])
		} else {
			err = rewrite(ctx, here, kind, version)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
	}
	return nil
}

// add writes what has changed since the files that a folder has.
func add(ctx context.Context, folder, kind, version, change string) error {
	file, err := difference(ctx, kind, os.DirFS(folder), version, change)
	if err != nil {
		return err
	}
	if file == nil {
		fmt.Printf("%s: nothing has changed\n", kind)
		return nil
	}
	texts := []string{string(file.Bytes())}
	if kind == dialect.Postgres {
		texts = split(texts[0])
	}
	names, err := named(version, change, len(texts))
	if err != nil {
		return err
	}
	for i, text := range texts {
		path := filepath.Join(folder, names[i])
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
		fmt.Println(path)
	}
	return nil
}
