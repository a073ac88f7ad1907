package bundle

import (
	"context"
	"fmt"
	"slices"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/derive"
	"storefront/internal/store"
	"storefront/internal/tenancy"
)

// Import brings a bundle into the database, in one transaction: all of it or, when anything is wrong,
// nothing. What the tenant has already is found by its natural key and updated where it differs; nothing is
// deleted (contract 6.1). progress may be nil; it is called now and then from the same goroutine.
//
// A bundle that is refused gives *Faults; every other error is about reading the file or about the database.
func Import(ctx context.Context, db *store.Store, open Opener, progress func(Progress)) (Summary, error) {
	var faults Faults
	found, err := readOutline(open, &faults)
	if err != nil {
		return Summary{}, err
	}
	if found == nil {
		return Summary{}, faults.err()
	}
	const tries = 3
	for try := 1; ; try++ {
		im := newImporter(db, progress, found)
		im.faults = Faults{slices.Clone(faults.List), faults.More}
		summary, err := im.run(ctx, open, found)
		if try == tries || !database.IsRetryable(err) && !database.IsUnique(err) {
			return summary, err
		}
	}
}

// importer is one import of one bundle.
type importer struct {
	store    *store.Store
	tx       *ent.Tx
	progress func(Progress)
	sizes    map[string]int
	done     int // elements of the section that is being read
	faults   Faults
	summary  Summary
	now      time.Time // the one moment of the import, where the bundle names none
	tenant   uuid.UUID

	change  derive.Change // records whose derived parts follow at the end
	changed map[uuid.UUID]bool
	moved   bool // a category that was there has another parent

	categories *categories
	places     *places             // nil until the first user product
	opinions   map[[32]byte]string // paths of comments and reviews by the hash of their natural key

	brands, products, variants, userProducts, blogs, portfolios index // by slug or SKU
	sliders, categoryGroups, brandGroups, specials              index // by key
}

func newImporter(db *store.Store, progress func(Progress), found *outline) *importer {
	im := &importer{
		store: db, progress: progress, sizes: found.sizes,
		now:      time.Now().UTC().Truncate(time.Microsecond),
		summary:  Summary{Sections: map[string]Counts{}},
		opinions: map[[32]byte]string{},
		changed:  map[uuid.UUID]bool{},
	}
	im.brands = newIndex("slug", im.findBrands)
	im.products = newIndex("slug", im.findProducts)
	im.variants = newIndex("SKU", im.findSKUs)
	im.userProducts = newIndex("slug", nil) // nothing refers to these
	im.blogs = newIndex("slug", im.findBlogs)
	im.portfolios = newIndex("slug", im.findPortfolios)
	im.sliders = newIndex("key", nil)
	im.categoryGroups = newIndex("key", nil)
	im.brandGroups = newIndex("key", nil)
	im.specials = newIndex("key", nil)
	return im
}

// run makes one try in a transaction of its own.
func (im *importer) run(ctx context.Context, open Opener, found *outline) (Summary, error) {
	tx, err := im.store.Client.Tx(ctx)
	if err != nil {
		return Summary{}, fmt.Errorf("begin the import: %w", err)
	}
	defer tx.Rollback() // after a commit it does nothing
	im.tx = tx
	if !slices.Contains(found.sections, "tenant") {
		if err := im.takeTenant(ctx, nil); err != nil {
			return Summary{}, err
		}
	}
	if err := walkSections(ctx, open, found, &im.faults, im.takeBatch); err != nil {
		return Summary{}, err
	}
	if err := im.finish(ctx); err != nil {
		return Summary{}, err
	}
	if err := tx.Commit(); err != nil {
		return Summary{}, fmt.Errorf("end the import: %w", err)
	}
	return im.summary, nil
}

// finish checks what can be seen only at the end, and derives.
func (im *importer) finish(ctx context.Context) error {
	if counts := im.summary.Sections["variants"]; counts.Created+counts.Updated > 0 && !im.faults.any() {
		if err := im.checkCurrencies(tenancy.In(ctx, im.tenant)); err != nil {
			return err
		}
	}
	if err := im.faults.err(); err != nil {
		return err
	}
	if !im.summary.Changed() {
		return nil
	}
	if im.moved {
		return derive.Tenant(ctx, im.tx, im.store.Dialect, im.tenant)
	}
	return derive.Records(ctx, im.tx, im.store.Dialect, im.tenant, im.change)
}

// takeBatch returns some elements of a section to whoever knows them. It is a taker.
func (im *importer) takeBatch(ctx context.Context, section string, batch []*node, last bool) error {
	objects := make([]*object, len(batch))
	for i, n := range batch {
		objects[i] = &object{node: n, faults: &im.faults}
	}
	if section == "tenant" {
		return im.takeTenant(ctx, objects)
	}
	ctx = tenancy.In(ctx, im.tenant)
	if len(objects) > 0 {
		if err := im.takers()[section](ctx, objects); err != nil {
			return fmt.Errorf("import %s: %w", section, err)
		}
	}
	if last && section == "categories" {
		if err := im.saveCategories(ctx); err != nil {
			return fmt.Errorf("import categories: %w", err)
		}
	}
	im.report(section, len(batch), last)
	return nil
}

func (im *importer) takers() map[string]func(ctx context.Context, batch []*object) error {
	return map[string]func(ctx context.Context, batch []*object) error{
		"profile":        im.takeProfile,
		"brands":         im.takeBrands,
		"categories":     im.takeCategories,
		"products":       im.takeProducts,
		"userProducts":   im.takeUserProducts,
		"blogs":          im.takeBlogs,
		"portfolios":     im.takePortfolios,
		"sliders":        im.takeSliders,
		"categoryGroups": im.takeCategoryGroups,
		"brandGroups":    im.takeBrandGroups,
		"specials":       im.takeSpecials,
		"comments":       im.takeComments,
		"expertReviews":  im.takeReviews,
	}
}

func (im *importer) report(section string, read int, last bool) {
	im.done += read
	if im.progress != nil && read > 0 {
		im.progress(Progress{Section: section, Done: im.done, Total: im.sizes[section]})
	}
	if last {
		im.done = 0
	}
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

// countFate notes what becomes of a record and reports whether it is to be written.
func (im *importer) countFate(section string, f fate) bool {
	counts := im.summary.Sections[section]
	switch f {
	case created:
		counts.Created++
	case updated:
		counts.Updated++
	default:
		counts.Unchanged++
	}
	im.summary.Sections[section] = counts
	return f != unchanged
}

// noteChanged notes a record whose derived parts may follow.
func (im *importer) noteChanged(id uuid.UUID, f fate) {
	switch {
	case f == unchanged || im.changed[id]:
		return
	case f == created:
		im.change.Added = append(im.change.Added, id)
	default:
		im.change.Changed = append(im.change.Changed, id)
	}
	im.changed[id] = true
}

// lock keeps two imports of one tenant apart. SQLite has one writer anyway.
func (im *importer) lock(ctx context.Context, domain string) error {
	if im.store.Dialect != dialect.Postgres {
		return nil
	}
	_, err := im.tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", "bundle "+domain)
	return err
}

// newID makes the id of a new record. Ids are made in the order of the file, which decides ties in lists.
func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }
