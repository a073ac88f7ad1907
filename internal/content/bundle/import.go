package bundle

import (
	"context"
	"fmt"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/document"
	"storefront/internal/content/plan"
	"storefront/internal/content/stored"
	"storefront/internal/database/store"
	"storefront/internal/fault"
	"storefront/internal/platform/hostname"
	"storefront/internal/record"
	"storefront/internal/shop"
)

// Option changes how Import works.
type Option func(*importer)

// Atomic makes Import write the whole bundle in one transaction.
func Atomic(im *importer) { im.atomic = true }

// StableIDs makes Import derive the ids of new records from their natural keys and the order of the file. So
// the demo shops are the same in every database, and examples can name their records.
func StableIDs(im *importer) {
	nth := 0
	im.memory.NewID = func(kind, key string) uuid.UUID {
		nth++
		return record.StableID(nth, im.summary.Domain+" "+kind+" "+key)
	}
}

// Sheet is a bundle that was made of a sheet.
type Sheet struct {
	plan.Sheet
	// Kind is what the sheet is about, for its entry in the audit log, like that of Noted; empty: it has
	// none.
	Kind, File string

	Shop       uuid.UUID // whose domain the bundle must have; uuid.Nil: any
	Check      bool      // only check it and report what an import would do
	MostFaults int       // that are listed of a refused one
	// AtOnce makes Import fail with CONFLICT while another import of the shop runs. On SQLite it waits
	// instead: there imports of all shops share one lock.
	AtOnce bool
	// Allowed is called in each transaction; its error ends the import. It may be nil.
	Allowed func(ctx context.Context, client *ent.Client) error
	// Resting is called before each transaction, while the import holds no lock but that of imports. It may
	// be nil.
	Resting func()
}

// FromSheet makes Import read the products as rows of a sheet.
func FromSheet(s Sheet) Option {
	return func(im *importer) {
		im.sheet, im.terms.Sheet, im.faults.Most = s, &s.Sheet, s.MostFaults
		if s.Kind != "" {
			im.noted = &noted{record.NewID(), "importSheet", s.Kind, s.File}
		}
	}
}

// Import imports a bundle. Existing records of the tenant are found by their natural keys and updated if they
// differ; nothing is deleted (contract 6.1). progress may be nil; it is called from the same goroutine.
//
// First the whole bundle is checked, in itself and against the tenant's records: if there is any fault,
// nothing is written. Then the elements that differ are written in transactions of at most stored.StepSize records,
// so that customers do not wait for an import. Each transaction reads again what it changes, as others
// may have changed it. Elements that have become invalid are left out, and Import returns an error once all
// else is written. Each transaction leaves the shop consistent: records are written with all that belongs to
// them and with their derived data. An interrupted import is completed by running it again. With Atomic all
// is written in one transaction.
//
// Imports of one tenant wait for each other. The error is *document.Faults for a refused bundle, *LeftOut if elements
// were left out, and *Stopped if the writing was not finished. Any other error comes from reading the file or
// from the database, and nothing is written. The Summary beside *LeftOut or *Stopped counts what was written.
func Import(ctx context.Context, db *store.Store, open Opener, progress func(Progress),
	options ...Option) (Summary, error) {
	im := &importer{store: db, open: open, progress: progress, now: time.Now().UTC().Truncate(time.Microsecond),
		unlock: func() {}, memory: plan.NewMemory(), differs: map[string][]stored.Fate{},
		terms: plan.Terms{AtOnce: plan.MovedAtOnce}, stepSize: stored.StepSize, written: written{pause: stored.Pause}}
	for _, option := range options {
		option(im)
	}
	if im.progress == nil {
		im.progress = func(Progress) {}
	}
	var err error
	if im.outline, err = readOutline(open, &im.faults); err != nil {
		return Summary{}, err
	}
	if im.outline == nil {
		return Summary{}, im.faults.Err()
	}
	defer func() { im.unlock() }()
	if err := im.check(ctx); err != nil {
		return Summary{}, err
	}
	if im.sheet.Check {
		return im.summary, nil
	}
	return im.write(ctx)
}

// importer is one import of one bundle.
type importer struct {
	store    *store.Store
	open     Opener
	progress func(Progress)
	outline  *outline
	faults   document.Faults
	summary  Summary
	now      time.Time // the time of the import, for members without a time

	terms    plan.Terms
	memory   *plan.Memory
	sheet    Sheet
	noted    *noted // the entry of the audit log; nil: none
	atomic   bool
	stepSize int // weight of the elements of a transaction

	unlock  func() // releases the lock of the tenant's imports
	version int64  // of a new shop's content, as long as nobody else has changed it
	moving  bool   // some categories have moved, and not all of their records are in their new lists

	differs    map[string][]stored.Fate // by section: how each element differs from the tenant's records
	tenant     []*document.Node         // if it differs
	categories []*document.Node         // those that differ, parents first
	written    written
}

