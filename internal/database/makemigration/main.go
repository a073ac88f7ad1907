// makemigration writes what has changed in ent/schema as versioned SQL files, one for each kind of database:
//
//	scripts/with-postgres go run ./internal/database/makemigration NAME
//
// It replays the files that exist against empty databases, compares the outcome with the schema, and writes the
// difference to internal/database/versions/{sqlite3,postgres}/<time>_NAME.sql; on PostgreSQL each statement about
// an existing table gets a file of its own. Read the files before you commit them: a renamed column, for one, is
// seen as a dropped and a new one, and a test says what would hold customers up. It works in the module's root and
// needs TEST_POSTGRES_URL, where it makes a database for the time of its work.
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
)

const folder = "internal/database/versions"

func main() {
	if err := run(context.Background(), os.Args[1:], time.Now()); err != nil {
		fmt.Fprintln(os.Stderr, "makemigration:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, now time.Time) error {
	if len(args) != 1 || !regexp.MustCompile(`^[a-z0-9_]+$`).MatchString(args[0]) {
		return errors.New("name the change in lower-case letters, digits and underscores, as in: " +
			"makemigration order_notes")
	}
	version := now.UTC().Format(stamp)
	for _, name := range []string{dialect.SQLite, dialect.Postgres} {
		here := filepath.Join(folder, name)
		file, err := difference(ctx, name, os.DirFS(here), version, args[0])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if file == nil {
			fmt.Printf("%s: nothing has changed\n", name)
			continue
		}
		texts := []string{string(file.Bytes())}
		if name == dialect.Postgres {
			texts = split(texts[0])
		}
		names, err := named(version, args[0], len(texts))
		if err != nil {
			return err
		}
		for i, text := range texts {
			path := filepath.Join(here, names[i])
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				return err
			}
			fmt.Println(path)
		}
	}
	return nil
}
