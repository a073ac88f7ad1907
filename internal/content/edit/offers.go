package edit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/derive"
	"storefront/internal/content/document"
	"storefront/internal/content/plan"
	"storefront/internal/content/stored"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
)

// Offers changes stock and prices of many variants. Each change is an element of a product's variants.
type Offers struct {
	Action   string           // the name of the mutation, for the audit log
	Variants []map[string]any // with their SKU, as decoded JSON
	Now      time.Time
}

// Offered is the result of Offers.
type Offered struct {
	Changed int
	Left    []string // the SKUs that were not processed in time, or before an error
	Faults  []OfferUnchanged
	Stopped error // the error after which it stopped, if some were changed
}

// OfferUnchanged is a variant that could not be changed.
type OfferUnchanged struct {
	SKU string
	Why *fault.Error
}

// Apply makes the changes. If any is invalid it changes nothing and fails with one VALIDATION_FAILED, with
// fields that begin with "input" and the place in the list. Up to manyAtOnce changes, or all in a joint
// transaction, are written in one transaction. More are checked together first and then written in several
// transactions, each of which checks again: changes that have become invalid are left out, and an error does
// not undo earlier transactions. Variants are locked only while they are written, in the order of their ids,
// as by checkouts.
func (f Offers) Apply(ctx context.Context, client *ent.Client, tenant uuid.UUID) (done Offered, err error) {
	ctx = tenancy.In(ctx, tenant)
	if len(f.Variants) <= manyAtOnce || transaction.Joined(ctx) {
		done.Changed, err = f.write(ctx, client, tenant, f.Variants)
		return done, err
	}
	groups, err := f.check(ctx, client, tenant)
	if err != nil {
		return done, err
	}
	for began := time.Now(); len(groups) > 0 && time.Since(began) <= stepTime; {
		err = stored.Rest(ctx, client, stored.Pause)
		n := 0
		for size := 0; n < len(groups) && (n == 0 || size+len(groups[n]) <= manyAtOnce); n++ {
			size += len(groups[n])
		}
		if err == nil {
			err = f.writeGroups(ctx, client, tenant, groups[:n], &done)
		}
		if err != nil {
			if done.Changed == 0 {
				return done, err
			}
			done.Stopped = err
			break
		}
		groups = groups[n:]
	}
	for _, offer := range slices.Concat(groups...) {
		done.Left = append(done.Left, skuOf(offer))
	}
	f.sort(&done)
	return done, nil
}

// sort sorts the failures in the order of the request.
func (f Offers) sort(done *Offered) {
	at := map[string]int{}
	for i, offer := range f.Variants {
		at[skuOf(offer)] = i
	}
	slices.SortStableFunc(done.Left, func(a, b string) int { return cmp.Compare(at[a], at[b]) })
	slices.SortStableFunc(done.Faults, func(a, b OfferUnchanged) int { return cmp.Compare(at[a.SKU], at[b.SKU]) })
}

func skuOf(offer map[string]any) string { return strings.TrimSpace(fmt.Sprint(offer["sku"])) }

// check checks all changes without a lock, and returns groups of changes that must be written together.
func (f Offers) check(
	ctx context.Context, client *ent.Client, tenant uuid.UUID,
) (groups [][]map[string]any, err error) {
	p, err := f.plan(ctx, client, tenant, f.Variants)
	if err != nil {
		return nil, err
	}
	if err := p.Faults.Fields(); err != nil {
		return nil, err
	}
	if _, changed, err := p.unit.CompareStock(ctx, client); err != nil || len(changed) > 0 {
		return nil, cmp.Or(err, refuseStock(changed))
	}
	for _, product := range p.products {
		var group []map[string]any
		together := false // one change may depend on another
		for _, n := range product.Member("variants").Children {
			group = append(group, f.Variants[n.Index])
			together = together || n.Member("priceCurrency") != nil || n.Member("onSale") != nil
		}
		if together {
			groups = append(groups, group)
		} else {
			groups = slices.AppendSeq(groups, slices.Chunk(group, 1))
		}
	}
	return groups, nil
}

// offersPlan is how some offers are written.
type offersPlan struct {
	*plan.Planner
	products []*document.Node // the elements: products with the variants to change
	unit     *stored.Unit
}

