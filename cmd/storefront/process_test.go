package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestSecondServerOfAFileIsRefused checks that a second server on the same SQLite file, even by another name,
// is refused until the first one has ended, even by kill -9. Commands work beside a server.
func TestSecondServerOfAFileIsRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := on("sqlite://"+folder+"/shop.db", "DRAIN_TIME", "0s")
	first := start(t, s)
	linked := on("sqlite://" + folder + "/link.db")
	if err := os.Symlink(folder+"/shop.db", folder+"/link.db"); err != nil {
		t.Fatal(err)
	}
	s.refuse(t, []string{"serve"}, "another server has "+folder+"/shop.db")
	linked.refuse(t, []string{"serve"}, "another server has "+folder+"/shop.db")
	s.succeed(t, "tenant", "add", "one.example", "One", "یک")
	s.succeed(t, "backup", folder+"/copy.db")
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-first.rest
	_ = first.Wait() // killed
	start(t, s).ends(t)
	again, stop := context.WithCancel(t.Context())
	running := serving(t, again, s)
	stop()
	running.ends(t)
}

// TestSecondSignalEndsAtOnce stops a server that has a minute to drain, and then ends it.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	process, stderr := piped(t, on("sqlite://"+t.TempDir()+"/shop.db", "DRAIN_TIME", "1m"))
	log := bufio.NewScanner(stderr)
	listening(t, log)
	terminate(t, process)
	for log.Scan() && !strings.Contains(log.Text(), `"stopping"`) {
	}
	terminate(t, process)
	failed, ok := errors.AsType[*exec.ExitError](process.Wait())
	if !ok || failed.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
		t.Errorf("got %v, want the end by the second signal", failed)
	}
}

// TestServerOutlivesTheReaderOfItsLog closes the pipe with the log of a server, and checks that the server
// still answers and stops.
func TestServerOutlivesTheReaderOfItsLog(t *testing.T) {
	t.Parallel()
	process, stderr := piped(t, on("sqlite://"+t.TempDir()+"/shop.db", "DRAIN_TIME", "0s"))
	url := listening(t, bufio.NewScanner(stderr))
	if err := stderr.Close(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if status, body := fetch(t, url+"/nothing"); status != 404 {
			t.Errorf("%d %s", status, body)
		}
	}
	terminate(t, process)
	if err := process.Wait(); err != nil {
		t.Error(err)
	}
}

// piped starts a server whose log is read from a pipe.
func piped(t *testing.T, s settings) (process *exec.Cmd, stderr io.ReadCloser) {
	t.Helper()
	process = s.process(context.WithoutCancel(t.Context()), "serve")
	stderr, err := process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = process.Process.Kill() }) // which does nothing once it has ended
	return process, stderr
}

func terminate(t *testing.T, process *exec.Cmd) {
	t.Helper()
	if err := process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
}

// TestLogThatNobodyReads leaves the log of a server in its pipe, which is full after some hundred requests: all are
// answered, and the server stops.
func TestLogThatNobodyReads(t *testing.T) {
	t.Parallel()
	process, stderr := piped(t, on("sqlite://"+t.TempDir()+"/shop.db", "DRAIN_TIME", "0s"))
	url := listening(t, bufio.NewScanner(stderr))
	for n := range 1000 {
		if status, body := fetch(t, url+"/nothing?"); status != 404 {
			t.Fatalf("request %d: %d %s", n, status, body)
		}
	}
	terminate(t, process)
	if err := process.Wait(); err != nil {
		t.Error(err)
	}
}

// TestHangupIsIgnored sends SIGHUP to a server: it says why nothing happens, and serves on.
func TestHangupIsIgnored(t *testing.T) {
	t.Parallel()
	process, stderr := piped(t, on("sqlite://"+t.TempDir()+"/shop.db", "DRAIN_TIME", "0s"))
	log := bufio.NewScanner(stderr)
	url := listening(t, log)
	if err := process.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	for log.Scan() && !strings.Contains(log.Text(), "SIGHUP is ignored") {
	}
	if status, body := fetch(t, url+"/nothing"); status != 404 {
		t.Errorf("got %d %s", status, body)
	}
	terminate(t, process)
	if err := process.Wait(); err != nil {
		t.Error(err)
	}
}
