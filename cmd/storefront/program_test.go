package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"storefront/internal/database/store/storetest"
	"storefront/internal/testkit/testdb"
	"storefront/internal/testkit/testdb/isolation"
)

// beProgram makes the test binary behave as the program, so that tests can start real processes.
const beProgram = "STOREFRONT_TEST_RUNS_PROGRAM"

// TestMain refuses statements on a shop's tables that do not name the shop.
func TestMain(m *testing.M) {
	if os.Getenv(beProgram) != "" {
		main()
		return
	}
	isolation.Main(m, "cmd/storefront")
}

// settings are the environment of a command.
type settings map[string]string

// on returns the settings for a database, followed by further ones given as pairs of name and value.
func on(databaseURL string, more ...string) settings {
	s := settings{"DATABASE_URL": databaseURL, "LISTEN_ADDR": "127.0.0.1:0"}
	if strings.HasPrefix(databaseURL, "postgres://") {
		s["TOKEN_SIGNING_KEY"] = strings.Repeat("k", 32)
	}
	for i := 0; i < len(more); i += 2 {
		s[more[i]] = more[i+1]
	}
	return s
}

func (s settings) get(name string) string { return s[name] }

func (s settings) environ() (all []string) {
	for name, value := range s {
		all = append(all, name+"="+value)
	}
	return all
}

// program returns a program with these settings.
func (s settings) program(stdout, stderr io.Writer) program {
	return program{getenv: s.get, environ: s.environ, stdout: stdout, stderr: stderr}
}

// run executes a command inside the test and returns what it printed.
func (s settings) run(t testing.TB, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errors bytes.Buffer
	err = run(t.Context(), args, s.program(&out, &errors))
	return out.String(), errors.String(), err
}

// succeed executes a command that must not fail and returns what it printed.
func (s settings) succeed(t testing.TB, args ...string) string {
	t.Helper()
	out, _, err := s.run(t, args...)
	if err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return out
}

// refuse executes a command that must fail with these words in its message.
func (s settings) refuse(t testing.TB, args []string, words ...string) {
	t.Helper()
	out, _, err := s.run(t, args...)
	if err == nil {
		t.Errorf("%q succeeded: %s", args, out)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q: got the error %v, want it to contain %q", args, err, word)
		}
	}
}

// process prepares a command that runs in its own process.
func (s settings) process(ctx context.Context, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, os.Args[0], args...)
	command.Env = append(os.Environ(), beProgram+"=yes")
	for _, name := range []string{"TOKEN_SIGNING_KEY", "METRICS_ADDR"} { // not the test's own
		command.Env = append(command.Env, name+"=")
	}
	for name, value := range s {
		command.Env = append(command.Env, name+"="+value)
	}
	return command
}

// ended runs a process to its end and returns its exit code and what it wrote.
func ended(t testing.TB, command *exec.Cmd) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	err := command.Run()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return failed.ExitCode(), out.String(), errs.String()
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0, out.String(), errs.String()
}

// eachEmpty runs f with an empty database of each kind, for tests of the first start and of migrating.
func eachEmpty(t *testing.T, f func(t *testing.T, url string)) {
	t.Parallel()
	testdb.Each(t, f)
}

// eachMigrated runs f with a database of each kind that has all tables and no shop.
func eachMigrated(t *testing.T, f func(t *testing.T, url string)) {
	t.Parallel()
	storetest.Migrated.Each(t, f)
}

// write creates a file in a directory of the test.
func write(t testing.TB, name, text string) (path string) {
	t.Helper()
	path = t.TempDir() + "/" + name
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// readAll reads an answer to its end.
func readAll(t testing.TB, from io.ReadCloser) string {
	t.Helper()
	defer from.Close()
	text, err := io.ReadAll(from)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}
