package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"storefront/internal/customer/personal"
	"storefront/internal/database/store/storetest"
	"storefront/internal/fault"
)

// full is a Writer that always fails, like a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestWhatCannotBeShownFails checks that commands fail if their output is lost, and that a key that was not
// shown is revoked.
func TestWhatCannotBeShownFails(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		for _, args := range [][]string{
			{"migrate"}, {"tenant", "add", "own.example", "Own", "خودم"}, {"tenant", "list"},
			{"graphql", auditLog}, {"graphql", "-table", auditLog}, {"staff", "list", "own.example"},
			{"export", "own.example"}, {"partner", "list"}, {"version"}, {"schema"}, {"openapi"},
			{"partner", "add", "shop.example"}, {"help"},
		} {
			var stderr bytes.Buffer
			code := execute(t.Context(), args, s.program(full{}, &stderr))
			if code != 1 || !strings.Contains(stderr.String(), "no space left") {
				t.Errorf("%q: exit %d, %s", args, code, &stderr)
			}
			if args[0] == "partner" && args[1] == "add" && !strings.Contains(stderr.String(), "and is revoked") {
				t.Errorf("%q: %s", args, &stderr)
			}
		}
		rows := table(t, keyHeader, s.succeed(t, "partner", "list"))
		if len(rows) != 1 || rows[0][3] == "-" {
			t.Errorf("the key that was not shown: %q", rows)
		}
	})
}

// TestDemoSaysThatItsPasswordIsLost checks that the demo starts without a terminal, and logs that its
// password is lost.
func TestDemoSaysThatItsPasswordIsLost(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		var log bytes.Buffer
		opened := storetest.Open(t, database)
		logger := slog.New(slog.NewTextHandler(&log, nil))
		if err := loadDemo(t.Context(), opened, here, full{}, logger); err != nil {
			t.Error(err)
		}
		if !strings.Contains(log.String(), "its password is lost") {
			t.Errorf("logged %s", &log)
		}
	})
}

// TestDemoWithoutItsCustomer starts the demo again after its customer has closed the account.
func TestDemoWithoutItsCustomer(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := storetest.Open(t, database)
		for range 2 {
			if err := loadDemo(t.Context(), s, here, io.Discard, slog.Default()); err != nil {
				t.Fatal(err)
			}
			who, err := personal.ByCell(t.Context(), s.Client, "+989120000001")
			if err == nil {
				_, err = personal.Account(t.Context(), s.Client, who.ID)
			}
			if err != nil && !fault.Is(err, fault.NotFound) {
				t.Error(err)
			}
		}
	})
}

// TestExportIsForItsOwner exports over files that others may read, and checks that no other user can read the
// export.
func TestExportIsForItsOwner(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		s.succeed(t, "tenant", "add", "one.example", "One", "یک")
		for _, args := range [][]string{{"export", "one.example"}} {
			file := filepath.Join(t.TempDir(), "export.json")
			if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
				t.Fatal(err)
			}
			open, err := os.Open(file) // open before the export
			if err != nil {
				t.Fatal(err)
			}
			defer open.Close()
			s.succeed(t, append(args, "-o", file)...)
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 || info.Size() < 10 {
				t.Errorf("%q: %v, %v; want a file of mode 0600", args, info, err)
			}
			if read := readAll(t, open); read != "old" {
				t.Errorf("%q: who had opened the file before reads %q", args, read)
			}
		}
	})
}

// TestWriteWholeFollowsLinks checks that a link is followed: /dev/stdout is one, and must not become a file.
func TestWriteWholeFollowsLinks(t *testing.T) {
	folder := t.TempDir()
	file, link := filepath.Join(folder, "file"), filepath.Join(folder, "link")
	if err := errors.Join(os.WriteFile(file, []byte("old"), 0o600), os.Symlink(file, link)); err != nil {
		t.Fatal(err)
	}
	if err := writeWhole(link, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "new" {
		t.Errorf("the file has %q, %v", text, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
}

// TestImportFromAPipe imports a bundle from a pipe, and stops an import that waits for one.
func TestImportFromAPipe(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database, "TMPDIR", t.TempDir())
		text, err := os.ReadFile("../../examples/bundle/tea-house.json")
		if err != nil {
			t.Fatal(err)
		}
		command := s.process(t.Context(), "import", "/dev/stdin")
		command.Stdin = bytes.NewReader(text)
		code, out, stderr := ended(t, command)
		if code != 0 || !strings.Contains(out, "/dev/stdin: tea-house.example") {
			t.Errorf("exit %d, %s, %s", code, out, stderr)
		}
		if left, err := os.ReadDir(s["TMPDIR"]); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
		waiting, never, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer waiting.Close()
		defer never.Close()
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if _, _, err := opened(ctx, fmt.Sprintf("/dev/fd/%d", waiting.Fd())); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped while it waits for the pipe: got %v", err)
		}
	})
}

// here are the addresses of a service that nobody calls.
var here = demoAddresses{"http://x", "http://x", true}
