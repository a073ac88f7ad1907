package stage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
)

// Replicated is what a shop in production has, on loopback: a PostgreSQL primary with a standby that holds
// every acknowledged commit, a PgBouncer in front of each, and two servers of ours. One server reaches the
// database through both poolers, the other one directly, with the standby as its replica.
type Replicated struct {
	*Stage
	Servers [2]*Server
	Metrics [2]string // addresses
}

// Through gives the address by which a server of ours reaches "primary", "standby", "replica", "bouncer 0" or
// "bouncer 1".
type Through func(what, addr string) string

// Replicate makes everything, with a shop of a bundle.
func (s *Stage) Replicate(ctx context.Context, bundle []byte, through Through) *Replicated {
	s.Own(ctx, "synchronous_commit = on", "hot_standby_feedback = on")
	s.Env = []string{"LOG_LEVEL=info", "REGISTRATIONS_PER_HOUR=0", "GUEST_CARTS_PER_HOUR=0",
		"GUEST_CARTS_PER_SHOP=0", "PUBLIC_WRITES_PER_MINUTE=0"}
	s.Import(ctx, bundle)
	s.Count(ctx)
	s.Follow(ctx)
	// Only now, as nothing could be committed before.
	Exec(ctx, s.Database, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
	pooled := through("bouncer 0", s.pool(ctx, s.Primary)) + "," + through("bouncer 1", s.pool(ctx, s.Standby))
	direct := through("primary", s.Primary.Addr()) + "," + through("standby", s.Standby.Addr())
	replicas := []string{"", s.Standby.URLAt(through("replica", s.Standby.Addr()), "postgres")}
	r := &Replicated{Stage: s}
	for i, hosts := range []string{pooled, direct} {
		r.Metrics[i] = FreeAddress()
		r.Servers[i] = s.Serve(ctx, "DATABASE_URL="+s.Primary.URLAt(hosts, "postgres")+"&pool_size=16",
			"DATABASE_REPLICA_URL="+replicas[i], "METRICS_ADDR="+r.Metrics[i])
	}
	return r
}

// Complaints returns the last warnings of each of our servers as an error.
func (r *Replicated) Complaints() error {
	var errs []error
	for i, s := range r.Servers {
		var last []string
		for line := range bytes.Lines(s.Log()) {
			if !bytes.Contains(line, []byte(`"level":"INFO"`)) {
				last = append(last, string(line))
			}
		}
		last = last[max(0, len(last)-5):]
		errs = append(errs, fmt.Errorf("server %d said last: %s", i+1, strings.Join(last, "")))
	}
	return errors.Join(errs...)
}
