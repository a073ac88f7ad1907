// Command trial tries the service from outside: it kills the processes that the service depends on, attacks it,
// loads it and upgrades it, and fails if data was lost, or an answer was wrong or slow. `go run ./cmd/trial`
// lists the trials and `go run ./cmd/trial crash -h` the flags of one; the Makefile has a target for each, with
// what it needs.
package main

import (
	"flag"
	"fmt"
	"os"

	"storefront/cmd/internal/stage"
	"storefront/cmd/trial/backups"
	"storefront/cmd/trial/crash"
	"storefront/cmd/trial/dashboard"
	"storefront/cmd/trial/failover"
	"storefront/cmd/trial/fulldisk"
	"storefront/cmd/trial/hostile"
	"storefront/cmd/trial/image"
	"storefront/cmd/trial/imports"
	"storefront/cmd/trial/migrations"
	"storefront/cmd/trial/money"
	"storefront/cmd/trial/proxies"
	"storefront/cmd/trial/shops"
	"storefront/cmd/trial/soak"
	"storefront/cmd/trial/upgrade"
	"storefront/cmd/trial/uploads"
)

var trials = []stage.Trial{backups.Trial, crash.Trial, dashboard.Trial, failover.Trial, fulldisk.Trial, hostile.Trial,
	image.Trial, imports.Trial, migrations.Trial, money.Trial, money.Gateway, proxies.Trial, shops.Trial, soak.Trial,
	upgrade.Trial, uploads.Trial}

func main() {
	flag.Usage = usage
	flag.Parse()
	for _, t := range trials {
		if t.Name == flag.Arg(0) {
			stage.Main(t.Name, flag.Args()[1:], t.Run)
			return
		}
	}
	usage()
	os.Exit(2)
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: trial NAME [flags]; -h after a name lists its flags")
	for _, t := range trials {
		fmt.Fprintf(os.Stderr, "  %-10s %s\n", t.Name, t.About)
	}
}
