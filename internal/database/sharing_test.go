package database

import (
	"context"
	"database/sql"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"

	"entgo.io/ent/dialect"

	"storefront/internal/request"
)

// idleDriver is a driver whose transactions do nothing.
type idleDriver struct{ Driver }

func (idleDriver) BeginTx(context.Context, *sql.TxOptions) (dialect.Tx, error) { return idleTx{}, nil }

type idleTx struct{ rawTx }

func (idleTx) Commit() error   { return nil }
func (idleTx) Rollback() error { return nil }

// TestTransactionsTakeTurns checks that a client that wants one transaction does not wait for all those that
// another client has queued before.
func TestTransactionsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := shareOut(idleDriver{}, 1, 1)
		var served []string
		begin := func(address string) dialect.Tx {
			tx, err := d.Tx(request.WithClient(t.Context(), request.ClientAt(netip.MustParseAddr(address))))
			if err != nil {
				t.Error(err)
			}
			served = append(served, address)
			return tx
		}
		first := begin("192.0.2.1")
		for _, address := range append(slices.Repeat([]string{"192.0.2.1"}, 20), "192.0.2.2") {
			go func() { begin(address).Commit() }()
			synctest.Wait() // it waits for its turn
		}
		if err := first.Rollback(); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if at := slices.Index(served, "192.0.2.2"); at != 2 || len(served) != 22 {
			t.Errorf("of %d transactions the other client's was number %d", len(served), at+1)
		}
	})
}

// TestTransactionsEndOnce checks that a transaction gives its slot back once, however often it ends.
func TestTransactionsEndOnce(t *testing.T) {
	d := shareOut(idleDriver{}, 1, 1)
	ctx := request.WithClient(t.Context(), request.ClientAt(netip.MustParseAddr("192.0.2.1")))
	for range 3 {
		tx, err := d.Tx(ctx)
		if err != nil {
			t.Fatal(err)
		}
		tx.Commit()
		tx.Rollback()
	}
	if _, err := d.Tx(ctx); err != nil {
		t.Fatal(err)
	}
	gone, leave := context.WithCancel(ctx)
	leave()
	if _, err := d.Tx(gone); err == nil {
		t.Error("two transactions at once have the one slot")
	}
}

// TestRequestsHoldOneConnection checks that tests find a request that asks for a connection while it has a
// transaction.
func TestRequestsHoldOneConnection(t *testing.T) {
	Inspect(func(string, string) error { return nil })
	t.Cleanup(func() { Inspect(nil) })
	d := shareOut(idleDriver{}, 2, 2)
	ctx, _ := request.WithNote(request.WithClient(t.Context(), request.ClientAt(netip.MustParseAddr("192.0.2.1"))))
	tx, err := d.Tx(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Tx(ctx); err == nil {
		t.Error("a second transaction beside the first is not refused")
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if tx, err = d.Tx(ctx); err != nil {
		t.Fatalf("after the first: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
}
