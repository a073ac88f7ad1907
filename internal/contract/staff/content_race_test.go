package staff_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/product"
	"storefront/internal/content/bundle"
	"storefront/internal/content/derive"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// contentRace is a shop whose content is written concurrently.
type contentRace struct {
	*shoptest.Crew
	ctx     context.Context // in which tests may write the shop's content
	editor  shoptest.Worker
	seller  shoptest.Worker
	reviews []string // ids, of the product racer
}

const (
	updateProduct = `mutation($shop: ID!, $slug: String!, $in: ProductInput!) {
		updateProduct(businessId: $shop, slug: $slug, input: $in) { id } }`
	createProduct = `mutation($shop: ID!, $slug: String!, $in: ProductInput!) {
		createProduct(businessId: $shop, slug: $slug, input: $in) { id } }`
	deleteProduct = `mutation($shop: ID!, $slug: String!) {
		deleteProduct(businessId: $shop, slug: $slug) { message } }`
	updateCategory = `mutation($shop: ID!, $slug: String!, $in: CategoryInput!) {
		updateCategory(businessId: $shop, entityType: product, slug: $slug, input: $in) { id } }`
	createCategory = `mutation($shop: ID!, $slug: String!, $in: CategoryInput!) {
		createCategory(businessId: $shop, entityType: product, slug: $slug, input: $in) { id } }`
	updateOffers = `mutation($shop: ID!, $in: [OfferInput!]!) {
		updateOffers(businessId: $shop, input: $in) { message } }`
	changeReviews = `mutation($shop: ID!, $ids: [ID!]!, $to: Moderation!) {
		changeReviews(businessId: $shop, select: {ids: $ids}, change: {status: $to}) { changed } }`
)

func newContentRace(t *testing.T, c *shoptest.Crew) *contentRace {
	t.Helper()
	shop := uuid.MustParse(c.Tools)
	r := &contentRace{Crew: c, ctx: derive.Alone(tenancy.In(t.Context(), shop)),
		editor: c.Staff(t, c.Tools, record.Owner),
		seller: c.Customer(t)}
	for _, slug := range []string{"left", "right", "moved"} {
		r.must(t, createCategory, shoptest.Members{"slug": slug, "in": shoptest.Members{"name": slug,
			"nameFa": slug}})
	}
	r.must(t, createProduct, shoptest.Members{"slug": "racer", "in": shoptest.Members{"titleFa": "racer",
		"category": "moved",
		"tags":     []string{"fast"}, "variants": []shoptest.Members{{"sku": "RACE-A", "price": 100,
			"priceCurrency": "USD"},
			{"sku": "RACE-B", "price": 250, "priceCurrency": "USD"}}}})
	racer := r.Store.Client.Product.Query().Where(product.Slug("racer")).OnlyX(r.ctx)
	for range 4 {
		one := r.Store.Client.ExpertReview.Create().SetTenantID(shop).SetProductID(racer.ID).SetAuthorName("A").
			SetText("T").
			SetRate(7).SetStatus(record.Pending).SaveX(r.ctx)
		r.reviews = append(r.reviews, one.ID.String())
	}
	return r
}

// must sends a mutation of the shop that must succeed.
func (r *contentRace) must(t *testing.T, document string, in shoptest.Members) {
	t.Helper()
	if code := r.edit(t, document, in); code != "" {
		t.Fatalf("%s %v: %s", document, in, code)
	}
}

// edit sends a mutation of the shop and returns the code of its error.
func (r *contentRace) edit(t *testing.T, document string, in shoptest.Members) string {
	t.Helper()
	in["shop"] = r.Tools
	return r.editor.Ask(t, document, in).Code()
}

// bundled imports sections of a bundle.
func (r *contentRace) bundled(t *testing.T, sections string, options ...bundle.Option) string {
	t.Helper()
	text := `{"format": "storefront-bundle/1", "tenant": {"domain": "tools.example"}, ` + sections + `}`
	if _, err := bundle.Import(t.Context(), r.Store, bundle.Bytes([]byte(text)), nil, options...); err != nil {
		return err.Error()
	}
	return ""
}

// anyOf returns one of some values for a round.
func anyOf[T any](round int, values ...T) T { return values[round%len(values)] }

