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

// Through gives the address by which something is reached.
type Through func(what, addr string) (string, error)

// NewReplicated makes everything, with a shop of a bundle. through gives the address by which a server of ours reaches
// "primary", "standby", "replica", "bouncer 0" and "bouncer 1".
func NewReplicated(ctx context.Context, program string, bundle []byte, through Through) (r *Replicated, err error) {
	r = &Replicated{}
	if r.Stage, err = NewServer(ctx, program, "synchronous_commit = on", "hot_standby_feedback = on"); err != nil {
		return nil, err
	}
	r.Env = []string{"LOG_LEVEL=info", "REGISTRATIONS_PER_HOUR=0", "GUEST_CARTS_PER_HOUR=0", "GUEST_CARTS_PER_SHOP=0",
		"PUBLIC_WRITES_PER_MINUTE=0"}
	return r, r.opened(r.build(ctx, bundle, through))
}

func (r *Replicated) build(ctx context.Context, bundle []byte, through Through) error {
	if err := r.Import(ctx, bundle); err != nil {
		return err
	}
	if err := r.Count(ctx); err != nil {
		return err
	}
	if err := r.Follow(ctx); err != nil {
		return err
	}
	// Only now, as nothing could be committed before.
	if err := Exec(ctx, r.Database, "ALTER SYSTEM SET synchronous_standby_names = '*'",
		"SELECT pg_reload_conf()"); err != nil {
		return err
	}
	var at [5]string
	for i, what := range []string{"primary", "standby", "bouncer 0", "bouncer 1", "replica"} {
		server := r.Primary
		if i%2 == 1 || i == 4 {
			server = r.Standby
		}
		addr := server.Addr()
		var err error
		if strings.HasPrefix(what, "bouncer") {
			if addr, err = r.pool(ctx, server); err != nil {
				return err
			}
		}
		if at[i] = addr; through != nil {
			if at[i], err = through(what, addr); err != nil {
				return err
			}
		}
	}
	for i, hosts := range []string{at[2] + "," + at[3], at[0] + "," + at[1]} {
		var err error
		if r.Metrics[i], err = FreeAddress(); err != nil {
			return err
		}
		more := []string{"METRICS_ADDR=" + r.Metrics[i],
			"DATABASE_URL=" + r.Primary.URLAt(hosts, "postgres") + "&pool_size=16"}
		if i == 1 {
			more = append(more, "DATABASE_REPLICA_URL="+r.Standby.URLAt(at[4], "postgres"))
		}
		if r.Servers[i], err = r.Serve(ctx, more...); err != nil {
			return err
		}
	}
	return nil
}

// Complaints returns the last warnings of each of our servers as an error.
func (r *Replicated) Complaints() error {
	var errs []error
	for i, s := range r.Servers {
		said, err := s.Log()
		if err != nil {
			return err
		}
		var last [][]byte
		for line := range bytes.Lines(said) {
			if !bytes.Contains(line, []byte(`"level":"INFO"`)) {
				last = append(last, line)
			}
		}
		errs = append(errs, fmt.Errorf("server %d said last: %s", i+1, bytes.Join(last[max(0, len(last)-5):], nil)))
	}
	return errors.Join(errs...)
}
