package bundle

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/store"
	"storefront/internal/tenancy"
)

// Option changes how Import works.
type Option func(*importer)

// Atomic makes Import write the whole bundle in one transaction.
func Atomic(im *importer) { im.atomic = true }

// CheckOnly makes Import say what is wrong with a bundle and what it would do, and write nothing.
func CheckOnly(im *importer) { im.checkOnly = true }

// ListFaults makes Import list so many faults of a bundle that is refused.
func ListFaults(most int) Option { return func(im *importer) { im.faults.most = most } }

// Into makes Import refuse a bundle whose domain leads to another shop than this one, or to none.
func Into(tenant uuid.UUID) Option { return func(im *importer) { im.into = tenant } }

// Allowed makes Import ask, in each of its transactions, whether it may go on. An error ends it.
func Allowed(still func(ctx context.Context, client *ent.Client) error) Option {
	return func(im *importer) { im.allowed = still }
}

// AtOnce makes Import fail with CONFLICT while another import of the shop is under way. On SQLite, where imports of
// all shops have one lock, it waits.
func AtOnce(im *importer) { im.atOnce = true }

// Resting makes Import call f before each of its transactions, when it leaves locks to others, but for that of imports.
func Resting(f func()) Option { return func(im *importer) { im.resting = f } }

// StableIDs makes Import give the new records that have a natural key ids which follow from it and from the order of
// the file. The demo shops are so the same in every database, and examples name their records.
func StableIDs(im *importer) {
	nth := 0
	im.newID = func(kind, key string) uuid.UUID {
		nth++
		return record.StableID(nth, im.domain+" "+kind+" "+key)
	}
}

