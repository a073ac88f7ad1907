// Package pgbench drives PostgreSQL with the service's own transactions on carts and orders, by
// PostgreSQL's own load generator: what is left of a request when nothing is checked, decided, loaded or
// written as JSON.
//
// The scripts have the statements that internal/cart and internal/order send, one round trip each. Ids are
// numbers in a UUID's form, since pgbench can calculate numbers alone.
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

// Find looks for it in PATH, and where the server's programs are.
func Find() Program {
	path, err := exec.LookPath("pgbench")
	if err != nil {
		path, err = exec.LookPath(filepath.Join(must.Get(pgserver.Programs()), "pgbench"))
	}
	must.Hold(err == nil, "no pgbench found, which carts and orders are measured against: install it "+
		"(Debian: apt-get install postgresql)")
	return Program{path}
}

// Result is what pgbench says of a run.
type Result struct {
	All       int     // transactions
	PerSecond float64 // of those after the first second, in which it connects and prepares
}

var (
	whole  = regexp.MustCompile(`actually processed: (\d+)\nnumber of failed transactions: 0 `)
	second = regexp.MustCompile(`progress: [0-9.]+ s, ([0-9.]+) tps`)
)

// Run runs a script with so many clients for a second and then for a time of whole seconds. set are its
// variables.
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
