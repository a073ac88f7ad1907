// Package edit makes the changes of staff, and of customers to their own listings: of one record or of many. What they
// change are elements of a bundle, so that bundles and mutations follow the same rules (package plan).
package edit

import (
	"cmp"
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/user"
	"storefront/internal/content/derive"
	"storefront/internal/content/document"
	"storefront/internal/content/plan"
	"storefront/internal/content/stored"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

// One is a change of one record. It is handled like an element of a bundle: an absent member changes nothing, null
// clears.
type One struct {
	Action  string            // the name of the mutation, for the audit log
	Section string            // of the bundle
	Key     map[string]string // the members that identify the record
	Members map[string]any    // the others, as an input of GraphQL
	IsNew   bool              // the record must not exist yet; otherwise it must
	Version *string           // the version that was edited, noVersion if there was no record; nil: any
	Now     time.Time         // the time of publication, unless Members have one

	// Owner is the customer whose own listing is edited; other customers' listings are not found. Nil for an
	// edit of staff, which is recorded in the audit log.
	Owner *uuid.UUID
	// Before and After run in the same transaction; they may be nil.
	Before func(ctx context.Context, tx *ent.Tx) error
	After  func(ctx context.Context, tx *ent.Tx, id uuid.UUID) error
	Moving func() // called after the commit if the records of a category must be updated; may be nil
}

// Edited is the record after an edit.
type Edited struct {
	ID      uuid.UUID
	Version string
	Moving  bool // it is a category whose records are not yet in their new lists (package moves)
}

// noVersion is the version of a record that is not there: the profile of a business before the first edit.
const noVersion = "0"

// Apply makes the edit in a tenant, with its derived data and its entry in the audit log, in one transaction.
// It reports all faults in one VALIDATION_FAILED, with fields that begin with "input".
func (e One) Apply(ctx context.Context, client *ent.Client, tenant uuid.UUID) (edited Edited, err error) {
	ctx = tenancy.In(ctx, tenant)
	err = transaction.Run(ctx, client, func(tx *ent.Tx) error {
		if err := e.holdOwner(ctx, tx); err != nil {
			return err
		}
		if err := derive.Lock(ctx, tx, tenant); err != nil {
			return err
		}
		if e.Before != nil {
			if err := e.Before(ctx, tx); err != nil {
				return err
			}
		}
		edited, err = e.apply(ctx, tx, tenant)
		if err != nil && e.Owner == nil {
			err = stored.NowCalled(ctx, tx.Client(), stored.SlugKind(e.Section, e.Key), e.Key["slug"], err)
		}
		if err != nil || e.After == nil {
			return err
		}
		return e.After(ctx, tx, edited.ID)
	})
	if err != nil {
		return Edited{}, err
	}
	if edited.Moving && e.Moving != nil {
		transaction.AfterCommit(ctx, e.Moving)
	}
	return edited, nil
}

// holdOwner locks the account of the listing's owner, as the listing's foreign key will. An erasure locks
// accounts before the content of shops, so this must come first.
func (e One) holdOwner(ctx context.Context, tx *ent.Tx) error {
	if e.Owner == nil {
		return nil
	}
	_, err := tx.User.Query().Where(user.ID(*e.Owner)).
		Modify(database.ForKeyShare).Select(user.FieldID).All(ctx)
	return err
}

// apply reads the element and writes what it changes, in a transaction that holds the lock of the shop's content.
func (e One) apply(ctx context.Context, tx *ent.Tx, tenant uuid.UUID) (Edited, error) {
	p := planner(tx.Client(), tenant, e.Now)
	p.Terms.Owner = e.Owner
	element := document.NewTree(p.Faults).Build(e.Members, &document.Node{}, "input", -1)
	if element == nil {
		return Edited{}, p.Faults.Fields()
	}
	for name, value := range e.Key { // outside the input, so that their faults have the argument's name
		element.Children = append(element.Children,
			&document.Node{Kind: jsontext.KindString, Text: value, Parent: element.Parent, Name: name, Index: -1})
	}
	unit, err := p.Plan(ctx, e.Section, []*document.Node{element})
	if err != nil {
		return Edited{}, err
	}
	one := unit.Audited[0] // the others belong to it
	if err := e.check(one); err != nil {
		return Edited{}, err
	}
	edited := Edited{ID: one.ID, Version: stored.VersionOf(one.UpdatedAt), Moving: p.Moving}
	for _, outcome := range unit.Outcomes {
		if outcome.Section == e.Section && outcome.Fate != stored.Unchanged {
			edited.Version = stored.VersionOf(p.At())
		}
	}
	if category, ok := one.Row.(*ent.Category); ok {
		edited.Moving = edited.Moving || category.Moving
	}
	return edited, write(ctx, tx, p, unit, e.Action)
}

// check refuses the edit of a record that is not as the edit expects.
func (e One) check(edited stored.Audited) error {
	isThere, version := edited.Before != nil, noVersion
	if isThere {
		version = stored.VersionOf(edited.UpdatedAt)
	}
	listing, _ := edited.Row.(*ent.UserProduct)
	single := e.Section == "profile" || e.Section == "tenant" // a shop has one
	switch {
	case e.Owner != nil && (listing.UserID == nil || *listing.UserID != *e.Owner), !isThere && !e.IsNew && !single:
		return fault.New(fault.NotFound, "there is no such record")
	case isThere && e.IsNew:
		return fault.New(fault.Conflict, "there is one already; update it, or choose another name for the new one")
	}
	return fault.CheckVersion(e.Version, version)
}

// planner returns the planner of an edit. To write, client is that of a transaction that holds the lock of the shop's
// content.
func planner(client *ent.Client, tenant uuid.UUID, now time.Time) *plan.Planner {
	return &plan.Planner{Client: client, Shop: tenant, Now: now.UTC().Truncate(time.Microsecond),
		Terms:  plan.Terms{Edit: true, Audited: true, AtOnce: plan.MovedAtOnce},
		Memory: plan.NewMemory(), Faults: new(document.Faults)}
}

// build returns the items of an edit's list as elements, or their faults.
func build(faults *document.Faults, items []map[string]any) ([]*document.Node, error) {
	list := &document.Node{Kind: jsontext.KindBeginArray, Parent: &document.Node{}, Name: "input", Index: -1}
	tree := document.NewTree(faults)
	for i, item := range items {
		element := tree.Build(item, list, "", i)
		if element == nil {
			return nil, faults.Fields()
		}
		list.Children = append(list.Children, element)
	}
	return list.Children, nil
}

// write writes a unit, if it changes anything and has no faults. A customer's edit of an own listing has no entry in
// the audit log.
func write(ctx context.Context, tx *ent.Tx, p *plan.Planner, unit *stored.Unit, action string) error {
	p.Finish()
	if p.Refused != nil {
		return p.Refused
	}
	if err := p.Faults.Fields(); err != nil {
		return err
	}
	if err := unit.Lock(ctx, tx); err != nil {
		return err
	}
	stock, changed, err := unit.CompareStock(ctx, tx.Client())
	if err = cmp.Or(err, refuseStock(changed)); err != nil {
		return err
	}
	return writeLocked(ctx, tx, p, unit, stock, action)
}

// writeLocked writes a unit without faults whose variants are locked and have the stock that it expects.
func writeLocked(
	ctx context.Context, tx *ent.Tx, p *plan.Planner, unit *stored.Unit, stock map[uuid.UUID]int, action string,
) error {
	if unit.IsEmpty() {
		return nil
	}
	for _, set := range unit.Stocks {
		if set.To != nil && record.BecameLow(stock[set.ID], *set.To, set.LowAt) {
			event := outbox.LowStock(p.Shop, set.ID, set.SKU, *set.To, p.Now)
			if err := outbox.Put(ctx, tx.Raw(), p.Shop, event); err != nil {
				return err
			}
		}
	}
	if p.Terms.Owner == nil { // before the rows: the entries hold the records as they are written
		if err := audit.Record(ctx, tx, action, unit.Changes()...); err != nil {
			return err
		}
	}
	if _, err := unit.WriteTo(ctx, tx, p.Shop); err != nil {
		return err
	}
	return derive.Raise(ctx, tx, p.Shop)
}

// refuseStock returns the error of variants that have another stock than an edit expects; nil if there are none.
func refuseStock(changed []stored.StockChanged) error {
	if len(changed) == 0 {
		return nil
	}
	refused := staleStock(changed[0])
	refused.Details = changed
	return refused
}

func staleStock(variant stored.StockChanged) *fault.Error {
	return fault.New(fault.Conflict, "the stock of %s is %d by now, not %d; look at it again, then decide",
		variant.Sku, variant.Stock, variant.ExpectedStock)
}
