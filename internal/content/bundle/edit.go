package bundle

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"storefront/internal/content/stored"

	"storefront/internal/content/document"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/user"
	"storefront/internal/content/derive"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/shop/audit"
)

// Edit is a change of one record by staff. It is handled like an element of a bundle: an absent member
// changes nothing, null clears.
type Edit struct {
	Action  string            // the name of the mutation, for the audit log
	Section string            // of the bundle
	Key     map[string]string // the members that identify the record
	Members map[string]any    // the others, as decoded JSON
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
	Moving  bool // it is a category whose records are not yet in their new lists: see FinishMoves
}

// noVersion is the version of a record that is not there: the profile of a business before the first edit.
const noVersion = "0"

// VersionOf returns the version of a record by the time of its last edit.
func VersionOf(updatedAt time.Time) string { return updatedAt.UTC().Format(time.RFC3339Nano) }

// Apply makes the edit in a tenant, with its derived data and its entry in the audit log, in one transaction.
// It reports all faults in one VALIDATION_FAILED, with fields that begin with "input".
func (e Edit) Apply(ctx context.Context, client *ent.Client, tenant uuid.UUID) (Edited, error) {
	var im *importer
	err := inShop(ctx, client, tenant, e.holdOwner, func(ctx context.Context, tx *ent.Tx) (err error) {
		if e.Before != nil {
			if err := e.Before(ctx, tx); err != nil {
				return err
			}
		}
		im, err = newEdit(ctx, tx.Client(), tenant, e)
		if err == nil {
			err = im.apply(ctx, tx)
		}
		if err != nil && e.Owner == nil {
			err = stored.NowCalled(ctx, tx.Client(), stored.SlugKind(e.Section, e.Key), e.Key["slug"], err)
		}
		if err != nil || e.After == nil {
			return err
		}
		return e.After(ctx, tx, im.edit.id)
	})
	if err != nil {
		return Edited{}, err
	}
	if im.edit.moving && e.Moving != nil {
		transaction.AfterCommit(ctx, e.Moving)
	}
	return Edited{ID: im.edit.id, Version: VersionOf(im.edit.version), Moving: im.edit.moving}, nil
}

// holdOwner locks the account of the listing's owner, as the listing's foreign key will. An erasure locks
// accounts before the content of shops, so this must come first.
func (e Edit) holdOwner(ctx context.Context, tx *ent.Tx) error {
	if e.Owner == nil {
		return nil
	}
	_, err := tx.User.Query().Where(user.ID(*e.Owner)).
		Modify(database.ForKeyShare).Select(user.FieldID).All(ctx)
	return err
}

// edit is the state of an importer that makes an edit.
type edit struct {
	Edit
	at      time.Time // the updated_at of the written rows
	refused error
	id      uuid.UUID // of the record
	version time.Time // its updated_at
	moving  bool      // as in Edited
}

// newEdit returns the importer of an edit in a transaction that holds the lock of the shop's content.
func newEdit(ctx context.Context, client *ent.Client, tenant uuid.UUID, e Edit) (*importer, error) {
	im := newImporter(client)
	im.now, im.tenant = e.Now.UTC().Truncate(time.Microsecond), tenant
	im.edit = &edit{Edit: e, at: time.Now().UTC().Truncate(time.Microsecond)}
	im.writing = true // plan while reading; nothing is written if there are faults
	im.unit = new(unit)
	return im, im.loadCategories(ctx)
}

// apply reads the element and writes what it changes.
func (im *importer) apply(ctx context.Context, tx *ent.Tx) error {
	text, err := json.Marshal(im.edit.Members)
	if err == nil {
		err = im.loadUploads(ctx, text)
	}
	if err != nil {
		return fmt.Errorf("edit %s: %w", im.edit.Section, err)
	}
	o, err := im.element(json.RawMessage(text), &document.Node{}, "input", -1)
	if err != nil {
		return err
	}
	for name, value := range im.edit.Key { // outside the input, so that their faults have the argument's name
		key := &document.Node{Kind: jsontext.KindString, Text: value, Parent: o.Parent, Name: name, Index: -1}
		o.Children = append(o.Children, key)
	}
	if err := im.read(ctx, []*document.Object{o}); err != nil {
		return err
	}
	if im.edit.Section == "categories" {
		if one := im.categories.byID[im.edit.id]; one != nil {
			im.edit.moving = im.edit.moving || one.row.Moving
		}
	}
	isNew := im.edit.IsNew || im.edit.version.IsZero() // zero: a profile that was not there
	if len(im.unit.writes) > 0 && (o.Changed || isNew) {
		im.edit.version = im.edit.at
	}
	return im.writeEdit(ctx, tx)
}

// read reads elements of the edit's section. Their faults are in im.faults.
func (im *importer) read(ctx context.Context, batch []*document.Object) error {
	take := memberKinds[im.edit.Section].take
	if im.edit.Section == "variants" {
		take = (*importer).takeProducts
	}
	if err := take(im, ctx, batch); err != nil {
		return fmt.Errorf("edit %s: %w", im.edit.Section, err)
	}
	im.finishVariants()
	return im.edit.refused
}

