package stage

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

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
