// Package child runs the processes that are measured, or made to crash, and sees to their end. It reads
// their times and memory from /proc and so needs Linux.
package child

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"storefront/internal/procfs"
)

const (
	startLimit = 20 * time.Second
	endLimit   = 5 * time.Second // from being told to end to being killed
)

// Server is a running server.
type Server struct {
	Addr string // host:port
	cmd  *exec.Cmd
	log  string
	done chan struct{}
	err  error // of the process, once done is closed
}

// command ends when ctx does.
func command(ctx context.Context, env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = endLimit
	return cmd
}

// Serve starts a server and waits until its log, JSON on standard error, has a record "listening" with its
// url.
func Serve(ctx context.Context, folder string, env []string, name string, args ...string) (*Server, error) {
	log, err := os.CreateTemp(folder, "log-*")
	if err != nil {
		return nil, err
	}
	defer log.Close()
	s := &Server{cmd: command(ctx, env, name, args...), log: log.Name(), done: make(chan struct{})}
	s.cmd.Stderr = log
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		s.err = s.cmd.Wait()
		close(s.done)
	}()
	if s.Addr, err = s.listening(ctx); err != nil {
		s.Stop()
		return nil, fmt.Errorf("start %s %s: %w", filepath.Base(name), strings.Join(args, " "), err)
	}
	return s, nil
}

// listening reads the log until it names the address.
func (s *Server) listening(ctx context.Context) (addr string, err error) {
	ctx, stop := context.WithTimeout(ctx, startLimit)
	defer stop()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		said, err := os.ReadFile(s.log)
		if err != nil {
			return "", err
		}
		for line := range bytes.Lines(said) {
			var record struct{ Msg, URL string }
			if json.Unmarshal(line, &record) == nil && record.Msg == "listening" {
				at, err := url.Parse(record.URL)
				if err != nil {
					return "", err
				}
				return at.Host, nil
			}
		}
		select {
		case <-s.done:
			return "", fmt.Errorf("it ended (%v) and said: %s", s.err, bytes.TrimSpace(said))
		case <-ctx.Done():
			return "", fmt.Errorf("it does not listen: %w", ctx.Err())
		case <-look.C:
		}
	}
}

// Log is what the server has written to its log since Forget, or since it began.
func (s *Server) Log() ([]byte, error) { return os.ReadFile(s.log) }

// Forget empties the server's log, which has a line for each request.
func (s *Server) Forget() error { return os.Truncate(s.log, 0) }

// Stop ends the server and waits for it.
func (s *Server) Stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.done:
	case <-time.After(endLimit):
		_ = s.cmd.Process.Kill()
		<-s.done
	}
}

// Kill ends the server at once, as a crash does, and waits until it is gone.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	<-s.done
}

// Spent is what a process that ran to its end took.
type Spent struct {
	Time, CPU time.Duration
	Peak      int64 // bytes of memory
}

// Run runs a process to its end.
func Run(ctx context.Context, env []string, name string, args ...string) (Spent, error) {
	cmd := command(ctx, env, name, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	start := time.Now()
	err := cmd.Start()
	var peak int64
	if err == nil {
		over, watched := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(watched)
			peak = watch(cmd.Process.Pid, over)
		}()
		err = cmd.Wait()
		close(over)
		<-watched
	}
	if err != nil {
		return Spent{}, fmt.Errorf("%s %s: %w: %s", filepath.Base(name), args[0], errors.Join(ctx.Err(), err),
			bytes.TrimSpace(said.Bytes()))
	}
	return Spent{
		Time: time.Since(start), CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), Peak: peak,
	}, nil
}

// watch returns the most memory that a process has had, looked at often until it is over. What the kernel
// says afterwards is at least what this process itself had when it started the other.
func watch(pid int, over <-chan struct{}) (peak int64) {
	for {
		if now, err := procfs.PeakMemory(pid); err == nil {
			peak = max(peak, now)
		}
		select {
		case <-over:
			return peak
		case <-time.After(10 * time.Millisecond):
		}
	}
}
