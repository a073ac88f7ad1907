package media

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

// ordered is the kind of use by orders, whose lines show products as they were when they were bought. It
// keeps an image from being swept, but staff can still delete it.
const ordered = "order"

// Column is a column that may contain addresses of images.
type Column struct {
	Table, Owner, Name string // Owner is the column that names the shop
	Kind               string // the word for a row of the table
	JSON               bool
}

// Columns are all such columns: those made for addresses of images, and texts in which shops write HTML.
var Columns = []Column{
	{"products", "tenant_id", "images", "product", true},
	{"products", "tenant_id", "description", "product", false},
	{"products", "tenant_id", "description_fa", "product", false},
	{"products", "tenant_id", "summary", "product", false},
	{"products", "tenant_id", "summary_fa", "product", false},
	{"products", "tenant_id", "values", "product", true},
	{"variants", "tenant_id", "image_url", "variant", false},
	{"categories", "tenant_id", "image_url", "category", false},
	{"categories", "tenant_id", "description", "category", false},
	{"categories", "tenant_id", "description_fa", "category", false},
	{"brands", "tenant_id", "logo_url", "brand", false},
	{"tenants", "id", "logo_url", "shop", false},
	{"tenants", "id", "favicon_url", "shop", false},
	{"business_profiles", "tenant_id", "about", "shop", false},
	{"business_profiles", "tenant_id", "about_fa", "shop", false},
	{"business_profiles", "tenant_id", "working_hours", "shop", false},
	{"business_profiles", "tenant_id", "working_hours_fa", "shop", false},
	{"sliders", "tenant_id", "slides", "slider", true},
	{"blogs", "tenant_id", "images", "blog", true},
	{"blogs", "tenant_id", "body", "blog", false},
	{"blogs", "tenant_id", "body_fa", "blog", false},
	{"blogs", "tenant_id", "summary", "blog", false},
	{"blogs", "tenant_id", "summary_fa", "blog", false},
	{"portfolios", "tenant_id", "images", "portfolio", true},
	{"portfolios", "tenant_id", "body", "portfolio", false},
	{"portfolios", "tenant_id", "body_fa", "portfolio", false},
	{"portfolios", "tenant_id", "summary", "portfolio", false},
	{"portfolios", "tenant_id", "summary_fa", "portfolio", false},
	{"user_products", "tenant_id", "images", "userProduct", true},
	{"user_products", "tenant_id", "description", "userProduct", false},
	{"user_products", "tenant_id", "description_fa", "userProduct", false},
	{"user_products", "tenant_id", "delivery_notes", "userProduct", false},
	{"user_products", "tenant_id", "technical_notes", "userProduct", false},
	{"user_products", "tenant_id", "values", "userProduct", true},
	{"order_items", "tenant_id", "image_url", ordered, false},
}

// text returns the column as text: SQLite stores JSON as bytes.
func (c Column) text() string {
	if c.JSON {
		return `CAST("` + c.Name + `" AS text)`
	}
	return c.Name
}

// uses is how many records of each kind use each image of a shop.
type uses map[uuid.UUID]map[string]int

// addressed matches the beginning of the address of a shop's image.
func addressed(shop uuid.UUID) *regexp.Regexp {
	return regexp.MustCompile(regexp.QuoteMeta(record.MediaPath+shop.String()+"/") + `([0-9a-f-]{36})/`)
}

// clockSlack is how much earlier than its commit the updated_at of a record may be, because of a long transaction or
// another server's clock.
const clockSlack = 5 * time.Minute

// usesOf searches the Columns of all records of a shop that were written since a time. The database returns only
// rows with an image of the shop.
//
// A search of all records reads all texts of the shop, which takes a second for a large shop, so it must not happen
// under the lock of the shop's content. Callers search all records first, and under the lock only those written since.
func usesOf(ctx context.Context, client *ent.Client, shop uuid.UUID, since time.Time) (uses, error) {
	type one struct {
		row  string
		kind string
	}
	found, form := map[uuid.UUID]map[one]bool{}, addressed(shop)
	on := client.Raw()
	for _, c := range Columns {
		text := c.text()
		query := database.Statement("SELECT CAST(id AS text), " + text + " FROM " + c.Table + " WHERE " + c.Owner +
			" = $shop AND updated_at >= $since AND " + text + " LIKE $pattern")
		values := database.Values{"shop": shop, "since": since,
			"pattern": "%" + record.MediaPath + shop.String() + "/%"}
		err := query.Each(ctx, on, values, func(r *sql.Rows) error {
			var row, content string
			if err := r.Scan(&row, &content); err != nil {
				return err
			}
			for _, match := range form.FindAllStringSubmatch(content, -1) {
				id, err := uuid.Parse(match[1])
				if err != nil {
					continue
				}
				if found[id] == nil {
					found[id] = map[one]bool{}
				}
				found[id][one{row, c.Kind}] = true
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("look for images in %s: %w", c.Table, err)
		}
	}
	counted := uses{}
	for id, rows := range found {
		counted[id] = map[string]int{}
		for r := range rows {
			counted[id][r.kind]++
		}
	}
	return counted, nil
}

// list returns the uses of an image, in the order of Columns.
func (u uses) list(id uuid.UUID) []*record.MediaUse {
	listed := []*record.MediaUse{}
	for _, c := range Columns {
		n := u[id][c.Kind]
		if n > 0 && (len(listed) == 0 || listed[len(listed)-1].Kind != c.Kind) {
			listed = append(listed, &record.MediaUse{Kind: c.Kind, Count: n})
		}
	}
	return listed
}

// Uses returns the uses of each of the given images of a shop.
func (s *Service) Uses(ctx context.Context, shop uuid.UUID, ids []uuid.UUID) ([][]*record.MediaUse, error) {
	all, err := usesOf(ctx, s.Store, shop, time.Time{})
	if err != nil {
		return nil, err
	}
	return convert.All(ids, all.list), nil
}
