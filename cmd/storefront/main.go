// Command storefront is the whole service in one binary: it serves shops, and loads, lists and exports them.
//
// Each command reads its settings with package config, opens and migrates the database with package store,
// and calls the package that does the work: app for serve and graphql, bundle for import and export, partner and
// openapi for the commands of those names. This package itself holds only the user interface of the terminal:
// usage, tables and exit codes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"storefront"
	"storefront/internal/pages/openapi"
	"storefront/internal/platform/goroutine"
)

func main() {
	ctx, stop := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	goroutine.Start("waiting for a signal", func() {
		<-signals
		signal.Stop(signals) // a second one ends the program at once
		stop()
	})
	signal.Ignore(syscall.SIGPIPE) // a closed log pipe does not end a server, and commands report it
	os.Exit(execute(ctx, os.Args[1:], program{
		getenv: os.Getenv, environ: os.Environ, stdout: os.Stdout, stderr: os.Stderr,
	}))
}

// execute runs a command, shows its error, and returns the exit code.
func execute(ctx context.Context, args []string, p program) (code int) {
	err := run(ctx, args, p)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintln(p.stderr, "storefront:", err)
	return 1
}

// program holds what a command uses of the process: its environment and its output streams.
type program struct {
	getenv         func(string) string
	environ        func() []string
	stdout, stderr io.Writer
}

// output is the standard output of a command. The command ends at the first error of writing, so that nothing
// is done whose result could not be shown.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(text []byte) (n int, err error) {
	n, err = o.Writer.Write(text)
	if err != nil && o.err == nil {
		o.err = fmt.Errorf("standard output: %w", err)
	}
	return n, err
}

// commands lists the commands in the order in which the usage shows them.
var commands = []struct {
	name, arguments, does string
	run                   func(ctx context.Context, args []string, p program) error
}{
	{name: "serve", arguments: "[--demo] [-no-migrate]", does: "migrate, then serve REST and GraphQL", run: serve},
	{name: "migrate", does: "bring the database up to date", run: migrate},
	{name: "import", arguments: "[-atomic] FILE…", does: "load tenant bundles (.json, .json.gz)", run: importBundles},
	{name: "export", arguments: "DOMAIN [-o FILE]", does: "write a tenant's bundle", run: exportBundle},
	{name: "tenant", arguments: "add DOMAIN NAME NAME_FA | domain DOMAIN NEW | alias DOMAIN OTHER | … | list",
		does: "create and list tenants, and change their domains", run: tenants},
	{name: "shop", arguments: "export DOMAIN FILE|- | import FILE|- | lock DOMAIN | unlock DOMAIN",
		does: "move a whole shop to another installation", run: shops},
	{name: "staff", arguments: "add DOMAIN CELL ROLE | list DOMAIN | remove DOMAIN CELL | password DOMAIN CELL",
		does: "say who works for a shop", run: staffMembers},
	{name: "graphql", arguments: "[-domain DOMAIN] [-v NAME=VALUE] [-table] DOCUMENT|FILE|-",
		does: "do whatever staff and operators can do", run: graphQL},
	{name: "partner", arguments: "add DOMAIN | list | revoke KEY_ID | messages [DOMAIN]",
		does: "give out keys for the SMS gateway, and see what was sent", run: partners},
	{name: "backup", arguments: "FILE", does: "copy the SQLite database while it is used, and check the copy",
		run: backup},
	{name: "restore", arguments: "[-replace] FILE",
		does: "put a checked copy in the place of the SQLite database", run: restore},
	{name: "healthcheck", does: "ask a server with the same LISTEN_ADDR whether it is alive", run: healthcheck},
	{name: "openapi", does: "print the OpenAPI document of the REST routes",
		run: printing("openapi", func() string { return string(openapi.Document) })},
	{name: "schema", does: "print the GraphQL schema", run: printing("schema", storefront.PublicSchema)},
	{name: "version", does: "print the version, the commit and the Go version of this binary",
		run: printing("version", builtVersion)},
}

// run executes the command that the first argument names.
func run(ctx context.Context, args []string, p program) error {
	shown := &output{Writer: p.stdout}
	if len(args) == 0 || args[0] == "-h" || args[0] == "--help" || args[0] == "help" {
		usage(shown)
		return shown.err
	}
	if args[0] == "serve" { // a server must survive the loss of its terminal
		return serve(ctx, args[1:], p)
	}
	p.stdout = shown
	for _, c := range commands {
		if c.name == args[0] {
			if err := c.run(ctx, args[1:], p); err != nil {
				return err
			}
			return shown.err
		}
	}
	usage(p.stderr)
	return fmt.Errorf("there is no command %q", args[0])
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "storefront serves many shops from one database, by REST and GraphQL.")
	fmt.Fprintln(w, "\nusage: storefront COMMAND [flags]; -h after a command shows its flags")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-58s %s\n", c.name+" "+c.arguments, c.does)
	}
}
