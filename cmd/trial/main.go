// Command trial tries the service out as a stranger would: it kills what the service stands on, attacks it, loads it
// and upgrades it, and fails where something was lost, wrong or slow. `go run ./cmd/trial` lists the trials and
// `go run ./cmd/trial crash -h` the flags of one; the Makefile has a target for each, with what it needs.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"storefront/cmd/internal/stage"
	"storefront/cmd/trial/backups"
	"storefront/cmd/trial/crash"
	"storefront/cmd/trial/dashboard"
	"storefront/cmd/trial/failover"
	"storefront/cmd/trial/fulldisk"
	"storefront/cmd/trial/hostile"
	"storefront/cmd/trial/imports"
	"storefront/cmd/trial/migrations"
	"storefront/cmd/trial/shops"
	"storefront/cmd/trial/soak"
	"storefront/cmd/trial/tiers"
	"storefront/cmd/trial/upgrade"
)

var trials = []struct {
	name, about string
	run         func(ctx context.Context, args []string, out io.Writer) error
}{
	{"backups", "back PostgreSQL up under load, kill it, and restore it", backups.Run},
	{"crash", "kill the server and PostgreSQL while clients order, again and again", crash.Run},
	{"dashboard", "ask a Prometheus for each panel and alert", dashboard.Run},
	{"failover", "kill a primary under load and promote its standby", failover.Run},
	{"fulldisk", "fill the disk of the database under load", fulldisk.Run},
	{"hostile", "attack the service while customers shop", hostile.Run},
	{"imports", "import a large shop while customers write", imports.Run},
	{"migrations", "migrate a large database while customers shop", migrations.Run},
	{"shops", "serve ten thousand shops", shops.Run},
	{"soak", "disturb the network to the databases under load", soak.Run},
	{"tiers", "measure what a read costs server, primary and standby", tiers.Run},
	{"upgrade", "upgrade and go back while customers shop", upgrade.Run},
}

func main() {
	flag.Usage = usage
	flag.Parse()
	for _, t := range trials {
		if t.name == flag.Arg(0) {
			stage.Main(t.name, flag.Args()[1:], t.run)
			return
		}
	}
	usage()
	os.Exit(2)
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: trial NAME [flags]; -h after a name lists its flags")
	for _, t := range trials {
		fmt.Fprintf(os.Stderr, "  %-10s %s\n", t.name, t.about)
	}
}
