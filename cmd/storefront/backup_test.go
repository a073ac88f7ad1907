package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"storefront/internal/testkit/testdb"
)

// TestBackupAndRestore backs up a database while it is served and written, and restores it.
func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := on("sqlite://"+folder+"/shop.db", "DRAIN_TIME", "0s")
	s.succeed(t, "tenant", "add", "one.example", "One", "یک")
	ctx, stop := context.WithCancel(t.Context())
	running := serving(t, ctx, s)
	copied := folder + "/copy.db"
	out := s.succeed(t, "backup", copied)
	if !strings.Contains(out, "checked") || !strings.Contains(out, "copy.db.key") {
		t.Errorf("it printed %s", out)
	}
	for _, name := range []string{copied, copied + ".key"} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	s.refuse(t, []string{"backup", copied}, "there already")
	s.succeed(t, "tenant", "add", "two.example", "Two", "دو")
	s.refuse(t, []string{"restore", "-replace", copied}, "another server has")
	stop()
	running.ends(t)
	s.refuse(t, []string{"restore", copied}, "shop.db is there already", "-replace")
	s.refuse(t, []string{"restore", "-replace", write(t, "broken.db", "no database")}, "broken.db")
	s.refuse(t, []string{"restore", "-replace", folder + "/none.db"}, "none.db")
	s.succeed(t, "restore", "-replace", copied)
	list := s.succeed(t, "tenant", "list")
	if !strings.Contains(list, "one.example") || strings.Contains(list, "two.example") {
		t.Errorf("restored: %s", list)
	}
	elsewhere := on("sqlite://" + folder + "/other.db")
	elsewhere.succeed(t, "restore", copied)
	key, _ := os.ReadFile(copied + ".key")
	if other, err := os.ReadFile(folder + "/other.db.key"); err != nil || string(other) != string(key) {
		t.Errorf("the key did not come along: %v", err)
	}
}

// TestImagesAreOfTheirDatabase checks that a restored database takes an empty folder of images and says so, and that a
// server refuses the folder of another one.
func TestImagesAreOfTheirDatabase(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := on("sqlite://" + folder + "/shop.db")
	s.succeed(t, "migrate")
	s.succeed(t, "backup", folder+"/copy.db")
	restored := on("sqlite://"+folder+"/other.db", "MEDIA_DIR", folder+"/media")
	out := restored.succeed(t, "restore", folder+"/copy.db")
	id, err := os.ReadFile(folder + "/media/storefront-installation")
	if err != nil || len(id) == 0 || !strings.Contains(out, "storefront-installation") {
		t.Fatalf("got the mark %q, %v; it printed %s", id, err, out)
	}
	other := write(t, "storefront-installation", "another's")
	on("sqlite://"+folder+"/other.db", "MEDIA_DIR", filepath.Dir(other)).
		refuse(t, []string{"serve"}, "storefront-installation", "another's", string(id))
}

// TestKeysAreNotMixedUp checks that a signing key of another database next to a backup, or next to the
// restored file, is neither silently kept nor lost.
func TestKeysAreNotMixedUp(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, copied := folder+"/shop.db", folder+"/copy.db"
	s := on("sqlite://" + path)
	s.succeed(t, "migrate")
	const own, other = "own-key-own-key-own-key-own-key-own-key\n", "other-key-other-key-other-key-other-key\n"
	put := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(path, want string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v; want %q", path, got, err, want)
		}
	}
	put(copied+".key", other)
	s.refuse(t, []string{"backup", copied}, "copy.db.key is there already")
	if _, err := os.Stat(copied); err == nil {
		t.Error("a copy was made beside the key of another database")
	}
	put(path+".key", own)
	s.refuse(t, []string{"backup", copied}, "copy.db.key is there already")
	holds(copied+".key", other)
	put(copied+".key", own)
	s.succeed(t, "backup", copied) // the key of an earlier copy of the same database

	put(path+".key", other)
	if err := os.Rename(path, folder+"/gone.db"); err != nil {
		t.Fatal(err)
	}
	s.refuse(t, []string{"restore", copied}, "shop.db.key is there already", "-replace")
	holds(path+".key", other)
	out := s.succeed(t, "restore", "-replace", copied)
	holds(path+".key", own)
	kept := regexp.MustCompile(`(?m)^(\S+\.key): the signing key as it was`).FindStringSubmatch(out)
	if kept == nil {
		t.Fatalf("printed %s", out)
	}
	holds(kept[1], other)
	if err := os.Remove(copied + ".key"); err != nil {
		t.Fatal(err)
	}
	out = s.succeed(t, "restore", "-replace", copied)
	if !strings.Contains(out, "shop.db.key: the signing key, as it was") {
		t.Errorf("without a key in the copy it printed %s", out)
	}
	holds(path+".key", own)
	elsewhere := on("sqlite://" + folder + "/elsewhere.db")
	if out := elsewhere.succeed(t, "restore", copied); !strings.Contains(out, "no signing key came along") {
		t.Errorf("without any key it printed %s", out)
	}
}

// TestBackupIsForSQLite checks that the refusal on PostgreSQL says what to use instead.
func TestBackupIsForSQLite(t *testing.T) {
	t.Parallel()
	s := on(testdb.Postgres(t))
	s.refuse(t, []string{"backup", t.TempDir() + "/copy.db"}, "pg_dump")
	s.refuse(t, []string{"restore", t.TempDir() + "/copy.db"}, "pg_restore")
	on("sqlite://"+t.TempDir()+"/none.db").refuse(t, []string{"backup", t.TempDir() + "/copy.db"}, "no database")
	s.refuse(t, []string{"backup"}, "FILE")
	s.refuse(t, []string{"restore"}, "FILE")
}

// TestImportLeavesNoLog checks that after an import all data is in the database file itself.
func TestImportLeavesNoLog(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/shop.db"
	s := on("sqlite://"+path, "DRAIN_TIME", "0s")
	ctx, stop := context.WithCancel(t.Context())
	running := serving(t, ctx, s)
	s.succeed(t, "import", "../../internal/demo/paperlane.bundle.json.gz")
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() > 1<<20 {
		t.Errorf("the -wal has %d bytes (%v)", info.Size(), err)
	}
	stop()
	running.ends(t)
}

// TestMissingFolderIsNamed checks that the error names a missing folder, and not the key that would be in it.
func TestMissingFolderIsNamed(t *testing.T) {
	t.Parallel()
	on("sqlite://"+t.TempDir()+"/none/shop.db").refuse(t, []string{"serve"}, "DATABASE_URL", "does not exist")
}