// plan reads the elements of some offers and plans their writing.
func (f Offers) plan(ctx context.Context, client *ent.Client, tenant uuid.UUID, offers []map[string]any) (
	p offersPlan, err error,
) {
	p.Planner = planner(client, tenant, f.Now)
	items, err := build(p.Faults, offers)
	if err != nil {
		return p, err
	}
	if p.products, err = p.OffersByProduct(ctx, items); err != nil {
		return p, err
	}
	if p.unit, err = p.Plan(ctx, "variants", p.products); err == nil {
		p.Finish()
	}
	return p, err
}

// write makes changes in one transaction, all or none, and returns how many variants differ.
func (f Offers) write(
	ctx context.Context, client *ent.Client, tenant uuid.UUID, offers []map[string]any,
) (changed int, err error) {
	err = derive.InShop(ctx, client, tenant, func(ctx context.Context, tx *ent.Tx) error {
		p, err := f.plan(ctx, tx.Client(), tenant, offers)
		if err != nil {
			return err
		}
		changed = len(p.unit.Variants)
		return write(ctx, tx, p.Planner, p.unit, f.Action)
	})
	return changed, err
}

// writeGroups writes groups of changes in a transaction. It leaves out groups that have become invalid, and changes
// that expect another stock.
func (f Offers) writeGroups(
	ctx context.Context, client *ent.Client, tenant uuid.UUID, groups [][]map[string]any, done *Offered,
) error {
	var changed int
	var faults []OfferUnchanged
	err := derive.InShop(ctx, client, tenant, func(ctx context.Context, tx *ent.Tx) error {
		changed, faults = 0, nil
		for rest := groups; len(rest) > 0; {
			p, err := f.plan(ctx, tx.Client(), tenant, slices.Concat(rest...))
			if err != nil {
				return err
			}
			if p.Faults.Any() {
				if rest, err = leaveOut(rest, p.Faults, &faults); err != nil {
					return err
				}
				continue
			}
			if err := p.unit.Lock(ctx, tx); err != nil {
				return err
			}
			stock, stale, err := p.unit.CompareStock(ctx, tx.Client())
			if err != nil {
				return err
			}
			if len(stale) > 0 {
				rest = withoutStale(rest, stale, &faults)
				continue
			}
			changed = len(p.unit.Variants)
			return writeLocked(ctx, tx, p.Planner, p.unit, stock, f.Action)
		}
		return nil
	})
	if err == nil {
		done.Changed += changed
		done.Faults = append(done.Faults, faults...)
	}
	return err
}

// leaveOut removes the groups with a faulty change, and notes all their changes as failed.
func leaveOut(groups [][]map[string]any, faults *document.Faults, failed *[]OfferUnchanged) (
	rest [][]map[string]any, err error,
) {
	bad, first := faults.ByElement(), 0
	if bad[-1] != nil {
		return nil, faults.Fields()
	}
	for _, group := range groups {
		var why fault.Fields
		for i := range group {
			if of := bad[first+i]; of != nil {
				why = append(why, *of...)
			}
		}
		first += len(group)
		if err := why.Err(); err != nil {
			for _, offer := range group {
				*failed = append(*failed, OfferUnchanged{skuOf(offer), fault.From(err)})
			}
			continue
		}
		rest = append(rest, group)
	}
	return rest, nil
}

// withoutStale removes from groups the changes that expect another stock, and notes them as failed.
func withoutStale(groups [][]map[string]any, stale []stored.StockChanged, failed *[]OfferUnchanged) (
	rest [][]map[string]any,
) {
	for _, group := range groups {
		rest = append(rest, slices.DeleteFunc(slices.Clone(group), func(offer map[string]any) bool {
			i := slices.IndexFunc(stale, func(one stored.StockChanged) bool { return one.Sku == skuOf(offer) })
			if i >= 0 {
				*failed = append(*failed, OfferUnchanged{stale[i].Sku, staleStock(stale[i])})
			}
			return i >= 0
		}))
	}
	return slices.DeleteFunc(rest, func(group []map[string]any) bool { return len(group) == 0 })
}
