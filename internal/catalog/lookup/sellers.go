package lookup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"github.com/google/uuid"
)

// sellers finds the shops that have set up what orders cost besides their lines, or how they are paid. A shop remains
// one, so that those found are remembered.
type sellers struct {
	look *Shared[string, bool]
	are  sync.Map // of ids
}

// Charges reports whether the shop with an id has set up a delivery method or a payment gateway, at some moment after
// the call. A shop that is not known has not.
func (t *Tenants) Charges(ctx context.Context, shop string) (bool, error) {
	id, err := uuid.Parse(shop)
	if err != nil {
		return false, nil
	}
	if _, known := t.sellers.are.Load(id); known {
		return true, nil
	}
	found, err := t.sellers.look.Find(ctx, id.String())
	if found[id.String()] {
		t.sellers.are.Store(id, true)
	}
	return found[id.String()], err
}

// readSellers returns those of some shops that are sellers. They are few at a time: a statement for each is prepared
// once, and takes less than one that ent makes.
func (t *Tenants) readSellers(ctx context.Context, shops []string) (map[string]bool, error) {
	found := map[string]bool{}
	for _, shop := range shops {
		var is bool
		err := t.db.QueryRowContext(ctx, "SELECT sale_version > 0 FROM tenants WHERE id = $1",
			uuid.MustParse(shop)).Scan(&is) // Charges has parsed it
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, fmt.Errorf("find the shops with delivery or a gateway: %w", err)
		}
		found[shop] = is
	}
	return found, nil
}
