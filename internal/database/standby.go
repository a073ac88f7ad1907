package database

import (
	"context"
	"database/sql/driver"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"time"
)

// standing is the state of a connection to a replica.
type standing struct {
	replica *replica
	known   *knowledge
	since   time.Time // when the connection was made
}

// aboutServer identifies the server that answers and its start, and reports whether it is a standby.
const aboutServer = "SELECT pg_backend_pid(), pg_postmaster_start_time()::text || ' ' || " +
	"coalesce(inet_server_addr()::text, '') || ' ' || coalesce(inet_server_port(), 0), pg_is_in_recovery()"

// greet identifies the server that a new connection to a replica leads to. It fails if the server is no
// standby or is behind a pooler.
func (r *replica) greet(ctx context.Context, c *conn) (*standing, error) {
	row, err := c.firstRow(ctx, aboutServer, nil)
	if err != nil {
		return nil, err
	}
	pid, _ := row[0].(int64)
	server, _ := row[1].(string)
	if standby, _ := row[2].(bool); !standby {
		return nil, errNoStandby
	}
	if given := pidOf(c.session); given != 0 && given != pid {
		return nil, errBetween
	}
	return &standing{replica: r, known: r.knowledgeOf(server), since: time.Now()}, nil
}

// firstRow runs a statement that returns one row.
func (c *conn) firstRow(ctx context.Context, text string, args []driver.NamedValue) ([]driver.Value, error) {
	rows, err := c.query(ctx, text, args)
	if err != nil {
		return nil, err
	}
	row := make([]driver.Value, len(rows.Columns()))
	err = rows.Next(row)
	for i, v := range row {
		if text, ok := v.([]byte); ok { // valid only until the rows are closed
			row[i] = string(text)
		}
	}
	if closed := rows.Close(); err == nil {
		err = closed
	}
	if err == io.EOF {
		err = nil
		clear(row)
	}
	return row, err
}

// pidOf returns the server process id of a connection of lib/pq, from a field that is not exported; 0 if it
// is unknown.
func pidOf(s session) int64 {
	pid := reflect.Indirect(reflect.ValueOf(s)).FieldByName("pid")
	if !pid.IsValid() || !pid.CanInt() {
		return 0
	}
	return pid.Int()
}

// caughtUp returns errLags if the server does not show what a statement needs to see. It asks only once for
// each number.
func (c *conn) caughtUp(ctx context.Context) error {
	needs, _ := ctx.Value(needsKey{}).([]Need)
	for _, n := range needs {
		// what another connection has seen since this one was opened holds for this one, too
		if s, ok := c.standing.known.find(n); ok && s.number >= n.Least && s.when.After(c.standing.since) {
			continue
		}
		began := time.Now()
		var args []driver.NamedValue
		if n.Argument != "" {
			args = []driver.NamedValue{{Ordinal: 1, Value: n.Argument}}
		}
		row, err := c.firstRow(ctx, n.Number, args)
		if err != nil {
			return err
		}
		number, ok := row[0].(int64)                        // no number: the replica has no such row yet
		if text, isText := row[0].(string); !ok && isText { // sums are numeric, which is read as text
			if number, err = strconv.ParseInt(text, 10, 64); err != nil {
				return err
			}
		}
		c.standing.known.note(n, sight{number, began})
		if number < n.Least {
			return errLags
		}
	}
	return nil
}

// queryReplica runs a reading statement on a replica that has caught up.
func (c *conn) queryReplica(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.caughtUp(ctx); err != nil {
		return nil, err
	}
	rows, err := c.query(ctx, text, args)
	if isOutdated(err) {
		rows, err = c.query(ctx, text, args) // prepared anew
	}
	if err != nil {
		return nil, err
	}
	return readWhole(rows)
}

// readWhole reads all rows of a replica before any of them is used, so that the primary can still answer if
// it fails on the way.
func readWhole(from driver.Rows) (driver.Rows, error) {
	r := from.(*rows)
	read := &wholeRows{rows: r, width: len(r.Columns())}
	row := make([]driver.Value, read.width)
	for {
		err := r.Next(row)
		if err == io.EOF {
			return read, nil
		}
		if err != nil {
			_ = r.Close() // the error of the reading counts
			return nil, err
		}
		for _, v := range row {
			if text, ok := v.([]byte); ok {
				v = slices.Clone(text) // valid only until the next row
			}
			read.values = append(read.values, v)
		}
	}
}

// wholeRows are rows that were read into memory.
type wholeRows struct {
	*rows
	width  int
	values []driver.Value
}

func (w *wholeRows) Next(row []driver.Value) error {
	if len(w.values) < w.width || w.width == 0 {
		return io.EOF
	}
	copy(row, w.values[:w.width])
	w.values = w.values[w.width:]
	return nil
}

// HasNextResultSet reports false: statements for replicas are single ones.
func (w *wholeRows) HasNextResultSet() bool { return false }

// connectReplica completes a connection to a replica.
func (c *connector) connectReplica(ctx context.Context, made *conn) (driver.Conn, error) {
	var err error
	if made.standing, err = c.replica.greet(ctx, made); err != nil {
		made.Close()
		return nil, fmt.Errorf("replica %s: %w", c.replica.name, err)
	}
	return made, nil
}
