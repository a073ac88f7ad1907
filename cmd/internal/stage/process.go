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

	"storefront/cmd/internal/must"
	"storefront/internal/testkit/procfs"
)

const (
	startLimit = 20 * time.Second
	endLimit   = 5 * time.Second // between SIGTERM and SIGKILL
)

// Process is a program that the trial has started.
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

// command returns a command that ends when ctx ends.
func command(ctx context.Context, env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = endLimit
	return cmd
}

// Start starts a program, which the stage kills at its end. Its standard error is its log.
func (s *Stage) Start(cmd *exec.Cmd) *Process {
	log := must.Get(os.CreateTemp(s.Folder, "log-*"))
	defer log.Close()
	p := &Process{cmd: cmd, log: log.Name(), done: make(chan struct{})}
	cmd.Stderr = log
	must.Do(cmd.Start())
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	s.OnClose(func() error { p.Kill(); return nil })
	return p
}

// Ready waits until ready, which gets the log of the program, reports true. The trial ends if the program
// ends before or limit passes.
func (p *Process) Ready(ctx context.Context, limit time.Duration, ready func(context.Context, []byte) bool) {
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	for said := p.Log(); !ready(ctx, said); said = p.Log() {
		name, said := filepath.Base(p.cmd.Path), bytes.TrimSpace(said)
		select {
		case <-p.done:
			must.Hold(false, "%s ended (%v) and said: %s", name, p.err, bytes.TrimSpace(p.Log()))
		case <-ctx.Done():
			p.Stop()
			must.Hold(false, "%s is not ready: %w: %s", name, ctx.Err(), said)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// ServeBy starts a server by a command, and waits until its log, JSON on standard error, has a record
// "listening" with its url. The stage stops it at its end.
func (s *Stage) ServeBy(ctx context.Context, env []string, name string, args ...string) *Server {
	p := s.Start(command(ctx, env, name, args...))
	s.OnClose(func() error { p.Stop(); return nil })
	server := &Server{Process: p}
	p.Ready(ctx, startLimit, func(_ context.Context, said []byte) bool {
		for line := range bytes.Lines(said) {
			var record struct{ Msg, URL string }
			if json.Unmarshal(line, &record) == nil && record.Msg == "listening" {
				server.Addr = must.Get(url.Parse(record.URL)).Host
			}
		}
		return server.Addr != ""
	})
	return server
}

// Log returns the log of the process since Forget, or since its start.
func (p *Process) Log() []byte { return must.Get(os.ReadFile(p.log)) }

// Forget empties the log, which has a line for each request.
func (p *Process) Forget() { must.Do(os.Truncate(p.log, 0)) }

// Stop ends the process, if it has not ended, and waits for it.
func (p *Process) Stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(endLimit):
		p.Kill()
	}
}

// Kill kills the process, with its group if it has one of its own, and waits until it has ended.
func (p *Process) Kill() {
	if of := p.cmd.SysProcAttr; of != nil && of.Setpgid {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	}
	_ = p.cmd.Process.Kill()
	<-p.done
}

// Spent is the resources that a finished process used.
type Spent struct {
	Time, CPU time.Duration
	Peak      int64 // bytes of memory
}

// Run runs a command of the program to its end.
func (s *Stage) Run(ctx context.Context, args ...string) (spent Spent, err error) {
	cmd := command(ctx, s.Environment(), s.Program, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	start := time.Now()
	if err = cmd.Start(); err == nil {
		over, peak := make(chan struct{}), make(chan int64)
		go func() { peak <- watch(cmd.Process.Pid, over) }()
		err = cmd.Wait()
		close(over)
		spent.Peak = <-peak
	}
	if err != nil {
		return spent, fmt.Errorf("%s %s: %w: %s", filepath.Base(s.Program), args[0], errors.Join(ctx.Err(), err),
			bytes.TrimSpace(said.Bytes()))
	}
	spent.Time, spent.CPU = time.Since(start), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	return spent, nil
}

// watch returns the peak memory of a process, sampled until over is closed. The kernel's own figure would
// include the memory of this process at the time of the fork.
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

// CPU returns the processor time that the process has used since its start.
func (p *Process) CPU() time.Duration { return must.Get(procfs.CPU(p.cmd.Process.Pid)) }

// Peak returns the peak memory of the process in bytes since Forgive, or since its start.
func (p *Process) Peak() int64 { return must.Get(procfs.PeakMemory(p.cmd.Process.Pid)) }

// Memory returns the present memory of the process in bytes.
func (p *Process) Memory() int64 { return must.Get(procfs.Memory(p.cmd.Process.Pid)) }

// Forgive resets Peak to the present memory of the process.
func (p *Process) Forgive() {
	must.Do(os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0))
}