// check reads the whole bundle and notes its faults, and which elements must be written.
func (im *importer) check(ctx context.Context) error {
	checker := im.planner(im.store.Client, record.NewID(), true)
	err := walkSections(ctx, im.open, im.outline.sections, nil, &im.faults,
		func(ctx context.Context, section string, batch []*document.Node, last bool) error {
			if section == "tenant" && len(batch) > 0 {
				if err := im.find(ctx, batch[0]); err != nil {
					return err
				}
				checker.Shop, checker.IsNew = im.summary.Tenant, im.summary.Created
			}
			unit, err := checker.Plan(ctx, section, batch)
			if err == nil {
				im.noteOutcomes(unit.Outcomes)
				im.report(section, batch, last)
			}
			return err
		})
	if err != nil {
		return err
	}
	checker.Finish()
	im.atomic = im.atomic || checker.Together
	im.moving = checker.Moving || checker.Unfinished && im.terms.Sheet == nil // a sheet names no categories
	return im.faults.Err()
}

// planner returns a planner of the bundle's elements. Without a shop it checks them as those of a new one.
func (im *importer) planner(client *ent.Client, shop uuid.UUID, isNew bool) *plan.Planner {
	return &plan.Planner{Client: client, Shop: shop, IsNew: isNew, Now: im.now, Terms: im.terms, Memory: im.memory,
		Faults: &im.faults}
}

// report calls progress.
func (im *importer) report(section string, batch []*document.Node, last bool) {
	if len(batch) == 0 {
		return
	}
	done, total := max(batch[len(batch)-1].Index+1, 1), im.outline.sizes[section]
	if last {
		done = total
	}
	im.progress(Progress{Section: section, Done: done, Total: total, Writing: im.memory.Checked})
}

// noteOutcomes counts the records of elements, and notes which elements must be written. The fate of an element is the
// highest one of its records, but created only if it is its own record that does not exist.
func (im *importer) noteOutcomes(outcomes []stored.Outcome) {
	for _, one := range outcomes {
		im.summary.Sections.count(one)
		section, index := elementOf(one.Element)
		if one.Fate == stored.Created && one.Section != section {
			one.Fate = stored.Updated
		}
		if one.Fate == stored.Unchanged {
			continue
		}
		if more := index + 1 - len(im.differs[section]); more > 0 {
			im.differs[section] = append(im.differs[section], make([]stored.Fate, more)...)
		}
		before := im.differs[section][index]
		im.differs[section][index] = max(before, one.Fate)
		switch {
		case section == "tenant":
			im.tenant = []*document.Node{one.Element}
		case section == "categories" && before == stored.Unchanged:
			im.categories = append(im.categories, one.Element)
		}
	}
}

// elementOf returns the section of an element, and its index there.
func elementOf(n *document.Node) (section string, index int) {
	if n.Index < 0 { // the tenant or the profile
		return n.Name, 0
	}
	return n.Parent.Name, n.Index
}

// find finds the tenant that a bundle names by its domain, and locks it for other imports.
func (im *importer) find(ctx context.Context, named *document.Node) error {
	domain := ""
	if m := named.Member("domain"); m != nil && hostname.CheckTenant(strings.TrimSpace(m.Text)) == nil {
		domain = strings.TrimSpace(m.Text)
	}
	im.summary.Domain = domain
	row, isNew, err := im.lock(ctx, domain)
	switch {
	case err != nil:
		return err
	case im.sheet.Shop != uuid.Nil && row.ID != im.sheet.Shop:
		return fmt.Errorf("%s is the domain of another shop by now", domain)
	case row.ClosedAt != nil:
		return fmt.Errorf("%s is locked; `storefront shop unlock` unlocks it", domain)
	}
	im.summary.Tenant, im.summary.Created, im.version = row.ID, isNew, row.ContentVersion
	return nil
}

// lock finds the tenant of a domain, or makes a new one, and waits for other imports of it, even if they name another
// of its domains.
func (im *importer) lock(ctx context.Context, domain string) (row *ent.Tenant, isNew bool, err error) {
	lock, lockShop := im.store.Lock, im.store.LockImports
	if im.sheet.AtOnce && im.store.Client.Raw().Dialect() == dialect.Postgres { // do not wait
		lock, lockShop = im.store.TryLock, im.store.TryLockImports
	}
	if im.unlock, err = lockedOrBusy(lock(ctx, "import", domain)); err != nil {
		return nil, false, err
	}
	fresh := &ent.Tenant{ID: im.memory.NewID("tenant", ""), Domain: domain}
	present := func() (*ent.Tenant, error) {
		row, err := shop.Find(ctx, im.store.Client, domain)
		if ent.IsNotFound(err) {
			return fresh, nil
		}
		return row, err
	}
	for {
		before, err := present()
		if err != nil {
			return nil, false, fmt.Errorf("find the tenant: %w", err)
		}
		unlock, err := lockedOrBusy(lockShop(ctx, before.ID))
		if err != nil {
			return nil, false, err
		}
		row, err := present() // the domain may lead to another tenant by now
		if err == nil && row.ID == before.ID {
			first := im.unlock
			im.unlock = func() { unlock(); first() }
			return row, row == fresh, nil
		}
		unlock()
		if err != nil {
			return nil, false, fmt.Errorf("find the tenant: %w", err)
		}
	}
}

// lockedOrBusy returns the result of taking a lock, with an error if the lock was not taken.
func lockedOrBusy(unlock func(), err error) (func(), error) {
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
