package stage

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
	"syscall"
	"time"

	"storefront/internal/procfs"
)

const (
	startLimit = 20 * time.Second
	endLimit   = 5 * time.Second // from being told to end to being killed
)

// Process is a program that runs beside the trial.
type Process struct {
	cmd  *exec.Cmd
	log  string
	done chan struct{}
	err  error // of the process, once done is closed
}

// Server is a running server.
type Server struct {
	*Process
	Addr string // host:port
}

// command ends when ctx does.
func command(ctx context.Context, env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = endLimit
	return cmd
}

// Start starts a program beside the trial. What it says on standard error is its log.
func Start(folder string, cmd *exec.Cmd) (*Process, error) {
	log, err := os.CreateTemp(folder, "log-*")
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p := &Process{cmd: cmd, log: log.Name(), done: make(chan struct{})}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// Ready waits until the program is ready, which is given its log. Where it ends before or takes too long it is stopped.
func (p *Process) Ready(
	ctx context.Context, limit time.Duration, ready func(ctx context.Context, said []byte) bool,
) error {
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	for {
		said, err := p.Log()
		if err == nil && ready(ctx, said) {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("%s ended (%v) and said: %s", filepath.Base(p.cmd.Path), p.err, bytes.TrimSpace(said))
		case <-ctx.Done():
			p.Stop()
			return fmt.Errorf("%s is not ready: %w: %s", filepath.Base(p.cmd.Path), errors.Join(err, ctx.Err()),
				bytes.TrimSpace(said))
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Serve starts a server and waits until its log, JSON on standard error, has a record "listening" with its url.
func Serve(ctx context.Context, folder string, env []string, name string, args ...string) (*Server, error) {
	p, err := Start(folder, command(ctx, env, name, args...))
	if err != nil {
		return nil, err
	}
	s := &Server{Process: p}
	return s, p.Ready(ctx, startLimit, func(_ context.Context, said []byte) bool {
		for line := range bytes.Lines(said) {
			var record struct{ Msg, URL string }
			if json.Unmarshal(line, &record) == nil && record.Msg == "listening" {
				at, err := url.Parse(record.URL)
				if err != nil {
					return false
				}
				s.Addr = at.Host
			}
		}
		return s.Addr != ""
	})
}

// Log is what the process has written to its log since Forget, or since it began.
func (p *Process) Log() ([]byte, error) { return os.ReadFile(p.log) }

// Forget empties the log, which has a line for each request.
func (p *Process) Forget() error { return os.Truncate(p.log, 0) }

// Stop ends the process, if it has not ended, and waits for it.
func (p *Process) Stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(endLimit):
		p.Kill()
	}
}

// Kill ends the process at once, as a crash does, with its group if it has one of its own, and waits until it is gone.
func (p *Process) Kill() {
	if of := p.cmd.SysProcAttr; of != nil && of.Setpgid {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	}
	_ = p.cmd.Process.Kill()
	<-p.done
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

// CPU is the processor time that the process has taken since it began.
func (p *Process) CPU() (time.Duration, error) { return procfs.CPU(p.cmd.Process.Pid) }

// Peak is the most memory in bytes that the process has had since Forgive, or since it began.
func (p *Process) Peak() (int64, error) { return procfs.PeakMemory(p.cmd.Process.Pid) }

// Memory is the memory in bytes that the process has now.
func (p *Process) Memory() (int64, error) { return procfs.Memory(p.cmd.Process.Pid) }

// Forgive makes Peak begin anew from the memory that the process has now.
func (p *Process) Forgive() error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0)
}
