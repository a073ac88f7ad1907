// Command storefront is the whole service in one binary: it serves shops, and loads, lists and exports them.
//
// Each command reads its settings with package config, opens and migrates the database with package store,
// and calls the package that does the work: app for serve, bundle for import and export, partner, order and
// openapi for the commands of those names. This package itself holds only what the terminal needs: words,
// tables and exit codes.
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
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], program{os.Getenv, os.Stdout, os.Stderr})
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "storefront:", err)
		os.Exit(1)
	}
}

// program holds what a command uses of the process: its environment and its output streams.
type program struct {
	getenv         func(string) string
	stdout, stderr io.Writer
}

// commands lists the commands in the order in which the usage shows them.
var commands = []struct {
	name, arguments, does string
	run                   func(ctx context.Context, args []string, p program) error
}{
	{name: "serve", arguments: "[--demo] [-no-migrate]", does: "migrate, then serve REST and GraphQL", run: serve},
	{name: "migrate", arguments: "[-finish]", does: "bring the database up to date", run: migrate},
	{name: "import", arguments: "[-atomic] FILE…", does: "load tenant bundles (.json, .json.gz)", run: importBundles},
	{name: "export", arguments: "DOMAIN [-o FILE]", does: "write a tenant's bundle", run: exportBundle},
	{name: "tenant", arguments: "add DOMAIN NAME NAME_FA | list", does: "create and list tenants", run: tenants},
	{name: "staff", arguments: "add DOMAIN CELL ROLE | list DOMAIN | remove DOMAIN CELL",
		does: "say who works for a shop", run: staffMembers},
	{name: "order", arguments: "list DOMAIN | move DOMAIN NUMBER STATUS",
		does: "see a shop's orders, and move them on", run: shopOrders},
	{name: "customer", arguments: "export [DOMAIN] CELL [-o FILE] | erase [DOMAIN] CELL",
		does: "write out what is held on a customer, and erase it", run: customerData},
	{name: "audit", arguments: "[DOMAIN] [-action NAME] [-most N]",
		does: "see what staff and commands changed in a shop, or in the service", run: auditLog},
	{name: "partner", arguments: "add DOMAIN | list | revoke KEY_ID | messages [DOMAIN]",
		does: "give out keys for the SMS gateway, and see what was sent", run: partners},
	{name: "backup", arguments: "FILE", does: "copy the SQLite database while it is used, and check the copy",
		run: backup},
	{name: "restore", arguments: "[-replace] FILE",
		does: "put a checked copy in the place of the SQLite database", run: restore},
	{name: "healthcheck", does: "ask a server with the same LISTEN_ADDR whether it is alive", run: healthcheck},
	{name: "openapi", does: "print the OpenAPI document of the REST routes", run: printOpenAPI},
	{name: "schema", does: "print the GraphQL schema", run: printSchema},
	{name: "version", does: "print the version, the commit and the Go version of this binary", run: printVersion},
}

// run executes the command that the first argument names.
func run(ctx context.Context, args []string, p program) error {
	if len(args) == 0 || args[0] == "-h" || args[0] == "--help" || args[0] == "help" {
		usage(p.stdout)
		return nil
	}
	for _, c := range commands {
		if c.name == args[0] {
			return c.run(ctx, args[1:], p)
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
