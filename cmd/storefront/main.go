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
	{"serve", "[--demo]", "migrate, then serve REST and GraphQL", serve},
	{"migrate", "", "bring the database up to date", migrate},
	{"import", "FILE…", "load tenant bundles (.json, .json.gz)", importBundles},
	{"export", "DOMAIN [-o FILE]", "write a tenant's bundle", exportBundle},
	{"tenant", "add DOMAIN NAME NAME_FA | list", "create and list tenants", tenants},
	{"order", "list DOMAIN | move DOMAIN NUMBER STATUS", "see a shop's orders, and move them on", shopOrders},
	{"partner", "add DOMAIN | list | revoke KEY_ID | messages [DOMAIN]", "give out keys for the SMS gateway, and see what was sent", partners},
	{"openapi", "", "print the OpenAPI document of the REST routes", printOpenAPI},
	{"schema", "", "print the GraphQL schema", printSchema},
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
	fmt.Fprintln(w, "storefront serves many shops from one database, by REST and GraphQL.\n\nusage: storefront COMMAND [flags]; -h after a command shows its flags")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-58s %s\n", c.name+" "+c.arguments, c.does)
	}
}