// writeEdit writes what the edit changes, if anything and if it has no faults.
func (im *importer) writeEdit(ctx context.Context, tx *ent.Tx) error {
	if im.faults.Any() {
		return im.faults.Fields()
	}
	units := []*unit{im.unit}
	w := newWriter(im.client, im.tenant, mostShare)
	w.im = im
	if err := w.lockVariants(ctx, tx, units); err != nil || len(im.unit.writes) == 0 {
		return err
	}
	if err := w.writeIn(ctx, tx, units); err != nil {
		return err
	}
	return derive.Raise(ctx, tx, im.tenant)
}

// element returns a value of an edit as a member or an item of parent.
func (im *importer) element(value any, parent *document.Node, name string, index int) (*document.Object, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("edit %s: %w", im.edit.Section, err)
	}
	n := document.NewTree(&im.faults).Parse(text, parent, name, index, max(index, 0), 0)
	if n == nil {
		return nil, im.faults.Fields()
	}
	return &document.Object{Node: n, Faults: &im.faults, Strict: true}, nil
}

// elements returns the items of an edit's list.
func (im *importer) elements(items []map[string]any) ([]*document.Object, error) {
	list := &document.Node{Kind: jsontext.KindBeginArray, Parent: &document.Node{}, Name: "input", Index: -1}
	objects := make([]*document.Object, len(items))
	for i, item := range items {
		o, err := im.element(item, list, "", i)
		if err != nil {
			return nil, err
		}
		objects[i] = o
	}
	return objects, nil
}

// inShop runs work in a transaction that holds the lock of the shop's content. first, if any, runs before it
// takes the lock.
func inShop(ctx context.Context, client *ent.Client, tenant uuid.UUID,
	first, work func(context.Context, *ent.Tx) error,
) error {
	ctx = tenancy.In(ctx, tenant)
	return transaction.Run(ctx, client, func(tx *ent.Tx) error {
		if first != nil {
			if err := first(ctx, tx); err != nil {
				return err
			}
		}
		ctx, err := derive.Lock(ctx, tx, tenant)
		if err != nil {
			return err
		}
		return work(ctx, tx)
	})
}

// refuse sets the reason why the edit cannot be made. Only the first reason counts.
func (im *importer) refuse(why *fault.Error) {
	if im.edit.refused == nil {
		im.edit.refused = why
	}
}

// auditedRecord is a record that an edit or a sheet may change.
type auditedRecord struct {
	kind   string
	id     uuid.UUID
	before audit.Members // nil if it is new
	row    any           // as it is written
}

// record writes the entries of the audit log for the changed records of units. They belong to the units, so
// that records that are planned again or left out have none. A customer's edit of an own listing has no
// entry.
func (im *importer) record(ctx context.Context, tx *ent.Tx, units []*unit) error {
	var changes []audit.Change
	for _, one := range joined(units).audited {
		change := audit.Change{Kind: one.kind, ID: one.id, After: one.row}
		if one.before != nil {
			change.Before = one.before
		}
		changes = append(changes, change)
	}
	switch {
	case len(changes) == 0:
		return nil
	case im.edit == nil:
		return audit.Record(im.byWhom(ctx), tx, im.noted.action, changes...)
	case im.edit.Owner != nil:
		return nil
	}
	return audit.Record(ctx, tx, im.edit.Action, changes...)
}

// noteRecord notes a record before an edit or a sheet changes it. The first record of an edit is the edited
// one; the others belong to it. A sheet is an edit by staff, too, so each record that it changes has an entry
// in the audit log, besides that of the import (Noted). Other files have only that one: an operator may
// import a shop of any size.
func (im *importer) noteRecord(kind string, row any, id uuid.UUID, updatedAt time.Time, isThere bool) {
	if e := im.edit; e != nil {
		if isThere && !e.at.After(updatedAt) { // of a clock that was set back, or that stands
			e.at = updatedAt.UTC().Add(time.Microsecond)
		}
		if len(im.unit.audited) == 0 {
			e.begin(id, updatedAt, isThere)
		}
	} else if im.sheet == nil || im.noted == nil || !im.writing {
		return
	}
	found := auditedRecord{kind: kind, id: id, row: row}
	if isThere {
		found.before, _ = audit.Snapshot(row) // rows can always be encoded
	}
	im.unit.audited = append(im.unit.audited, found)
}

// begin notes the edited record, and refuses the edit if it is not as the edit expects.
func (e *edit) begin(id uuid.UUID, updatedAt time.Time, isThere bool) {
	e.id, e.version = id, updatedAt
	version := noVersion
	if isThere {
		version = VersionOf(updatedAt)
	}
	one := e.Section == "profile" || e.Section == "tenant" // a shop has one
	switch {
	case isThere && e.IsNew:
		e.refused = fault.New(fault.Conflict,
			"there is one already; update it, or choose another name for the new one")
	case !isThere && !e.IsNew && !one:
		e.refused = fault.New(fault.NotFound, "there is no such record")
	default:
		e.refused = cmp.Or(fault.CheckVersion(e.Version, version), e.refused)
	}
}
