package crawl

import (
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/catalog"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
	"storefront/internal/request"
)

// Records reads the public records of shops one after another.
type Records struct {
	Catalog *catalog.Catalog
	Store   *ent.Client // guarded by tenancy.Guard
}

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

// parsePageMark reads the result of String.
func parsePageMark(text string) (m PageMark, ok bool) {
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
		if r.after, ok = parsePageMark(after); !ok {
			return r, false
		}
	}
	if until != "" {
		r.until, ok = parsePageMark(until)
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

const publishedSQL = "status = 'published' AND published_at <= $6"

// pageTables are the tables of all kinds of pages except the home page. Categories and brands are public as soon as
// they are created.
var pageTables = map[record.PageKind]pageTable{
	record.ProductPage:           {"products", "published_at", publishedSQL},
	record.ListingPage:           {"user_products", "published_at", publishedSQL},
	record.BlogPage:              {"blogs", "published_at", publishedSQL},
	record.PortfolioPage:         {"portfolios", "published_at", publishedSQL},
	record.BrandPage:             {"brands", "created_at", "TRUE"},
	record.CategoryPage:          {"categories", "created_at", "entity_type = 'product'"},
	record.BlogCategoryPage:      {"categories", "created_at", "entity_type = 'blog'"},
	record.PortfolioCategoryPage: {"categories", "created_at", "entity_type = 'portfolio'"},
}

// pageSQL are the parts of a statement on the records of a kind in a range. MOMENT is the column by which records are
// in order.
type pageSQL struct{ columns, order string }

// each calls scan with what a statement reads of the records of a kind in a range.
func (r Records) each(
	ctx context.Context, shop uuid.UUID, kind record.PageKind, in PageRange, statement pageSQL,
	scan func(*sql.Rows) error,
) error {
	t := pageTables[kind]
	text := "SELECT " + statement.columns + " FROM " + t.name + " WHERE tenant_id = $1 AND " + t.public +
		" AND (MOMENT, id) > ($2, $3) AND (MOMENT, id) <= ($4, $5)" + statement.order
	args := []any{shop, in.after.at, in.after.id, in.until.at, in.until.id}
	if t.public == publishedSQL {
		args = append(args, request.Of(ctx).Now)
	}
	err := database.EachRow(ctx, r.Store.Raw(), strings.ReplaceAll(text, "MOMENT", t.moment), args, scan)
	if err != nil {
		return fmt.Errorf("read the pages of a shop: %w", err)
	}
	return nil
}

// pagesAtOnce is how many records one statement reads.
const pagesAtOnce = 500

// EachPublicPage calls some with the public records of a kind in a range, in batches, until it has read most of them.
// It holds no connection while some runs, so it may or may not see changes that others make meanwhile.
func (r Records) EachPublicPage(
	ctx context.Context, shop uuid.UUID, kind record.PageKind, in PageRange, most int, use func([]PublicPage) error,
) error {
	ctx = tenancy.In(ctx, shop)
	for most > 0 {
		var pages []PublicPage
		order := " ORDER BY MOMENT, id LIMIT " + strconv.Itoa(min(most, pagesAtOnce))
		err := r.each(ctx, shop, kind, in, pageSQL{"slug, MOMENT, updated_at, id", order}, func(row *sql.Rows) error {
			var p PublicPage
			err := row.Scan(&p.Slug, &p.mark.at, &p.Changed, &p.mark.id)
			p.mark.at = p.mark.at.UTC()
			p.Changed = later(p.Changed, p.mark.at)
			pages = append(pages, p)
			return err
		})
		if err != nil || len(pages) == 0 {
			return err
		}
		if err := use(pages); err != nil || len(pages) < pagesAtOnce {
			return err
		}
		in.after, most = pages[len(pages)-1].mark, most-len(pages)
	}
	return nil
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
func (r Records) PageParts(ctx context.Context, shop uuid.UUID, kind record.PageKind, size int) ([]PagePart, error) {
	type divided struct {
		kind record.PageKind
		size int
	}
	of := divided{kind, size}
	return catalog.Counted(ctx, r.Catalog, shop, "page parts", of, func(ctx context.Context) (pageParts, error) {
		return r.readPageParts(ctx, shop, kind, size)
	})
}

func (r Records) readPageParts(
	ctx context.Context, shop uuid.UUID, kind record.PageKind, size int,
) (parts pageParts, err error) {
	behind := " ORDER BY MOMENT, id LIMIT 1 OFFSET " + strconv.Itoa(size-1)
	for after, more := firstMark, true; more; {
		part := PagePart{PageRange: PageRange{after, lastMark}}
		more = false
		err := r.each(ctx, shop, kind, part.PageRange, pageSQL{"MOMENT, id", behind}, func(row *sql.Rows) error {
			more = true
			err := row.Scan(&after.at, &after.id)
			after.at = after.at.UTC()
			return err
		})
		if err != nil {
			return nil, err
		}
		if more {
			part.until = after
		}
		latest := pageSQL{"MAX(updated_at), MAX(MOMENT)", ""}
		err = r.each(ctx, shop, kind, part.PageRange, latest, func(row *sql.Rows) error {
			var updated, began database.Moment
			err := row.Scan(&updated, &began)
			part.Changed = later(updated.Time, began.Time)
			return err
		})
		if err != nil {
			return nil, err
		}
		if !part.Changed.IsZero() {
			parts = append(parts, part)
		}
	}
	return parts, nil
}
