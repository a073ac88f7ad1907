package catalog

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"storefront/internal/record"
)

// PublicPage is a public record with a page of its own.
type PublicPage struct {
	Slug    string
	Changed time.Time // when the record was changed, or became public
	mark    PageMark
}

// PageMark is the position of a record in the order in which records became public.
type PageMark struct {
	at time.Time
	id uuid.UUID
}

// firstMark and lastMark are before and after all records.
var (
	firstMark = PageMark{at: time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)}
	lastMark  = PageMark{at: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC), id: uuid.Max}
)

// String returns the mark as a part of a file's name: microseconds since the year 1, and the id.
func (m PageMark) String() string {
	return fmt.Sprintf("%016x%x", m.at.UnixMicro()-firstMark.at.UnixMicro(), m.id[:])
}

// ParsePageMark reads the result of String.
func ParsePageMark(text string) (m PageMark, ok bool) {
	const digits = 16
	if len(text) != digits+2*len(m.id) {
		return m, false
	}
	micros, err := strconv.ParseUint(text[:digits], 16, 63)
	if err != nil || int64(micros) > lastMark.at.UnixMicro()-firstMark.at.UnixMicro() {
		return m, false
	}
	if _, err := hex.Decode(m.id[:], []byte(text[digits:])); err != nil {
		return m, false
	}
	m.at = time.UnixMicro(int64(micros) + firstMark.at.UnixMicro()).UTC()
	return m, m.String() == text
}

// PageRange is a part of the records of a kind: those after one mark, up to and including another one. Records that
// become public later come after all existing marks, so that the ranges of a growing list stay the same.
type PageRange struct{ after, until PageMark }

// ParsePageRange reads the marks of a range. As after, "0" means the first record; as until, "" means the last one.
func ParsePageRange(after, until string) (r PageRange, ok bool) {
	r = PageRange{firstMark, lastMark}
	if after != "0" {
		if r.after, ok = ParsePageMark(after); !ok {
			return r, false
		}
	}
	if until != "" {
		r.until, ok = ParsePageMark(until)
		return r, ok
	}
	return r, true
}

// Marks returns the range in the form that ParsePageRange reads.
func (r PageRange) Marks() (after, until string) {
	after = "0"
	if r.after != firstMark {
		after = r.after.String()
	}
	if r.until != lastMark {
		until = r.until.String()
	}
	return after, until
}

// pageTable is how the public records of a kind are read: by an index, for kinds of which a shop may have many records.
type pageTable struct {
	name, moment, public string
}

const published = "status = 'published' AND published_at <= $6"

// pageTables are the tables of all kinds of pages except the home page. Categories and brands are public as soon as
// they are created.
var pageTables = map[record.PageKind]pageTable{
	record.ProductPage:           {"products", "published_at", published},
	record.ListingPage:           {"user_products", "published_at", published},
	record.BlogPage:              {"blogs", "published_at", published},
	record.PortfolioPage:         {"portfolios", "published_at", published},
	record.BrandPage:             {"brands", "created_at", "TRUE"},
	record.CategoryPage:          {"categories", "created_at", "entity_type = 'product'"},
	record.BlogCategoryPage:      {"categories", "created_at", "entity_type = 'blog'"},
	record.PortfolioCategoryPage: {"categories", "created_at", "entity_type = 'portfolio'"},
}

// from returns the SQL for the records of a range: of shop $1, after ($2, $3), up to ($4, $5), public at $6.
func (t pageTable) from() string {
	return " FROM " + t.name + " WHERE tenant_id = $1 AND " + t.public +
		" AND (" + t.moment + ", id) > ($2, $3) AND (" + t.moment + ", id) <= ($4, $5)"
}

func (t pageTable) arguments(ctx context.Context, shop uuid.UUID, r PageRange) []any {
	all := []any{shop, r.after.at, r.after.id, r.until.at, r.until.id}
	if t.public == published {
		all = append(all, RequestTime(ctx))
	}
	return all
}

// pagesAtOnce is how many records one statement reads.
const pagesAtOnce = 500

// EachPublicPage calls some with the public records of a kind in a range, in batches, until it has read most of them.
// It holds no connection while some runs, so it may or may not see changes that others make meanwhile.
func (r *Catalog) EachPublicPage(
	ctx context.Context, shop uuid.UUID, kind record.PageKind, in PageRange, most int, some func([]PublicPage) error,
) error {
	ctx = InTenant(ctx, shop)
	for most > 0 {
		pages, err := r.publicPages(ctx, shop, pageTables[kind], in, min(most, pagesAtOnce))
		if err != nil {
			return fmt.Errorf("read the pages of a shop: %w", err)
		}
		if len(pages) == 0 {
			return nil
		}
		if err := some(pages); err != nil || len(pages) < pagesAtOnce {
			return err
		}
		in.after, most = pages[len(pages)-1].mark, most-len(pages)
	}
	return nil
}

