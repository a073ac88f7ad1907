package database_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"storefront/internal/database"
	"storefront/internal/database/dbtest"
	"storefront/internal/testkit/testdb"
)

// TestLock checks that a lock has one holder; others wait until it is released or their context ends.
func TestLock(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db, err := database.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		unlock, err := db.Lock(t.Context(), "import", "shop.ir")
		if err != nil {
			t.Fatal(err)
		}
		hurried, stop := context.WithTimeout(t.Context(), 1)
		defer stop()
		if _, err := db.Lock(hurried, "import", "shop.ir"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("while it is held: %v", err)
		}
		got := make(chan error)
		go func() {
			unlock, err := db.Lock(t.Context(), "import", "shop.ir")
			if err == nil {
				unlock()
			}
			got <- err
		}()
		unlock()
		if err := <-got; err != nil {
			t.Errorf("once it is released: %v", err)
		}
	})
}

// TestTryLock checks that TryLock does not wait.
func TestTryLock(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		one, other := dbtest.Open(t, url), dbtest.Open(t, url)
		unlock, err := one.TryLock(t.Context(), "sweep", "")
		if err != nil || unlock == nil {
			t.Fatal("it is not taken:", err)
		}
		if again, err := other.TryLock(t.Context(), "sweep", ""); err != nil || again != nil {
			t.Errorf("while it is held: %v", err)
		}
		unlock()
		again, err := other.TryLock(t.Context(), "sweep", "")
		if err != nil || again == nil {
			t.Fatal("once it is released:", err)
		}
		again()
	})
}

// TestLockFiles checks that the file of a lock has no blank in its name, as scripts of operators trip over it.
func TestLockFiles(t *testing.T) {
	folder := t.TempDir()
	db := dbtest.Open(t, "sqlite://"+folder+"/shop.db")
	unlock, err := db.Lock(t.Context(), "overdue orders", "")
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if _, err := os.Stat(folder + "/shop.db-overdue-orders"); err != nil {
		t.Error(err)
	}
}

// BenchmarkLock takes and releases a lock of PostgreSQL again and again, as many small imports do.
func BenchmarkLock(b *testing.B) {
	db, err := database.Open(b.Context(), testdb.Postgres(b))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for b.Loop() {
		unlock, err := db.Lock(b.Context(), "import", "shop.ir")
		if err != nil {
			b.Fatal(err)
		}
		unlock()
	}
}