// contentWrites are the ways in which content of a shop is written. Each makes another change in each round.
var contentWrites = []struct {
	name  string
	write func(t *testing.T, r *contentRace, round int) string
}{
	{"a price", func(t *testing.T, r *contentRace, round int) string {
		return r.edit(t, updateProduct, shoptest.Members{"slug": "racer", "in": shoptest.Members{
			"variants": []shoptest.Members{{"sku": "RACE-A", "price": 90 + round%20}}}})
	}},
	{"offers", func(t *testing.T, r *contentRace, round int) string {
		return r.edit(t, updateOffers, shoptest.Members{"in": []shoptest.Members{{"sku": "RACE-A",
			"onSale": round%2 == 0},
			{"sku": "RACE-B", "price": 80 + round%40}}})
	}},
	{"archiving", func(t *testing.T, r *contentRace, round int) string {
		return r.edit(t, updateProduct, shoptest.Members{"slug": "racer",
			"in": shoptest.Members{"status": anyOf(round, "archived", "published")}})
	}},
	{"a product's category", func(t *testing.T, r *contentRace, round int) string {
		return r.edit(t, updateProduct, shoptest.Members{"slug": "racer",
			"in": shoptest.Members{"category": anyOf(round, "left", "moved"),
				"tags": anyOf(round, []string{"slow"}, []string{"fast"})}})
	}},
	{"a category's move", func(t *testing.T, r *contentRace, round int) string {
		return r.edit(t, updateCategory, shoptest.Members{"slug": "moved",
			"in": shoptest.Members{"parentSlug": anyOf(round, "left", "right")}})
	}},
	{"some reviews", func(t *testing.T, r *contentRace, round int) string {
		return r.edit(t, changeReviews, shoptest.Members{"ids": r.reviews[:2],
			"to": anyOf(round, "approved", "rejected")})
	}},
	{"other reviews", func(t *testing.T, r *contentRace, round int) string {
		return r.edit(t, changeReviews, shoptest.Members{"ids": r.reviews[2:],
			"to": anyOf(round, "approved", "rejected")})
	}},
	{"a product that goes and comes", func(t *testing.T, r *contentRace, round int) string {
		r.edit(t, deleteProduct, shoptest.Members{"slug": "guest"})
		return r.edit(t, createProduct, shoptest.Members{"slug": "guest",
			"in": shoptest.Members{"titleFa": "guest", "category": "moved",
				"variants": []shoptest.Members{{"sku": "GUEST", "price": 5, "priceCurrency": "USD"}}}})
	}},
	{"a listing", func(t *testing.T, r *contentRace, round int) string {
		listing := shoptest.Members{"titleFa": "چرخ", "category": "moved", "priceCurrency": "IRT",
			"condition": "new",
			"status":    "published"}
		slug := fmt.Sprint("wheel-", round%3)
		if code := r.edit(t, `mutation($shop: ID!, $slug: String!, $in: UserProductInput!) {
			createUserProduct(businessId: $shop, slug: $slug, input: $in) { id }
				}`, shoptest.Members{"slug": slug, "in": listing}); code == "" {
			return ""
		}
		return r.edit(t, `mutation($shop: ID!, $slug: String!) {
			deleteUserProduct(businessId: $shop, slug: $slug) { message } }`,
			shoptest.Members{"slug": slug})
	}},
	{"an import of products", func(t *testing.T, r *contentRace, round int) string {
		return r.bundled(t, fmt.Sprintf(`"products": [
			{"slug": "racer", "titleFa": "racer %d", "variants": [{"sku": "RACE-B", "price": %d}]},
			{"slug": "new-%d", "titleFa": "new", "category": "moved",
				"variants": [{"sku": "NEW-%d", "price": 3, "priceCurrency": "USD"}]}]`,
			round, 50+round%90, round%5, round%5))
	}},
	{"an import that moves a category", func(t *testing.T, r *contentRace, round int) string {
		return r.bundled(t, fmt.Sprintf(`"categories": [{"entityType": "product", "slug": "moved", "parentSlug": %s}],
			"expertReviews": [{"product": "racer", "authorName": "B", "rate": %d,
				"positivePoints": [], "negativePoints": [], "text": "T"}]`,
			anyOf(round, `"right"`, `"left"`, "null"), 1+round%9))
	}},
}

// TestContentRaces lets every pair of ways to write a shop's content race, and checks the derived data
// afterwards.
func TestContentRaces(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		r := newContentRace(t, c)
		n, wrong := 0, 0
		for range *shoptest.Rounds {
			for i, a := range contentWrites {
				for _, b := range contentWrites[i:] {
					n++
					codes := shoptest.Together(2, func(side int) string {
						if side == 0 {
							return a.write(t, r, n)
						}
						return b.write(t, r, n+1)
					})
					for _, code := range codes {
						if code != "" && code != "CONFLICT" && code != "NOT_FOUND" &&
							!strings.Contains(code, "run it again") {
							t.Errorf("%s beside %s: %s", a.name, b.name, code)
						}
					}
					if difference := r.derivedAnew(t); difference != "" {
						wrong++
						t.Errorf("after %s beside %s deriving all changes %s", a.name, b.name, difference)
					}
				}
			}
		}
		t.Logf("%d of %d rounds left something else than what follows from the content", wrong, n)
	})
}