func (r *Catalog) publicPages(
	ctx context.Context, shop uuid.UUID, t pageTable, in PageRange, most int,
) (pages []PublicPage, err error) {
	rows, err := r.store.QueryContext(ctx, "SELECT slug, "+t.moment+", updated_at, id"+t.from()+
		" ORDER BY "+t.moment+", id LIMIT "+strconv.Itoa(most), t.arguments(ctx, shop, in)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p PublicPage
		if err := rows.Scan(&p.Slug, &p.mark.at, &p.Changed, &p.mark.id); err != nil {
			return nil, err
		}
		p.mark.at = p.mark.at.UTC()
		p.Changed = later(p.Changed, p.mark.at)
		pages = append(pages, p)
	}
	return pages, errors.Join(rows.Err(), rows.Close())
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// PagePart is a range that has records, and the time of the latest change to one of them.
type PagePart struct {
	PageRange
	Changed time.Time
}

// pageParts are the parts of a kind of pages.
type pageParts []PagePart

// Bytes returns the memory that the parts take.
func (p pageParts) Bytes() int { return 150 * len(p) }

// PageParts divides the public records of a kind into ranges of at most size records. It caches them until the content
// changes.
func (r *Catalog) PageParts(ctx context.Context, shop uuid.UUID, kind record.PageKind, size int) ([]PagePart, error) {
	ctx = InTenant(ctx, shop)
	read := func(ctx context.Context) (pageParts, time.Time, error) {
		parts, err := r.readPageParts(ctx, shop, pageTables[kind], size)
		if err != nil {
			return nil, time.Time{}, fmt.Errorf("divide the pages of a shop: %w", err)
		}
		next, err := r.nextChange(ctx, shop)
		return parts, next, err
	}
	type divided struct {
		kind record.PageKind
		size int
	}
	return countOnce(ctx, r, subject{tenant: shop, what: "page parts", filter: divided{kind, size}},
		surely(r, shop, read))
}

func (r *Catalog) readPageParts(
	ctx context.Context, shop uuid.UUID, t pageTable, size int,
) (parts pageParts, err error) {
	for after := firstMark; ; {
		part := PagePart{PageRange: PageRange{after, lastMark}}
		last, more, err := r.markBehind(ctx, shop, t, part.PageRange, size)
		if err != nil {
			return nil, err
		}
		if more {
			part.until = last
		}
		var has bool
		if part.Changed, has, err = r.lastChange(ctx, shop, t, part.PageRange); err != nil {
			return nil, err
		}
		if has {
			parts = append(parts, part)
		}
		if !more {
			return parts, nil
		}
		after = last
	}
}

// markBehind returns the mark of the record at a position in a range, if the range is that long.
func (r *Catalog) markBehind(
	ctx context.Context, shop uuid.UUID, t pageTable, in PageRange, position int,
) (m PageMark, ok bool, err error) {
	rows, err := r.store.QueryContext(ctx, "SELECT "+t.moment+", id"+t.from()+
		" ORDER BY "+t.moment+", id LIMIT 1 OFFSET "+strconv.Itoa(position-1), t.arguments(ctx, shop, in)...)
	if err != nil {
		return m, false, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&m.at, &m.id); err != nil {
			return m, false, err
		}
		m.at, ok = m.at.UTC(), true
	}
	return m, ok, errors.Join(rows.Err(), rows.Close())
}

// lastChange returns the time of the latest change to a record of a range, if the range has records.
func (r *Catalog) lastChange(
	ctx context.Context, shop uuid.UUID, t pageTable, in PageRange,
) (changed time.Time, has bool, err error) {
	rows, err := r.store.QueryContext(ctx, "SELECT MAX(updated_at), MAX("+t.moment+")"+t.from(),
		t.arguments(ctx, shop, in)...)
	if err != nil {
		return changed, false, err
	}
	defer rows.Close()
	for rows.Next() {
		var updated, began any
		if err := rows.Scan(&updated, &began); err != nil {
			return changed, false, err
		}
		for _, moment := range []any{updated, began} {
			at, err := momentOf(moment)
			if err != nil {
				return changed, false, err
			}
			changed = later(changed, at)
		}
	}
	return changed, !changed.IsZero(), errors.Join(rows.Err(), rows.Close())
}
