package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// shopsOf are the domains that `tenant list` shows.
func shopsOf(t *testing.T, s settings) (domains []string) {
	t.Helper()
	for line := range strings.Lines(s.succeed(t, "tenant", "list")) {
		if name, _, _ := strings.Cut(line, " "); strings.HasSuffix(name, ".example") {
			domains = append(domains, name)
		}
	}
	slices.Sort(domains)
	return domains
}

// killed makes a database with one shop, a copy of it, and a second shop that is only in the log, since the server
// was killed.
func killed(t *testing.T) (folder string, s settings) {
	t.Helper()
	folder = t.TempDir()
	s = on("sqlite://"+folder+"/shop.db", "DRAIN_TIME", "0s")
	server := start(t, s)
	s.succeed(t, "tenant", "add", "one.example", "One", "یک")
	s.succeed(t, "backup", folder+"/copy.db")
	s.succeed(t, "tenant", "add", "two.example", "Two", "دو")
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-server.rest
	_ = server.Wait() // killed
	if info, err := os.Stat(folder + "/shop.db-wal"); err != nil || info.Size() == 0 {
		t.Fatalf("there is no log: %v, %v", info, err)
	}
	return folder, s
}

func move(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// TestRestoreBesideALog restores where the database was taken away without its log, and over one that has a log.
func TestRestoreBesideALog(t *testing.T) {
	t.Parallel()
	folder, s := killed(t)
	move(t, folder+"/shop.db", folder+"/old.db")
	s.refuse(t, []string{"restore", folder + "/copy.db"}, "shop.db-wal is there already", "-replace")
	s.refuse(t, []string{"serve"}, "shop.db is missing, but ", "-wal")
	s.succeed(t, "restore", "-replace", folder+"/copy.db")
	if got := shopsOf(t, s); !slices.Equal(got, []string{"one.example"}) {
		t.Errorf("restored: %v", got)
	}
	start(t, s).ends(t)
	kept, _ := filepath.Glob(folder + "/shop.db.20*-wal")
	if len(kept) != 1 {
		t.Fatalf("got %v, want the log that was there under another name", kept)
	}
	whole := on("sqlite://" + folder + "/old.db")
	move(t, kept[0], folder+"/old.db-wal")
	if got := shopsOf(t, whole); !slices.Equal(got, []string{"one.example", "two.example"}) {
		t.Errorf("the old file with its log: %v", got)
	}

	folder, s = killed(t)
	s.succeed(t, "restore", "-replace", folder+"/copy.db")
	if got := shopsOf(t, s); !slices.Equal(got, []string{"one.example"}) {
		t.Errorf("restored over a log: %v", got)
	}
	kept, _ = filepath.Glob(folder + "/shop.db.20*")
	if len(kept) != 1 {
		t.Fatalf("kept: %v", kept)
	}
	s.succeed(t, "restore", "-replace", kept[0])
	if got := shopsOf(t, s); !slices.Equal(got, []string{"one.example", "two.example"}) {
		t.Errorf("what was kept: %v", got)
	}
}

// TestRestoreOfADamagedDatabase replaces one whose first page is gone, and keeps it with its log.
func TestRestoreOfADamagedDatabase(t *testing.T) {
	t.Parallel()
	folder, s := killed(t)
	file, err := os.OpenFile(folder+"/shop.db", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt(make([]byte, 4096), 0); err != nil {
		t.Fatal(err)
	}
	file.Close()
	s.succeed(t, "restore", "-replace", folder+"/copy.db")
	if got := shopsOf(t, s); !slices.Equal(got, []string{"one.example"}) {
		t.Errorf("restored: %v", got)
	}
	start(t, s).ends(t)
}

// TestCopiesHaveNoLog refuses to restore a file whose log beside it has more, and to write a copy beside a log.
func TestCopiesHaveNoLog(t *testing.T) {
	t.Parallel()
	folder, s := killed(t)
	elsewhere := on("sqlite://" + folder + "/new.db")
	elsewhere.refuse(t, []string{"restore", folder + "/shop.db"}, "shop.db-wal may hold changes", "storefront backup")
	s.succeed(t, "backup", folder+"/whole.db")
	elsewhere.succeed(t, "restore", folder+"/whole.db")
	if got := shopsOf(t, elsewhere); !slices.Equal(got, []string{"one.example", "two.example"}) {
		t.Errorf("restored: %v", got)
	}
	if err := os.WriteFile(folder+"/next.db-wal", []byte("of another database"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.refuse(t, []string{"backup", folder + "/next.db"}, "next.db-wal is there")
}

// atOnce runs processes of a command at once, kills the first ones after a time each, and returns how many succeeded.
func atOnce(t *testing.T, s settings, processes int, kill []time.Duration, args ...string) (succeeded int) {
	t.Helper()
	var wait sync.WaitGroup
	codes := make([]int, processes)
	for i := range processes {
		command := s.process(t.Context(), args...)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		if i < len(kill) {
			time.AfterFunc(kill[i], func() { _ = command.Process.Kill() })
		}
		wait.Go(func() {
			_ = command.Wait()
			codes[i] = command.ProcessState.ExitCode()
		})
	}
	wait.Wait()
	for _, code := range codes {
		if code == 0 {
			succeeded++
		}
	}
	return succeeded
}

func milliseconds(n ...int) (times []time.Duration) {
	for _, one := range n {
		times = append(times, time.Duration(one)*time.Millisecond)
	}
	return times
}

// TestBackupsAtOnce makes backups to one name at once, some of them killed: one of the others makes it, whole and
// with its key.
func TestBackupsAtOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := on("sqlite://" + folder + "/shop.db")
	s.succeed(t, "tenant", "add", "one.example", "One", "یک")
	if err := os.WriteFile(folder+"/shop.db.key", []byte(strings.Repeat("0123", 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	for round := range 4 {
		copied := fmt.Sprintf("%s/copy%d.db", folder, round)
		kill := milliseconds(20+20*round, 30+30*round)
		if n := atOnce(t, s, 4, kill, "backup", copied); n > 1 || n == 0 && !isThere(copied) {
			t.Fatalf("%d of 4 backups to one name succeeded", n)
		}
		other := on(fmt.Sprintf("sqlite://%s/other%d.db", folder, round))
		other.succeed(t, "restore", copied)
		if got := shopsOf(t, other); len(got) != 1 || !isThere(copied+".key") {
			t.Errorf("round %d: the copy has the shops %v, its key %v", round, got, isThere(copied+".key"))
		}
	}
}

// TestRestoresAtOnce restores a copy several times at once, some of them killed: the database is always there, whole.
func TestRestoresAtOnce(t *testing.T) {
	t.Parallel()
	folder, s := killed(t)
	for round := range 4 {
		kill := milliseconds(20+15*round, 30+30*round)
		n := atOnce(t, s, 3, kill, "restore", "-replace", folder+"/copy.db")
		if !isThere(folder + "/shop.db") {
			t.Fatalf("round %d: %d succeeded, and no database is there", round, n)
		}
		start(t, s).ends(t)
		if got := shopsOf(t, s); len(got) == 0 || len(got) == 2 && n > 0 {
			t.Errorf("round %d: %d succeeded, the shops are %v", round, n, got)
		}
	}
	s.succeed(t, "restore", "-replace", folder+"/copy.db")
	if left, _ := filepath.Glob(folder + "/*.restoring*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestNoEmptyDatabaseInPlaceOfOne checks that no command begins a database where others show that one was there, nor
// while a restore runs.
func TestNoEmptyDatabaseInPlaceOfOne(t *testing.T) {
	t.Parallel()
	for _, left := range []string{"shop.db.key", "shop.db.restoring", "shop.db.key.restoring",
		"shop.db.20261129T033020.974Z", "shop.db-wal"} {
		folder := t.TempDir()
		s := on("sqlite://" + folder + "/shop.db")
		if err := os.WriteFile(folder+"/"+left, []byte(strings.Repeat("0123", 10)), 0o600); err != nil {
			t.Fatal(err)
		}
		s.refuse(t, []string{"serve"}, left)
		s.refuse(t, []string{"migrate"}, left)
		if isThere(folder + "/shop.db") {
			t.Errorf("beside %s a database was made", left)
		}
	}
	folder := t.TempDir()
	s := on("sqlite://"+folder+"/shop.db", "DRAIN_TIME", "0s")
	s.succeed(t, "migrate")
	if err := os.WriteFile(folder+"/shop.db.restoring", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.refuse(t, []string{"tenant", "list"}, "restore")
	start(t, s).ends(t) // none is running
	s.succeed(t, "tenant", "list")
}
