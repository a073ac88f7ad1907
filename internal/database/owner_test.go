//go:build unix

package database_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"storefront/internal/database"
	"storefront/internal/database/dbtest"
)

// TestAnotherUsersDatabase checks that nobody opens the database of another user, that root creates none in another
// user's folder, and that the error has the command that works.
func TestAnotherUsersDatabase(t *testing.T) {
	if os.Geteuid() != 0 { // only root can give files away, so this is a file of root's
		err := database.Check("sqlite:///etc/passwd")
		if err == nil || !strings.Contains(err.Error(), "/etc/passwd belongs to the user ") {
			t.Errorf("a file of root's: got %v", err)
		}
		return
	}
	give := func(path string, to int) {
		t.Helper()
		if err := os.Chown(path, to, to); err != nil {
			t.Fatal(err)
		}
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "shop.db")
	dbtest.Open(t, "sqlite://"+path).Close()
	for owner, want := range map[int]string{1: "runuser -u daemon -- storefront", 54321: "setpriv --reuid=54321"} {
		give(path, owner)
		for what, err := range map[string]error{"Check": database.Check("sqlite://" + path),
			"Open":  second(database.Open(t.Context(), "sqlite://"+path)),
			"Alone": second(database.Alone(t.Context(), "sqlite://"+path))} {
			if err == nil || !strings.Contains(err.Error(), path+" belongs to the user ") ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("%s of a database of %d: got %v, want %q", what, owner, err, want)
			}
		}
	}
	give(path, 0)
	give(folder, 1)
	if err := database.Check("sqlite://" + path); err != nil {
		t.Errorf("an own file in another's folder: %v", err)
	}
	err := database.Check("sqlite://" + folder + "/new.db")
	if err == nil || !strings.Contains(err.Error(), "runuser") {
		t.Errorf("a new file in another's folder: got %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