// Import brings a bundle into the database. What the tenant has already is found by its natural key and
// updated where it differs; nothing is deleted (contract 6.1). progress may be nil; it is called from the same
// goroutine.
//
// The bundle is read twice. First it is checked whole, against the file and against what the tenant has:
// nothing is written when anything is wrong. Then what differs is written, in transactions of a fraction of a
// second each, so that customers never wait behind an import. Each reads again what it changes, as others may
// have changed it since: what does not fit any more is left out, and Import returns an error once all else is
// written. Each of them leaves the shop consistent: records are written with all that belongs to them and
// with what is derived from them. An import that was interrupted is completed by running it again. With
// Atomic all is written in one transaction.
//
// Imports of one tenant wait for each other. A bundle that is refused gives *Faults, one that was checked and could not
// be written to its end *Stopped; every other error is about reading the file or about the database, and nothing is
// written. The Summary beside *LeftOut or *Stopped counts what was written.
func Import(ctx context.Context, db *store.Store, open Opener, progress func(Progress),
	options ...Option) (Summary, error) {
	var faults Faults
	found, err := readOutline(open, &faults)
	if err != nil {
		return Summary{}, err
	}
	if found == nil {
		return Summary{}, faults.err()
	}
	im := newImporter(db, progress, found)
	im.faults = faults
	for _, option := range options {
		option(im)
	}
	defer func() { im.unlock() }()
	if err := im.check(ctx, open, found); err != nil {
		return Summary{}, err
	}
	if im.checkOnly {
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
	faults   Faults
	summary  Summary
	now      time.Time // the one moment of the import, where the bundle names none
	tenant   uuid.UUID
	domain   string // of the tenant
	fresh    bool   // the tenant is new: there is nothing to look up
	unlock   func() // lets the next import of the tenant begin

	unitWeight int // of what is planned together
	mostShare  int // weight of the largest transaction
	resting    func()

	newID func(kind, key string) uuid.UUID // of a new record that has a natural key

	noted   *noted                                              // in the audit log; nil: nothing is
	into    uuid.UUID                                           // the only tenant that may be written to; uuid.Nil: any
	allowed func(ctx context.Context, client *ent.Client) error // is asked in each transaction; nil: nobody is
	atOnce  bool                                                // it does not wait for another import
	sheet   *Sheet                                              // nil: the bundle is not made of a sheet

	writing   bool // the bundle was checked
	atomic    bool
	checkOnly bool
	version   int64                // of the shop's content before the check
	differs   map[string][]element // the elements by section which are not as the tenant has them
	unit      *unit                // of the elements that are being taken
	section   string               // that the writer was given last
	writer    *writer

	newCategories map[categorySlug]uuid.UUID // ids
	tenantNode    *node                      // of the tenant where it differs
	categoryNodes []*node                    // of the categories that differ, parents first
	moving        bool                       // a category was moved, and not all of its records have followed

	categories *categories
	places     *places                   // nil until the first user product
	opinions   map[[32]byte][]saidBefore // the comments and reviews by the hash of record, author and text
	currencies map[string]string         // of the variants that are being taken, by SKU
	mixed      []*mixedProduct
	choices    []choice   // of the products that are being taken
	leftOver   []leftOver // variants beside those of the file

	brands, products, variants, blogs, portfolios index             // by slug or SKU; others refer to these
	unnamed                                       map[string]*index // of other kinds
}

var slugWord, keyWord = fault.Say("slug"), fault.Say("key")

func newImporter(db *store.Store, progress func(Progress), found *outline) *importer {
	im := &importer{
		store: db, client: db.Client, dialect: db.Dialect, progress: progress, sizes: found.sizes,
		now:        time.Now().UTC().Truncate(time.Microsecond),
		summary:    Summary{Sections: Sections{}},
		unlock:     func() {},
		newID:      anyID,
		unitWeight: unitWeight,
		mostShare:  mostShare,
		differs:    map[string][]element{},
		opinions:   map[[32]byte][]saidBefore{},
		currencies: map[string]string{},

		newCategories: map[categorySlug]uuid.UUID{},
	}
	im.makeIndexes()
	return im
}

// makeIndexes makes the indexes, in which nothing is known yet.
func (im *importer) makeIndexes() {
	im.brands = im.newIndex("brand", slugWord, lookUp(im, im.keyedBrands()))
	im.products = im.newIndex("product", slugWord, lookUp(im, im.keyedProducts()))
	im.variants = im.newIndex("variant", fault.Say("SKU"), im.findSKUs)
	im.blogs = im.newIndex("blog", slugWord, lookUp(im, im.keyedBlogs()))
	im.portfolios = im.newIndex("portfolio", slugWord, lookUp(im, im.keyedPortfolios()))
	im.unnamed = map[string]*index{}
}

// indexOf is the index of records that others do not refer to.
func (im *importer) indexOf(name string, word fault.Text) *index {
	if im.unnamed[name] == nil {
		made := im.newIndex(name, word, nil)
		im.unnamed[name] = &made
	}
	return im.unnamed[name]
}

// indexes are those of all kinds.
func (im *importer) indexes() []*index {
	return slices.AppendSeq([]*index{&im.brands, &im.products, &im.variants, &im.blogs, &im.portfolios},
		maps.Values(im.unnamed))
}

// check reads the whole bundle and notes what is wrong with it, and which of its elements are to be written.
func (im *importer) check(ctx context.Context, open Opener, found *outline) error {
	if !slices.Contains(found.sections, "tenant") {
		if err := im.takeTenant(ctx, nil); err != nil {
			return err
		}
	}
	if err := walkSections(ctx, open, found.sections, nil, &im.faults, im.takeBatch); err != nil {
		return err
	}
	im.finishChoices()
	im.finishCurrencies()
	return im.faults.err()
}

// takeBatch gives some elements of a section to the function that reads it, which notes what is wrong with them and
// whether they differ. It is a taker.
func (im *importer) takeBatch(ctx context.Context, section string, batch []*node, last bool) error {
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

// takeSome gives elements that are looked up and written together to the function that reads their section.
func (im *importer) takeSome(ctx context.Context, section string, batch []*node) error {
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

func (im *importer) objects(batch []*node) []*object {
	objects := make([]*object, len(batch))
	for i, n := range batch {
		objects[i] = &object{node: n, faults: &im.faults}
	}
	return objects
}

// report calls progress, if there is one.
func (im *importer) report(section string, batch []*node, last bool) {
	if im.progress == nil || len(batch) == 0 {
		return
	}
	done := max(batch[len(batch)-1].index+1, 1)
	if last {
		done = im.sizes[section]
	}
	im.progress(Progress{Section: section, Done: done, Total: im.sizes[section], Writing: im.writing})
}

// fate is what becomes of a record.
type fate int

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

// element is what the check of a bundle found of an element.
type element uint8

const (
	same    element = iota // as the tenant has it
	differs                // and its record is there
	isNew                  // its record is not there
)

// countFate notes what becomes of a record and reports whether it is to be written. o is the element of the file
// that the record stands in. What was there when the bundle was checked and is gone since is not made again: members of
// staff have deleted it.
func (im *importer) countFate(o *object, section string, f fate) bool {
	own, index := o.parent.name, o.index
	if index < 0 { // the tenant or the profile
		own, index = o.name, 0
	}
	if im.edit != nil {
		return f != unchanged
	}
	if im.writing {
		if f == created && own == section && im.differs[section][index] != isNew {
			im.faults.add(o.node, "was deleted during the import")
		}
		im.unit.done.count(section, f)
		return f != unchanged
	}
	im.summary.Sections.count(section, f)
	if f != unchanged {
		im.noteDifference(own, index, f == created && own == section)
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

// noteDifference notes that an element is to be written.
func (im *importer) noteDifference(section string, index int, fresh bool) {
	if im.differs[section] == nil {
		im.differs[section] = make([]element, im.sizes[section])
	}
	noted := &im.differs[section][index]
	if fresh {
		*noted = isNew
	} else if *noted == same {
		*noted = differs
	}
}

// noteChanged notes a record that was there and whose derived parts may follow.
func (im *importer) noteChanged(id uuid.UUID) {
	im.unit.change.Changed = append(im.unit.change.Changed, id)
}

// lock waits for the other imports by a domain, or fails while there is one.
func (im *importer) lock(ctx context.Context, domain string) (err error) {
	take := im.store.LockApart
	if im.fails() {
		take = im.store.TryLock
	}
	im.unlock, err = taken(take(ctx, "import", domain))
	return err
}

// lockShop is lock for the imports of a shop, by whichever of its domains.
func (im *importer) lockShop(ctx context.Context, shop uuid.UUID) (unlock func(), err error) {
	take := im.store.LockImports
	if im.fails() {
		take = im.store.TryLockImports
	}
	return taken(take(ctx, shop))
}

// fails reports whether the import fails where another one would wait for a lock.
func (im *importer) fails() bool { return im.atOnce && im.dialect == dialect.Postgres }

// taken names what a lock was not taken for.
func taken(unlock func(), err error) (func(), error) {
	switch {
	case err != nil:
		return func() {}, fmt.Errorf("wait for other imports: %w", err)
	case unlock == nil:
		return func() {}, Busy()
	}
	return unlock, nil
}

// Busy says that another import of the shop is under way.
func Busy() error {
	busy := fault.New(fault.Conflict, "another import of this shop is under way; wait until it has ended")
	busy.RetryAfter = 5 * time.Second
	return busy
}

// stored runs a query for what the tenant has already, which is nothing where the tenant is new.
func stored[R any](ctx context.Context, im *importer, all func(context.Context) ([]R, error)) ([]R, error) {
	if im.fresh {
		return nil, nil
	}
	return all(ctx)
}

// anyID makes the id of a new record without regard to its kind and key.
func anyID(_, _ string) uuid.UUID { return newID() }

// newID makes the id of a new record. Ids are made in the order of the file, which decides ties in lists.
func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }
