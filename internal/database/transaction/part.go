package transaction

import (
	"context"
	"database/sql"
	"errors"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// turn is a lock that can be waited for with a context.
type turn chan struct{}

func (t turn) take(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t turn) give() { <-t }

// part is a transaction that takes part in a joint one.
type part struct {
	j     *Joint
	reads bool // it only reads, so that its end changes nothing
	done  bool
}

// part begins a part, and first the joint transaction if it has not begun.
func (j *Joint) part(ctx context.Context) (*part, error) {
	if err := j.writer.take(ctx); err != nil {
		return nil, err
	}
	err := j.line.take(ctx)
	if err == nil {
		err = j.begin(ctx)
		j.line.give()
	}
	if err != nil {
		j.writer.give()
		return nil, err
	}
	return &part{j: j}, nil
}

func (j *Joint) alone(ctx context.Context, statement func(*part) error) error {
	p, err := j.part(ctx)
	if err != nil {
		return err
	}
	if err := statement(p); err != nil {
		_ = p.end(func() error { j.fail(err); return nil })
		return err
	}
	return p.Commit()
}

// Commit keeps what the part wrote, unless the joint transaction is rolled back later.
func (p *part) Commit() error {
	return p.end(func() error {
		j := p.j
		switch {
		case p.reads:
			return nil
		case j.ended.Load() || j.tx == nil:
			return errors.Join(sql.ErrTxDone, j.failed)
		case !j.refuse:
			j.parts++
			return nil
		}
		if err := j.acts.Refused(j.owner, j.tx); err != nil {
			j.fail(err)
			return err
		}
		return j.commit()
	})
}

// errPartRefused is why a transaction cannot be used any more after a part of it was rolled back.
var errPartRefused = errors.New(
	"transaction: a part of the request was rolled back, and with it what was written before")

// Rollback undoes what the whole transaction wrote.
func (p *part) Rollback() error {
	return p.end(func() error {
		if !p.reads && !p.j.ended.Load() {
			p.j.fail(errPartRefused)
		}
		return nil
	})
}

func (p *part) end(how func() error) error {
	if p.done {
		return sql.ErrTxDone
	}
	p.done = true
	defer p.j.writer.give()
	p.j.line <- struct{}{} // statements end with their contexts
	defer p.j.line.give()
	return how()
}

func (p *part) Exec(ctx context.Context, text string, args, v any) error {
	return p.j.use(ctx, func(tx dialect.Tx) error { return tx.Exec(ctx, text, args, v) })
}

func (p *part) Query(ctx context.Context, text string, args, v any) error {
	return p.j.query(ctx, text, args, v)
}

func (p *part) ExecContext(ctx context.Context, text string, args ...any) (result sql.Result, err error) {
	err = p.j.use(ctx, func(tx dialect.Tx) error {
		result, err = tx.(entsql.ExecQuerier).ExecContext(ctx, text, args...)
		return err
	})
	return result, err
}

// QueryContext returns rows that must be closed before anything else is done with the context.
func (p *part) QueryContext(ctx context.Context, text string, args ...any) (rows *sql.Rows, err error) {
	err = p.j.use(ctx, func(tx dialect.Tx) error {
		rows, err = tx.(entsql.ExecQuerier).QueryContext(ctx, text, args...)
		return err
	})
	return rows, err
}
