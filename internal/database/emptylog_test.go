package database_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/database"
)

// TestLogShrinks checks that the log, which grows beside a reader of former rows by all that is written, is small again
// after it.
func TestLogShrinks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "test.db")
	db, err := database.Open(t.Context(), "sqlite://"+file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	write := func(bytes int) int64 {
		t.Helper()
		if err := db.Driver().Exec(t.Context(), "INSERT INTO texts VALUES (randomblob($1))", []any{bytes},
			nil); err != nil {
			t.Fatal(err)
		}
		log, err := os.Stat(file + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return log.Size()
	}
	if err := db.Driver().Exec(t.Context(), "CREATE TABLE texts (text blob)", []any{}, nil); err != nil {
		t.Fatal(err)
	}
	write(1)
	rows := &entsql.Rows{}
	if err := db.Driver().Query(t.Context(), "SELECT text FROM texts", []any{}, rows); err != nil || !rows.Next() {
		t.Fatal(err)
	}
	for range 9 {
		write(8 << 20)
	}
	if size := write(1); size < 72<<20 {
		t.Errorf("beside a reader the log has %d bytes, want all that was written", size)
	}
	rows.Close()
	write(8 << 20) // moves all into the database
	write(1)       // begins the log again
	if size := write(1); size > 64<<20 {
		t.Errorf("after the reader the log has %d bytes, want at most 64 MiB", size)
	}
}

// TestDeletedTextsAreGone checks that deleted and replaced texts are in none of SQLite's files once the log
// is truncated.
func TestDeletedTextsAreGone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "test.db")
	db, err := database.Open(t.Context(), "sqlite://"+file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	run := func(text string, args ...any) {
		t.Helper()
		if err := db.Driver().Exec(t.Context(), text, args, nil); err != nil {
			t.Fatal(err)
		}
	}
	run("CREATE TABLE people (id integer PRIMARY KEY, name text, address text)")
	run("CREATE INDEX people_name ON people (name)")
	for i := range 200 {
		run("INSERT INTO people VALUES ($1, $2, $3)", i, fmt.Sprintf("Mahnaz %d", i),
			fmt.Sprintf("%0*d Shiraz", 1+i*20, i))
	}
	run("UPDATE people SET name = 'nobody', address = NULL WHERE id % 2 = 0")
	run("DELETE FROM people WHERE id % 2 = 1")

	rows := &entsql.Rows{} // open rows keep the log from being truncated
	if err := db.Driver().Query(t.Context(), "SELECT id FROM people", []any{}, rows); err != nil || !rows.Next() {
		t.Fatal(err)
	}
	short, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if done, err := database.EmptyLog(short, db.Driver()); done || err != nil {
		t.Errorf("emptied beside a reader: %v, %v", done, err)
	}
	rows.Close()
	if done, err := database.EmptyLog(t.Context(), db.Driver()); !done || err != nil {
		t.Errorf("emptied: %v, %v", done, err)
	}
	for _, name := range []string{file, file + "-wal", file + "-shm"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"Mahnaz", "Shiraz"} {
			if n := bytes.Count(text, []byte(word)); n > 0 {
				t.Errorf("%s has %q %d times", filepath.Base(name), word, n)
			}
		}
	}
}
