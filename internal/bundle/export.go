package bundle

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"

	entsql "entgo.io/ent/dialect/sql"
	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/shop"
	"storefront/internal/store"
	"storefront/internal/tenancy"
)

// Export writes a bundle with all content of the tenant of a domain: records of every status, and every
// member even if null, each element on a line of its own. Elements are in the order of their ids, and an
// import makes ids in the order of the file, so that ties in lists are broken alike. Comments and items of
// groups whose record is gone are left out.
//
// If there is no such tenant, it fails with an error for which ent.IsNotFound is true. Export writes to w
// while it reads, so after an error the output is incomplete.
func Export(ctx context.Context, db *store.Store, domain string, w io.Writer) error {
	tx, err := db.Client.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return fmt.Errorf("begin the export: %w", err)
	}
	defer tx.Rollback() // it only reads
	t, err := shop.Find(ctx, tx.Client(), domain)
	if err != nil {
		return fmt.Errorf("find the tenant %s: %w", domain, err)
	}
	e := &exporter{client: tx.Client(), w: bufio.NewWriterSize(w, 64<<10)}
	e.take, e.inFile = e.write, true
	ctx = tenancy.In(ctx, t.ID)
	e.text(`{"format":"` + Format + `"`)
	e.member("tenant", shopContent(t))
	for _, write := range []struct {
		section string
		all     func(context.Context) error
	}{
		{"profile", e.profile}, {"brands", e.brands}, {"categories", e.allCategories}, {"products", e.products},
		{"userProducts", e.userProducts}, {"blogs", e.blogs}, {"portfolios", e.portfolios}, {"sliders", e.sliders},
		{"categoryGroups", e.categoryGroups}, {"brandGroups", e.brandGroups}, {"specials", e.specials},
		{"comments", e.comments}, {"expertReviews", e.reviews},
	} {
		e.section = write.section
		if err := write.all(ctx); err != nil {
			return fmt.Errorf("export %s: %w", write.section, err)
		}
		e.endSection()
	}
	e.text("}\n")
	if e.err == nil {
		e.err = e.w.Flush()
	}
	if e.err != nil {
		return fmt.Errorf("write the bundle: %w", e.err)
	}
	return nil
}

// exporter reads the content of one tenant, for a bundle or for staff.
type exporter struct {
	client     *ent.Client
	narrow     func(*entsql.Selector) // selects some records of a section; nil: all
	take       func(element any) error
	inFile     bool // the elements are for a file, not for staff
	w          *bufio.Writer
	err        error  // the first error of writing; nothing is written after it
	section    string // the list that is being written
	begun      bool   // it has an element already
	categories *categories
}

func (e *exporter) text(text string) {
	if e.err == nil {
		_, e.err = e.w.WriteString(text)
	}
}

func (e *exporter) value(v any) {
	if e.err != nil {
		return
	}
	text, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		e.err = err
		return
	}
	_, e.err = e.w.Write(text)
}

// member writes a member of the bundle that is an object.
func (e *exporter) member(name string, v any) {
	e.text(",\n\"" + name + "\":")
	e.value(v)
}

// write writes an item of the section's list. The first item begins the list.
func (e *exporter) write(v any) error {
	if e.begun {
		e.text(",\n")
	} else {
		e.text(",\n\"" + e.section + "\":[\n")
		e.begun = true
	}
	e.value(v)
	return e.err
}

func (e *exporter) endSection() {
	if e.begun {
		e.text("]")
		e.begun = false
	}
}

// narrowed narrows the query of a section to the requested records.
func (e *exporter) narrowed(s *entsql.Selector) {
	if e.narrow != nil {
		e.narrow(s)
	}
}

// pageSize is how many records are read at a time.
const pageSize = 500

// pages returns all records in the order of their ids, page by page. read returns the records after an id.
func pages[R any](read func(after uuid.UUID) ([]R, error), id func(R) uuid.UUID,
	use func(rows []R) error) error {
	after := uuid.Nil
	for {
		rows, err := read(after)
		if err != nil || len(rows) == 0 {
			return err
		}
		if err := use(rows); err != nil || len(rows) < pageSize {
			return err
		}
		after = id(rows[len(rows)-1])
	}
}

// among narrows a query to the rows with one of the ids in a column.
func (e *exporter) among(column string, ids []uuid.UUID) func(*entsql.Selector) {
	return func(s *entsql.Selector) { amongValues(s.Dialect(), column, "uuid", ids)(s) }
}
