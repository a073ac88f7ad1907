package config

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func sqliteIn(dir string) Config {
	return Config{DatabaseURL: "sqlite://" + filepath.Join(dir, "shop.db")}
}

func TestSigningKeyOfTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	c := sqliteIn(dir)
	c.SigningKey = key32
	if key, err := SigningKey(c); err != nil || string(key) != key32 {
		t.Errorf("got the key %q, %v; want %q", key, err, key32)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("made %v", left)
	}
	if _, err := SigningKey(Config{DatabaseURL: "postgres://db/shop"}); err == nil {
		t.Error("PostgreSQL had a key made")
	}
}

// TestSigningKeyIsMadeOnce makes a key many times at once: all callers get the same key, which stays.
func TestSigningKeyIsMadeOnce(t *testing.T) {
	dir := t.TempDir()
	keys := make(chan []byte)
	for range 20 {
		go func() {
			key, err := SigningKey(sqliteIn(dir))
			if err != nil {
				t.Error(err)
			}
			keys <- key
		}()
	}
	first := <-keys
	for range 19 {
		if key := <-keys; !bytes.Equal(key, first) {
			t.Errorf("got two keys, of %d and %d bytes, want one", len(key), len(first))
		}
	}
	again, err := SigningKey(sqliteIn(dir))
	if err != nil || !bytes.Equal(again, first) || len(first) < minKey {
		t.Errorf("later: %d bytes, %v", len(again), err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 || left[0].Name() != "shop.db.key" {
		t.Fatalf("left in the directory: %v, %v", left, err)
	}
	info, err := left[0].Info()
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v", info, err)
	}
	other, err := SigningKey(sqliteIn(t.TempDir()))
	if err != nil || bytes.Equal(other, first) {
		t.Errorf("two databases have one key, %v", err)
	}
}

func TestSigningKeyIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		mode os.FileMode
		want string
	}{
		"open to the group": {key32, 0o640, "chmod 600"},
		"open to all":       {key32, 0o604, "chmod 600"},
		"short":             {"too short", 0o600, "has 9 bytes and needs 32"},
		"empty":             {"", 0o600, "has 0 bytes and needs 32"},
		"white":             {strings.Repeat("\n", 100), 0o600, "has 0 bytes and needs 32"},
	} {
		config := sqliteIn(t.TempDir())
		database, _ := config.SQLiteFile()
		if err := os.WriteFile(database+".key", []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(database+".key", c.mode); err != nil {
			t.Fatal(err)
		}
		if key, err := SigningKey(config); err == nil || !strings.Contains(err.Error(), c.want) || key != nil {
			t.Errorf("%s: %q, %v", name, key, err)
		}
		if kept, _ := os.ReadFile(database + ".key"); string(kept) != c.text {
			t.Errorf("%s: the file was changed", name)
		}
	}
	if _, err := SigningKey(sqliteIn(filepath.Join(t.TempDir(), "missing"))); err == nil ||
		!strings.Contains(err.Error(), "DATABASE_URL") {
		t.Errorf("in a directory that is not there: %v", err)
	}
}

func TestSigningKeyOfTheOperator(t *testing.T) {
	c := sqliteIn(t.TempDir())
	database, _ := c.SQLiteFile()
	if err := os.WriteFile(database+".key", []byte(key32+"\n"), 0o400); err != nil {
		t.Fatal(err)
	}
	if key, err := SigningKey(c); err != nil || string(key) != key32 {
		t.Errorf("got the key %q, %v; want %q", key, err, key32)
	}
}