// TestReviewsApprovedTogether lets four moderators each approve a review of one product at once. All four
// must count.
func TestReviewsApprovedTogether(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		r := newContentRace(t, c)
		n, wrong := 3**shoptest.Rounds, 0
		for range n {
			r.must(t, changeReviews, shoptest.Members{"ids": r.reviews, "to": "rejected"})
			for _, code := range shoptest.Together(len(r.reviews), func(i int) string {
				return r.edit(t, changeReviews, shoptest.Members{"ids": r.reviews[i : i+1], "to": "approved"})
			}) {
				if code != "" {
					t.Errorf("an approval is %s", code)
				}
			}
			if p := r.Store.Client.Product.Query().Where(product.Slug("racer")).
				OnlyX(r.ctx); p.RatingCount != len(r.reviews) {
				wrong++
			}
		}
		if wrong > 0 {
			t.Errorf("in %d of %d rounds not all reviews that are approved count", wrong, n)
		}
		t.Logf("in %d of %d rounds not all reviews that are approved count", wrong, n)
	})
}

// derivedAnew derives all data of the shop again, and returns a row that has changed, if any.
func (r *contentRace) derivedAnew(t *testing.T) string {
	t.Helper()
	before := r.derived()
	var ids []uuid.UUID
	for _, all := range [][]uuid.UUID{r.Store.Client.Product.Query().IDsX(r.ctx),
		r.Store.Client.UserProduct.Query().IDsX(r.ctx),
		r.Store.Client.Blog.Query().IDsX(r.ctx), r.Store.Client.Portfolio.Query().IDsX(r.ctx)} {
		ids = append(ids, all...)
	}
	for _, l := range r.Store.Client.Listing.Query().Unique(true).Select(listing.FieldEntityID).AllX(r.ctx) {
		ids = append(ids, l.EntityID) // of records that are gone, too
	}
	shop := uuid.MustParse(r.Tools)
	err := derive.InShop(r.ctx, r.Store.Client, shop, func(ctx context.Context, tx *ent.Tx) error {
		_, err := derive.Records(ctx, tx, shop, derive.Change{Changed: ids})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	after := r.derived()
	for row := range before {
		if !after[row] {
			return "what was " + row
		}
	}
	for row := range after {
		if !before[row] {
			return "to " + row
		}
	}
	return ""
}

// derived returns the rows of the shop with derived data.
func (r *contentRace) derived() map[string]bool {
	rows := map[string]bool{}
	note := func(row any) {
		text, err := json.Marshal(row)
		if err != nil {
			panic(err)
		}
		rows[string(text)] = true
	}
	for _, p := range r.Store.Client.Product.Query().AllX(r.ctx) {
		note(p)
	}
	for _, v := range r.Store.Client.Variant.Query().AllX(r.ctx) {
		note(v)
	}
	for _, l := range r.Store.Client.Listing.Query().AllX(r.ctx) {
		note(&ent.Listing{Kind: l.Kind, Facet: l.Facet, PublishedAt: l.PublishedAt, EntityID: l.EntityID})
	}
	return rows
}

// TestSlugOfAShopIsTakenMeanwhile gives a shop a slug that another shop gets at the same time.
func TestSlugOfAShopIsTakenMeanwhile(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		tx, err := c.Store.Client.Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		const take = "UPDATE tenants SET slug = 'taken' WHERE id = $1"
		if _, err := tx.ExecContext(t.Context(), take, uuid.MustParse(c.Mugs)); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		var got shoptest.Answered
		go func() {
			defer close(done)
			got = owner.Ask(t, `mutation($shop: ID!) { updateShop(businessId: $shop, input: {slug: "taken"}) { id } }`,
				map[string]any{"shop": c.Tools})
		}()
		c.UntilWaiting(t, 1, done)
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		<-done
		// SQLite begins the second transaction after the first
		want := map[string]string{dialect.SQLite: "VALIDATION_FAILED", dialect.Postgres: "CONFLICT"}[c.Store.Dialect]
		if got.Code() != want {
			t.Errorf("got %+v, want %s", got.Errors, want)
		}
	})
}
