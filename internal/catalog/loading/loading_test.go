package loading_test

import (
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/catalog/loading"
	"storefront/internal/catalog/selection"
)

// products is a table of a tenant's products, in categories of the tenant, made in cities, which belong to
// no tenant.
var products = func() *loading.Table {
	cities := &loading.Table{Name: "cities", Columns: []string{"id", "name"},
		Reads: map[string][]string{"name": {"name"}, "id": {}}}
	categories := &loading.Table{Name: "categories", Owned: true,
		Columns: []string{"id", "tenant_id", "name", "parent_id"},
		Reads:   map[string][]string{"name": {"name"}, "id": {}, "items": {"name"}}}
	categories.Edges = map[string]loading.Edge{"parent": {Column: "parent_id", To: categories}}
	return &loading.Table{
		Name: "products", Owned: true, Columns: []string{"id", "tenant_id", "slug", "price", "category_id", "city_id"},
		Reads: map[string][]string{
			"id": {}, "slug": {"slug"}, "categoryName": {"category.name"}, "topName": {"category.parent.name"},
			"variants": {},
		},
		Edges: map[string]loading.Edge{
			"category": {Column: "category_id", To: categories}, "city": {Column: "city_id", To: cities},
		},
	}
}()

// reads returns the statement for a selection, without quotes.
func reads(d string, sel *selection.Set) string {
	from := sql.Dialect(d).Select("id").From(sql.Table("products"))
	products.Select(sel)(from)
	text, _ := from.Query()
	return strings.NewReplacer("`", "", `"`, "").Replace(text)
}

func TestSelect(t *testing.T) {
	for _, c := range []struct {
		what string
		sel  *selection.Set
		want string
	}{
		{"columns", selection.Names("slug", "variants", "id"),
			"SELECT products.id, products.slug, products.tenant_id FROM products"},
		{"a column of a neighbour", selection.Names("categoryName"),
			"SELECT products.id, products.category_id, products.tenant_id, " +
				"category.id AS category:id, category.name AS category:name, category.tenant_id " +
				"AS category:tenant_id FROM products LEFT JOIN categories AS category " +
				"ON products.category_id = category.id AND products.tenant_id = category.tenant_id"},
		{"a neighbour of all tenants", selection.Path("city.name"),
			"SELECT products.id, products.city_id, products.tenant_id, city.id AS city:id, city.name AS city:name " +
				"FROM products LEFT JOIN cities AS city ON products.city_id = city.id"},
		{"a neighbour's neighbour", selection.Names("topName"),
			"SELECT products.id, products.category_id, products.tenant_id, " +
				"category.id AS category:id, category.parent_id AS category:parent_id, " +
				"category.tenant_id AS category:tenant_id, category_parent.id AS category:parent:id, " +
				"category_parent.name AS category:parent:name, category_parent.tenant_id AS " +
				"category:parent:tenant_id FROM products LEFT JOIN categories AS category " +
				"ON products.category_id = category.id AND products.tenant_id = category.tenant_id " +
				"LEFT JOIN categories AS category_parent " +
				"ON category.parent_id = category_parent.id AND category.tenant_id = category_parent.tenant_id"},
		{"everything", nil, "SELECT products.id, products.tenant_id, products.slug, products.price, " +
			"products.category_id, products.city_id FROM products"},
		{"what it does not know", selection.Names("slug", "computed"), "SELECT products.id, products.tenant_id, " +
			"products.slug, products.price, products.category_id, products.city_id FROM products"},
	} {
		for _, d := range []string{dialect.SQLite, dialect.Postgres, dialect.SQLite} {
			if got := reads(d, c.sel); got != c.want {
				t.Errorf("%s on %s: got\n%s\nwant\n%s", c.what, d, got, c.want)
			}
		}
	}
}

// TestColumns reads the values that each database returns.
func TestColumns(t *testing.T) {
	id, at := uuid.Must(uuid.NewV7()), time.Now()
	var got struct {
		text    string
		maybe   *string
		n       int
		n64     *int64
		yes     bool
		no      *bool
		at      time.Time
		id      uuid.UUID
		maybeID *uuid.UUID
		raw     []byte
		list    []string
	}
	driver := []byte("text")
	for _, err := range []error{
		loading.Text(&got.text, driver), loading.Maybe(&got.maybe, "text", loading.Text),
		loading.Int(&got.n, int64(7)), loading.Maybe(&got.n64, int64(8), loading.Int),
		loading.Bool(&got.yes, int64(1)), loading.Maybe(&got.no, false, loading.Bool), loading.Time(&got.at, at),
		loading.ID(&got.id, id.String()), loading.Maybe(&got.maybeID, []byte(id.String()), loading.ID),
		loading.Bytes(&got.raw, driver), loading.JSON(&got.list, `["a"]`),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	copy(driver, "XXXX") // the next row
	if got.text != "text" || *got.maybe != "text" || got.n != 7 || *got.n64 != 8 || !got.yes || *got.no ||
		!got.at.Equal(at) || got.id != id || *got.maybeID != id || string(got.raw) != "text" || got.list[0] != "a" {
		t.Errorf("got %+v", got)
	}
	was := got
	for _, err := range []error{
		loading.Text(&got.text, nil), loading.Maybe(&got.maybe, nil, loading.Text), loading.Int(&got.n, nil),
		loading.Bool(&got.yes, nil), loading.Time(&got.at, nil), loading.ID(&got.id, nil),
		loading.Bytes(&got.raw, nil), loading.JSON(&got.list, nil),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	if got.text != was.text || got.n != was.n || got.id != was.id || got.maybe != was.maybe {
		t.Errorf("null made %+v", got)
	}
	for i, err := range []error{
		loading.Text(&got.text, int64(1)), loading.Int(&got.n, "1"),
		loading.Bool(&got.yes, "1"), loading.Time(&got.at, int64(1)), loading.ID(&got.id, "1"),
		loading.ID(&got.id, int64(1)), loading.Bytes(&got.raw, int64(1)), loading.JSON(&got.list, `{`),
		loading.JSON(&got.list, int64(1)),
	} {
		if err == nil {
			t.Errorf("%d: no error", i)
		}
	}
}
