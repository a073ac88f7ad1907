package lookup

import (
	"context"
	"fmt"
	"sync"

	"github.com/google/uuid"

	"storefront/ent/tenant"
)

// sellers finds the shops that have set up something that orders cost besides their lines. A shop remains one, so that
// those found are remembered.
type sellers struct {
	look *Shared[string, bool]
	are  sync.Map // of ids
}

// Charges reports whether the shop with an id has set up anything that orders cost besides their lines, such as a
// delivery method, at some moment after the call. A shop that is not known has not.
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

// readSellers returns those of some shops that are sellers.
func (t *Tenants) readSellers(ctx context.Context, shops []string) (map[string]bool, error) {
	ids := make([]uuid.UUID, len(shops))
	for i, shop := range shops {
		ids[i] = uuid.MustParse(shop) // Charges has parsed it
	}
	are, err := t.whole.Tenant.Query().Where(tenant.IDIn(ids...), tenant.SaleVersionGT(0)).IDs(ctx)
	if err != nil {
		return nil, fmt.Errorf("find the shops that charge more than prices: %w", err)
	}
	found := map[string]bool{}
	for _, id := range are {
		found[id.String()] = true
	}
	return found, nil
}
