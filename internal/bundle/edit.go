package bundle

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/user"
	"storefront/internal/audit"
	"storefront/internal/database"
	"storefront/internal/derive"
	"storefront/internal/fault"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
)

// Edit is a change of one record by staff. It is handled like an element of a bundle: an absent member
// changes nothing, null clears.
type Edit struct {
	Action  string            // the name of the mutation, for the audit log
	Section string            // of the bundle
	Key     map[string]string // the members that identify the record
	Members map[string]any    // the others, as decoded JSON
	IsNew   bool              // the record must not exist yet; otherwise it must
	Version string            // the version that was edited, noVersion if there was no record; empty: any
	Now     time.Time         // the time of publication, unless Members have one

	// Owner is the customer whose own listing is edited; other customers' listings are not found. Nil for an
	// edit of staff, which is recorded in the audit log.
	Owner *uuid.UUID
	// Before and After run in the same transaction; they may be nil.
	Before func(ctx context.Context, tx *ent.Tx) error
	After  func(ctx context.Context, tx *ent.Tx, id uuid.UUID) error
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
	ctx = tenancy.In(ctx, tenant)
	var im *importer
	err := transaction.Run(ctx, client, func(tx *ent.Tx) error {
		if err := e.holdOwner(ctx, tx); err != nil {
			return err
		}
		ctx, err := derive.Lock(ctx, tx, tenant)
		if err != nil {
			return err
		}
		if e.Before != nil {
			if err := e.Before(ctx, tx); err != nil {
				return err
			}
		}
		im = newEdit(tx.Client(), tenant, e)
		err = im.apply(ctx, tx)
		if err != nil && e.Owner == nil {
			err = NowCalled(ctx, tx.Client(), slugKind(e.Section, e.Key), e.Key["slug"], err)
		}
		if err != nil || e.After == nil {
			return err
		}
		return e.After(ctx, tx, im.edit.id)
	})
	if err != nil {
		return Edited{}, err
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
	object  *object
	audited []auditedRecord
	stocks  []stockSet
}

// auditedRecord is a record that an edit may change, as it was before.
type auditedRecord struct {
	kind   string
	id     uuid.UUID
	before any // an audit.Members or the row as it was; nil if it is new
	row    any
}

func newEdit(client *ent.Client, tenant uuid.UUID, e Edit) *importer {
	now := time.Now().UTC().Truncate(time.Microsecond)
	im := &importer{
		client: client, dialect: client.Raw().Dialect(), now: e.Now.UTC().Truncate(time.Microsecond), tenant: tenant,
		newID:      anyID,
		edit:       &edit{Edit: e, at: now},
		faults:     Faults{strict: true},
		writing:    true, // plan while reading; nothing is written if there are faults
		unit:       new(unit),
		summary:    Summary{Sections: map[string]Counts{}},
		unitWeight: unitWeight,
		mostShare:  mostShare,

		newCategories: map[categorySlug]uuid.UUID{},
		indexes:       map[string]*index{},
	}
	return im
}

// apply reads the element and writes what it changes.
func (im *importer) apply(ctx context.Context, tx *ent.Tx) error {
	if err := im.loadCategories(ctx); err != nil {
		return err
	}
	o, err := im.element(ctx)
	if err != nil {
		return err
	}
	im.edit.object = o
	take := memberKinds[im.edit.Section].take
	if im.edit.Section == "tenant" {
		take = (*importer).editTenant
	}
	if err := take(im, ctx, []*object{o}); err != nil {
		return fmt.Errorf("edit %s: %w", im.edit.Section, err)
	}
	if im.edit.Section == "categories" {
		if err := im.saveCategories(ctx); err != nil {
			return err
		}
		if one := im.categories.byID[im.edit.id]; one != nil {
			im.edit.moving = im.edit.moving || one.row.Moving
		}
	}
	im.finishVariants()
	if im.edit.refused != nil {
		return im.edit.refused
	}
	if im.faults.any() {
		return im.faults.fields()
	}
	return im.writeEdit(ctx, tx, im.unit)
}

// writeEdit writes what the edit changes, if anything.
func (im *importer) writeEdit(ctx context.Context, tx *ent.Tx, planned *unit) error {
	if len(planned.writes) == 0 {
		return im.settleStock(ctx, tx)
	}
	units := []*unit{planned}
	if im.edit.object.changed || im.edit.IsNew || im.edit.version.IsZero() { // zero: a profile that was not there
		im.edit.version = im.edit.at
	}
	noted := im.edit.Owner != nil
	if !noted && !im.setsStock() { // before it takes locks that customers wait for
		if err := im.record(ctx, tx); err != nil {
			return err
		}
		noted = true
	}
	w := newWriter(im.client, im.tenant, mostShare)
	if err := w.lockVariants(ctx, tx, units); err != nil {
		return err
	}
	if err := im.settleStock(ctx, tx); err != nil {
		return err
	}
	if !noted {
		if err := im.record(ctx, tx); err != nil {
			return err
		}
	}
	if err := w.writeIn(ctx, tx, units); err != nil {
		return err
	}
	return derive.Raise(ctx, tx, im.tenant)
}

// record writes the edit's entry of the audit log.
func (im *importer) record(ctx context.Context, tx *ent.Tx) error {
	return audit.Record(ctx, tx, im.edit.Action, changesOf(im.edit.audited)...)
}

func changesOf(all []auditedRecord) []audit.Change {
	changes := make([]audit.Change, len(all))
	for i, one := range all {
		changes[i] = audit.Change{Kind: one.kind, ID: one.id, Before: one.before, After: one.row}
	}
	return changes
}

// element returns the edit as an element of a bundle.
func (im *importer) element(ctx context.Context) (*object, error) {
	text, err := json.Marshal(im.edit.Members)
	if err == nil {
		err = im.loadUploads(ctx, text)
	}
	if err != nil {
		return nil, fmt.Errorf("edit %s: %w", im.edit.Section, err)
	}
	request := &node{}
	n := newTree(&im.faults).parse(text, request, "input", -1, 0, 0)
	if n == nil {
		return nil, im.faults.fields()
	}
	for name, value := range im.edit.Key { // outside the input, so that their faults have the argument's name
		key := &node{kind: jsontext.KindString, text: value, parent: request, name: name, index: -1}
		n.children = append(n.children, key)
	}
	return &object{node: n, faults: &im.faults}, nil
}

// refuse sets the reason why the edit cannot be made. Only the first reason counts.
func (im *importer) refuse(why *fault.Error) {
	if im.edit.refused == nil {
		im.edit.refused = why
	}
}

// noteRecord notes a record before an edit or a sheet changes it. The first record of an edit is the edited
// one; the others belong to it.
func (im *importer) noteRecord(kind string, row any, id uuid.UUID, updatedAt time.Time, isThere bool) {
	e := im.edit
	if e == nil {
		im.noteSheetRecord(kind, row, id, isThere)
		return
	}
	if isThere && !e.at.After(updatedAt) { // of a clock that was set back, or that stands
		e.at = updatedAt.UTC().Add(time.Microsecond)
	}
	if len(e.audited) == 0 {
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
		case e.Version != "" && e.Version != version:
			e.refused = fault.New(fault.Conflict, "somebody else has changed it meanwhile; read it again, then decide")
		}
	}
	found := auditedRecord{kind: kind, id: id, row: row}
	if isThere {
		found.before, _ = audit.Snapshot(row) // rows can always be encoded
	}
	e.audited = append(e.audited, found)
}
