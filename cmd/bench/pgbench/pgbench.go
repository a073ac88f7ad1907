// Package pgbench runs the service's transactions on carts and orders with PostgreSQL's own load generator.
// That measures the share of the database in a request, without checks, decisions and JSON.
//
// The scripts have the statements of internal/cart and internal/order, one round trip each. Ids are numbers
// in the form of a UUID, since pgbench can only calculate numbers.
package pgbench

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"storefront/cmd/internal/must"
	"storefront/internal/pgserver"
)

// The scripts, by what they do to a cart.
var (
	//go:embed add.sql
	Add string
	//go:embed checkout.sql
	Checkout string
)

// Program is an installed pgbench.
type Program struct{ path string }

// Find looks for pgbench in PATH and in the folder of the server's programs.
func Find() Program {
	path, err := exec.LookPath("pgbench")
	if err != nil {
		path, err = exec.LookPath(filepath.Join(must.Get(pgserver.Programs()), "pgbench"))
	}
	must.Hold(err == nil, "no pgbench found, which carts and orders are measured against: install it "+
		"(Debian: apt-get install postgresql)")
	return Program{path}
}

// Result is the result of a run, as pgbench reports it.
type Result struct {
	All       int     // transactions
	PerSecond float64 // after the first second, in which it connects and prepares
}

var (
	whole  = regexp.MustCompile(`actually processed: (\d+)\nnumber of failed transactions: 0 `)
	second = regexp.MustCompile(`progress: [0-9.]+ s, ([0-9.]+) tps`)
)

// Run runs a script with the given number of clients for a second, and then for on, in whole seconds. set
// holds its variables.
func (p Program) Run(ctx context.Context, server *url.URL, script string, clients int, on time.Duration,
	set map[string]int) Result {
	args := []string{"-n", "-M", "prepared", "-P", "1", "-c", strconv.Itoa(clients), "-T",
		strconv.Itoa(1 + int(math.Ceil(on.Seconds()))), "-f", "-"}
	for name, value := range set {
		args = append(args, "-D", fmt.Sprintf("%s=%d", name, value))
	}
	cmd := exec.CommandContext(ctx, p.path, args...)
	password, _ := server.User.Password()
	cmd.Env = append(os.Environ(), "PGHOST="+server.Hostname(), "PGPORT="+server.Port(),
		"PGUSER="+server.User.Username(), "PGPASSWORD="+password, "PGDATABASE="+strings.TrimPrefix(server.Path, "/"))
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.CombinedOutput()
	must.Hold(err == nil, "pgbench: %w: %s", err, out)
	found, rates := whole.FindSubmatch(out), second.FindAllSubmatch(out, -1)
	must.Hold(found != nil && len(rates) > 1, "pgbench said: %s", out)
	sum := 0.0
	for _, rate := range rates[1:] {
		sum += must.Get(strconv.ParseFloat(string(rate[1]), 64))
	}
	return Result{must.Get(strconv.Atoi(string(found[1]))), sum / float64(len(rates)-1)}
}
