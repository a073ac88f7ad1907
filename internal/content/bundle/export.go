package bundle

import (
	"bufio"
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"io"
	"maps"
	"slices"

	entsql "entgo.io/ent/dialect/sql"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"storefront/ent"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/shop"
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
	e.take = e.write
	ctx = tenancy.In(ctx, t.ID)
	e.w.WriteString(`{"format":"` + Format + `"`) // it keeps its first error
	for _, write := range []struct {
		section string
		all     func(context.Context) error
	}{
		{"tenant", func(context.Context) error { return e.write(ShopContent{t, ""}) }}, {"profile", e.profile},
		{"brands", e.brands}, {"categories", e.allCategories}, {"products", e.products},
		{"userProducts", e.userProducts}, {"blogs", e.blogs}, {"portfolios", e.portfolios}, {"sliders", e.sliders},
		{"categoryGroups", e.categoryGroups}, {"brandGroups", e.brandGroups}, {"specials", e.specials},
		{"comments", e.comments}, {"expertReviews", e.reviews},
	} {
		e.section = write.section
		if err := write.all(ctx); err != nil {
			return fmt.Errorf("export %s: %w", write.section, err)
		}
		if e.begun && shapeOf(e.section) == '[' {
			e.w.WriteString("]")
		}
		e.begun = false
	}
	e.w.WriteString("}\n")
	if err := e.w.Flush(); err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	return nil
}

// exporter reads the content of one tenant, for a bundle or for staff.
type exporter struct {
	client     *ent.Client
	narrow     func(*entsql.Selector) // selects some records of a section; nil: all
	take       func(element any) error
	w          *bufio.Writer
	section    string // the section that is being written
	begun      bool   // it has an element already
	categories *categories
}

// write writes a section, or an item of its list. The first item begins the list.
func (e *exporter) write(element any) error {
	if content, ok := element.(interface{ members() members }); ok {
		element = content.members()
	}
	text, err := json.Marshal(element, json.Deterministic(true))
	if err != nil {
		return err
	}
	switch {
	case e.begun:
		e.w.WriteString(",\n")
	case shapeOf(e.section) == '{':
		e.w.WriteString(",\n\"" + e.section + "\":")
	default:
		e.w.WriteString(",\n\"" + e.section + "\":[\n")
	}
	e.begun = true
	_, err = e.w.Write(text)
	return err
}

// identifying are the members that come first in an element, in the reverse of this order: slices.Index is -1 for
// all others, which so come last.
var identifying = []string{"key", "sku", "slug", "entityType", "domain"}

// MarshalJSONTo writes the members that identify the element, then the others by name.
func (m members) MarshalJSONTo(to *jsontext.Encoder) error {
	names := slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(slices.Index(identifying, b), slices.Index(identifying, a)), cmp.Compare(a, b))
	})
	err := to.WriteToken(jsontext.BeginObject)
	for _, name := range names {
		if err == nil {
			err = to.WriteToken(jsontext.String(name))
		}
		if err == nil {
			err = json.MarshalEncode(to, m[name])
		}
	}
	return cmp.Or(err, to.WriteToken(jsontext.EndObject))
}
