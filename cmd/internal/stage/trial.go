package stage

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Trial is a command with a name. Its work runs on a stage of each kind.
type Trial struct {
	Name, About string
	Kinds       []string                 // of databases, or kinds known to the work; none: it runs once
	Flags       func(*flag.FlagSet) Work // declares the flags of the work
}

// Work is the work of a trial on a stage. It ends at its first error, by package must.
type Work func(ctx context.Context, s *Stage)

// Run runs the work on all kinds, or on that of the flag -only, and returns its errors.
func (t Trial) Run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet(t.Name, flag.ContinueOnError)
	program := flags.String("server", "bin/storefront", "the program that is tried")
	only := ""
	if len(t.Kinds) > 1 {
		flags.StringVar(&only, "only", "", strings.Join(t.Kinds, " or ")+" alone")
	}
	work := t.Flags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("there are no arguments %q", flags.Args())
	}
	if t.Kinds == nil {
		return Run(ctx, &Stage{Program: *program, Out: out, name: t.Name}, work)
	}
	if only != "" && !slices.Contains(t.Kinds, only) {
		return fmt.Errorf("-only takes %s", strings.Join(t.Kinds, " or "))
	}
	var failed []error
	for _, kind := range t.Kinds {
		if only == "" || only == kind {
			name := t.Name + ", " + kind
			if err := Run(ctx, &Stage{Kind: kind, Program: *program, Out: out, name: name}, work); err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", kind, err))
			}
		}
	}
	return errors.Join(failed...)
}

// Main runs a command that starts other programs. Its context ends with an interrupt and with the parent
// process: `go run` passes no SIGTERM on, and a server must not outlive the run it belongs to. An error is
// printed after the command's name, and ends the process with status 1.
func Main(name string, args []string, run func(ctx context.Context, args []string, out io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		defer stop()
		for parent := os.Getppid(); os.Getppid() == parent && ctx.Err() == nil; {
			time.Sleep(time.Second)
		}
	}()
	if err := run(ctx, args, os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}
