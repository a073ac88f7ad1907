package bundle

import (
	"context"
	"fmt"
	"slices"
	"time"

	"storefront/internal/content/document"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

// Option changes how Import works.
type Option func(*importer)

// Atomic makes Import write the whole bundle in one transaction.
func Atomic(im *importer) { im.atomic = true }

// StableIDs makes Import derive the ids of new records from their natural keys and the order of the file. So
// the demo shops are the same in every database, and examples can name their records.
func StableIDs(im *importer) {
	nth := 0
	im.newID = func(kind, key string) uuid.UUID {
		nth++
		return record.StableID(nth, im.domain+" "+kind+" "+key)
	}
}

// Import imports a bundle. Existing records of the tenant are found by their natural keys and updated if they
// differ; nothing is deleted (contract 6.1). progress may be nil; it is called from the same goroutine.
//
// First the whole bundle is checked, in itself and against the tenant's records: if there is any fault,
// nothing is written. Then the elements that differ are written in transactions of a fraction of a second
// each, so that customers do not wait for an import. Each transaction reads again what it changes, as others
// may have changed it. Elements that have become invalid are left out, and Import returns an error once all
// else is written. Each transaction leaves the shop consistent: records are written with all that belongs to
// them and with their derived data. An interrupted import is completed by running it again. With Atomic all
// is written in one transaction.
//
// Imports of one tenant wait for each other. The error is *Faults for a refused bundle, *LeftOut if elements
// were left out, and *Stopped if the writing was not finished. Any other error comes from reading the file or
// from the database, and nothing is written. The Summary beside *LeftOut or *Stopped counts what was written.
func Import(ctx context.Context, db *store.Store, open Opener, progress func(Progress),
	options ...Option) (Summary, error) {
	var faults document.Faults
	found, err := readOutline(open, &faults)
	if err != nil {
		return Summary{}, err
	}
	if found == nil {
		return Summary{}, faults.Err()
	}
	im := newImporter(db.Client)
	im.store, im.progress, im.sizes, im.faults = db, progress, found.sizes, faults
	for _, option := range options {
		option(im)
	}
	defer func() { im.unlock() }()
	if err := im.check(ctx, open, found); err != nil {
		return Summary{}, err
	}
	if im.sheet != nil && im.sheet.Check {
		return im.summary, nil
	}
	return im.write(ctx, open, found)
}

// importer is one import of one bundle.
type importer struct {
	store    *store.Store // nil: an edit
	client   *ent.Client  // of the store, or of the transaction of an edit
	dialect  string
	edit     *edit // nil: a bundle is imported
	progress func(Progress)
	sizes    map[string]int
	faults   document.Faults
	summary  Summary
	now      time.Time // the time of the import, for members without a time
	tenant   uuid.UUID
	domain   string // of the tenant
	fresh    bool   // the tenant is new, so that there is nothing to look up
	unlock   func() // releases the lock of the tenant's imports

	unitWeight int // weight of the elements that are planned together
	mostShare  int // weight of the largest transaction

	newID func(kind, key string) uuid.UUID // returns the id of a new record with a natural key

	uploads *uploads // those an edit may use; nil for a file, where they are not checked

	noted *noted // the entry of the audit log; nil: none
	sheet *Sheet // nil: the bundle does not come from a sheet

	writing bool // the bundle was checked
	atomic  bool
	version int64             // of the shop's content before the check
	differs map[string][]fate // by section: how each element differs from the tenant's records
	unit    *unit             // of the current elements
	section string            // the section last passed to the writer
	writer  *writer

	newCategories map[categorySlug]uuid.UUID // ids
	tenantNode    *document.Node             // of the tenant, if it differs
	categoryNodes []*document.Node           // of the categories that differ, parents first
	moving        bool                       // a category was moved, and some of its records have not been updated yet

	categories *categories
	locations  *locations                // nil until the first user product
	opinions   map[[32]byte][]saidBefore // the comments and reviews by the hash of record, author and text
	offered    []offeredProduct          // the current ones
	leftOver   []leftOver                // conflicting variants that are not in the file so far
	mixed      []leftOver                // likewise: those in another currency

	indexes map[string]*index // by section
	renewed bool              // others have changed the shop since the check
}

func newImporter(client *ent.Client) *importer {
	return &importer{
		client: client, dialect: client.Raw().Dialect(),
		now:        time.Now().UTC().Truncate(time.Microsecond),
		summary:    Summary{Sections: Sections{}},
		unlock:     func() {},
		newID:      func(_, _ string) uuid.UUID { return record.NewID() },
		unitWeight: unitWeight,
		mostShare:  mostShare,
		differs:    map[string][]fate{},
		opinions:   map[[32]byte][]saidBefore{},
		indexes:    map[string]*index{},

		newCategories: map[categorySlug]uuid.UUID{},
	}
}

// check reads the whole bundle and notes its faults, and which elements must be written.
func (im *importer) check(ctx context.Context, open Opener, found *outline) error {
	if !slices.Contains(found.sections, "tenant") {
		if err := im.takeTenant(ctx, nil); err != nil {
			return err
		}
	}
	if err := walkSections(ctx, open, found.sections, nil, &im.faults, im.takeBatch); err != nil {
		return err
	}
	im.finishVariants()
	return im.faults.Err()
}

// takeBatch checks some elements of a section: it notes their faults and whether they differ. It is a taker.
func (im *importer) takeBatch(ctx context.Context, section string, batch []*document.Node, last bool) error {
	im.unit = new(unit) // nothing is written yet
	if err := im.takeSome(ctx, section, batch); err != nil {
		return err
	}
	if last && section == "categories" {
		if err := im.saveCategories(tenancy.In(ctx, im.tenant)); err != nil {
			return fmt.Errorf("import categories: %w", err)
		}
	}
	im.report(section, batch, last)
	return nil
}

// takeSome passes elements that are looked up and written together to the function that reads their section.
func (im *importer) takeSome(ctx context.Context, section string, batch []*document.Node) error {
	objects := im.objects(batch)
	if section == "tenant" {
		return im.takeTenant(ctx, objects)
	}
	if len(objects) == 0 {
		return nil
	}
	if err := memberKinds[section].take(im, tenancy.In(ctx, im.tenant), objects); err != nil {
		return fmt.Errorf("import %s: %w", section, err)
	}
	return nil
}

func (im *importer) objects(batch []*document.Node) []*document.Object {
	return convert.All(batch, func(n *document.Node) *document.Object { return &document.Object{Node: n, Faults: &im.faults} })
}

// report calls progress, if there is one.
func (im *importer) report(section string, batch []*document.Node, last bool) {
	if im.progress == nil || len(batch) == 0 {
		return
	}
	done := max(batch[len(batch)-1].Index+1, 1)
	if last {
		done = im.sizes[section]
	}
	im.progress(Progress{Section: section, Done: done, Total: im.sizes[section], Writing: im.writing})
}

// fate is the outcome of a record. That of an element in the check of a bundle is the highest one of its
// records, but created only if it is its own record that does not exist.
type fate uint8

const (
	unchanged fate = iota
	updated
	created
)

func fateOf(isNew, changed bool) fate {
	switch {
	case isNew:
		return created
	case changed:
		return updated
	}
	return unchanged
}

// countFate counts the outcome of a record and reports whether it must be written. o is the element of the
// file with the record. A record that was deleted since the check is not made again, because staff have
// deleted it.
func (im *importer) countFate(o *document.Object, section string, f fate) bool {
	own, index := o.Parent.Name, o.Index
	if index < 0 { // the tenant or the profile
		own, index = o.Name, 0
	}
	if im.edit != nil {
		return f != unchanged
	}
	if im.writing {
		if f == created && own == section && im.differs[section][index] != created {
			im.faults.Add(o.Node, "was deleted during the import")
		}
		im.unit.done.count(section, f)
		return f != unchanged
	}
	im.summary.Sections.count(section, f)
	if f == created && own != section {
		f = updated
	}
	if f != unchanged && im.differs[own] == nil {
		im.differs[own] = make([]fate, im.sizes[own])
	}
	if f != unchanged {
		im.differs[own][index] = max(im.differs[own][index], f)
	}
	return f != unchanged
}

// counts returns the counts of the elements that are being read; some were counted already.
func (im *importer) counts() Sections {
	if im.writing {
		return im.unit.done
	}
	return im.summary.Sections
}

// noteChanged notes an existing record whose derived data may have to be updated.
func (im *importer) noteChanged(id uuid.UUID) {
	im.unit.change.Changed = append(im.unit.change.Changed, id)
}

// taken returns the result of taking a lock, with an error if the lock was not taken.
func taken(unlock func(), err error) (func(), error) {
	switch {
	case err != nil:
		return func() {}, fmt.Errorf("wait for other imports: %w", err)
	case unlock == nil:
		return func() {}, Busy()
	}
	return unlock, nil
}

// Busy returns the error that another import of the shop is running.
func Busy() error {
	return fault.New(fault.Conflict, "another import of this shop is under way; wait until it has ended").
		After(5 * time.Second)
}
