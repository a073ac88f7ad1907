//go:build unix

package database_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"storefront/internal/database"
	"storefront/internal/database/dbtest"
)

// TestSQLiteFilesArePrivate checks the modes of the file and of those beside it, which hold customers' names
// and addresses.
func TestSQLiteFilesArePrivate(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0)) // the most permissive umask
	path := filepath.Join(t.TempDir(), "shop.db")
	files := []string{path, path + "-wal", path + "-shm", path + "-import"}
	check := func(when string) {
		t.Helper()
		for _, file := range files {
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			if mode := info.Mode().Perm(); mode != 0o600 {
				t.Errorf("%s: %s has mode %o", when, filepath.Base(file), mode)
			}
		}
	}
	open := func() *database.DB {
		t.Helper()
		db, err := database.Open(t.Context(), "sqlite://"+path)
		if err != nil {
			t.Fatal(err)
		}
		unlock, err := db.Lock(t.Context(), "import", "")
		if err != nil {
			t.Fatal(err)
		}
		unlock()
		return db
	}
	db := open()
	defer db.Close()
	dbtest.Exec(t, db.Driver(), "CREATE TABLE t (a integer)")
	check("new")

	for _, file := range files {
		if err := os.Chmod(file, 0o644); err != nil { // as an earlier version left them
			t.Fatal(err)
		}
	}
	again := open()
	defer again.Close()
	check("found")
}
