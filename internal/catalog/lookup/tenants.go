package lookup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/database"
)

// ErrUnknown is the error of a domain that no shop has.
var ErrUnknown = errors.New("lookup: no tenant has this domain")

// Installation takes the place of a domain for what all tenants share, such as the tree of locations: it is found as a
// tenant without an id, whose version rises with every migration and every change of shared records.
const Installation = "installation"

// lookLimit is how long a look may take. A request waits for two at most, the one under way and its own, and
// has 8 s in all.
const lookLimit = 4 * time.Second

// Tenants finds tenants by their domain.
type Tenants struct {
	shared *Shared[string, *ent.Tenant]
	closed closedShops
	db     *sql.DB
	whole  *ent.Client // reads whole rows

	sellers sellers

	// kept holds the rows that earlier looks read; only looks use it, and they never overlap. A row changes
	// only together with its version, so a look need not read an unchanged one again.
	kept map[uuid.UUID]*ent.Tenant
}

// maxKept bounds the number of kept rows.
const maxKept = 10_000

// NewTenants returns the tenants of a migrated database.
func NewTenants(db *database.DB) *Tenants {
	t := &Tenants{
		db: db.ShortReads(), kept: map[uuid.UUID]*ent.Tenant{},
		whole: ent.NewClient(ent.Driver(entsql.OpenDB(db.Dialect, db.ShortReads()))),
	}
	t.shared = newShared(lookLimit, t.look)
	t.closed.look = newShared(lookLimit, t.readClosed)
	t.sellers.look = newShared(lookLimit, t.readSellers)
	return t
}

// Find returns the tenant of a domain, in hostname.Normalize form, as it was at some moment after the call;
// the caller must not change it. It fails with ErrUnknown.
func (t *Tenants) Find(ctx context.Context, domain string) (*ent.Tenant, error) {
	found, err := t.shared.Find(ctx, domain)
	if err != nil {
		return nil, err
	}
	if row := found[domain]; row != nil {
		return row, nil
	}
	return nil, ErrUnknown
}

// FindAll returns tenants by their domains, as Find does. It leaves out domains that no tenant has, and may
// add others.
func (t *Tenants) FindAll(ctx context.Context, domains []string) (map[string]*ent.Tenant, error) {
	return t.shared.Find(ctx, domains...)
}

const migrationsText = "SELECT count(*) + (SELECT COALESCE(SUM(version), 0) FROM installations) FROM schema_migrations"

// look reads the versions of the rows, and the whole of those that changed since the last look.
func (t *Tenants) look(ctx context.Context, domains []string) (map[string]*ent.Tenant, error) {
	found := make(map[string]*ent.Tenant, len(domains))
	if i := slices.Index(domains, Installation); i >= 0 {
		all := &ent.Tenant{Domain: Installation}
		err := t.db.QueryRowContext(ctx, migrationsText).Scan(&all.ContentVersion)
		if err != nil {
			return nil, fmt.Errorf("count migrations: %w", err)
		}
		found[Installation] = all
		domains = slices.Delete(domains, i, i+1)
	}
	for some := range slices.Chunk(domains, manyDomains) {
		if err := t.lookAtSome(ctx, some, found); err != nil {
			return nil, fmt.Errorf("find tenants by their domains: %w", err)
		}
	}
	return found, nil
}

// The numbers of domains in one statement. A smaller number is padded, so that there are few texts to prepare.
const (
	fewDomains  = 8
	manyDomains = 100
)

// The statements that look domains up, by their number of domains.
var (
	ofOwnDomains = textsOf("SELECT domain, id, domain, content_version FROM tenants WHERE domain")
	ofAliases    = textsOf("SELECT alias.domain, shop.id, shop.domain, shop.content_version " +
		"FROM domain_aliases alias JOIN tenants shop ON shop.id = alias.business_id WHERE alias.domain")
)

// textsOf returns the variants of a statement, by their number of domains.
func textsOf(statement string) map[int]string {
	texts := map[int]string{}
	for _, domains := range []int{1, fewDomains, manyDomains} {
		places := make([]string, domains)
		for i := range places {
			places[i] = fmt.Sprintf("$%d", i+1)
		}
		texts[domains] = statement + " IN (" + strings.Join(places, ", ") + ")"
	}
	return texts
}

// lookAtSome looks for shops with the domains as their own, and then, for the rest, as aliases.
func (t *Tenants) lookAtSome(ctx context.Context, domains []string, tenants map[string]*ent.Tenant) error {
	if err := t.lookBy(ctx, ofOwnDomains, domains, tenants); err != nil {
		return err
	}
	left := slices.DeleteFunc(slices.Clone(domains), func(domain string) bool { return tenants[domain] != nil })
	if len(left) == 0 {
		return nil
	}
	return t.lookBy(ctx, ofAliases, left, tenants)
}

func (t *Tenants) lookBy(
	ctx context.Context, texts map[int]string, domains []string, tenants map[string]*ent.Tenant,
) error {
	size := manyDomains
	switch {
	case len(domains) == 1:
		size = 1
	case len(domains) <= fewDomains:
		size = fewDomains
	}
	args := make([]any, size)
	for i := range args {
		args[i] = domains[min(i, len(domains)-1)]
	}
	rows, err := t.db.QueryContext(ctx, texts[size], args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	changed := map[uuid.UUID][]string{} // the domains they were looked up by
	for rows.Next() {
		var asked, domain string
		var id uuid.UUID
		var version int64
		if err := rows.Scan(&asked, &id, &domain, &version); err != nil {
			return err
		}
		if row := t.kept[id]; row != nil && row.Domain == domain && row.ContentVersion == version {
			tenants[asked] = row
		} else {
			changed[id] = append(changed[id], asked)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil || len(changed) == 0 {
		return err
	}
	whole, err := t.whole.Tenant.Query().Where(tenant.IDIn(slices.Collect(maps.Keys(changed))...)).All(ctx)
	if err != nil {
		return err
	}
	for _, row := range whole {
		for _, asked := range changed[row.ID] {
			tenants[asked] = row
		}
		t.keep(row)
	}
	return nil
}

// keep keeps a row for later looks, in place of a random one if there are too many.
func (t *Tenants) keep(row *ent.Tenant) {
	for id := range t.kept {
		if len(t.kept) < maxKept {
			break
		}
		delete(t.kept, id)
	}
	t.kept[row.ID] = row
}
