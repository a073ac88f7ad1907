package staff_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/ent/category"
	"storefront/ent/listing"
	"storefront/ent/product"
	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
)

const manyMoved = 520 // products, more than follow a category in the transaction of its change

// newMoves returns a shop whose category moved has many products.
func newMoves(t *testing.T, c *shoptest.Crew) *contentRace {
	t.Helper()
	r := newContentRace(t, c)
	r.must(t, updateCategory, shoptest.Members{"slug": "moved", "in": shoptest.Members{"parentSlug": "left"}})
	products := make([]string, manyMoved)
	for i := range products {
		products[i] = fmt.Sprintf(`{"slug": "many-%d", "titleFa": "many", "category": "moved"}`, i)
	}
	if said := r.bundled(t, `"products": [`+strings.Join(products, ",")+`]`); said != "" {
		t.Fatal(said)
	}
	return r
}

// moveTo sends a mutation that moves the category, and returns whether its products still have to be moved.
func (r *contentRace) moveTo(t *testing.T, parent string) bool {
	t.Helper()
	var moved struct{ UpdateCategory struct{ Moving bool } }
	r.editor.Do(t, `mutation($shop: ID!, $to: String!) {
		updateCategory(businessId: $shop, entityType: product, slug: "moved", input: {parentSlug: $to}) { moving } }`,
		shoptest.Members{"shop": r.Tools, "to": parent}, &moved)
	return moved.UpdateCategory.Moving
}

// listed counts the products in the list of a category.
func (r *contentRace) listed(slug string) int {
	id := r.Store.Client.Category.Query().Where(category.Slug(slug)).OnlyIDX(r.ctx)
	return r.Store.Client.Listing.Query().Where(listing.Facet("category:" + id.String())).CountX(r.ctx)
}

// TestCategoryMoves moves a category with many products. The answer says that they still have to be moved,
// and they must come to their list whatever happens to the request, the server and concurrent writes.
func TestCategoryMoves(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		r := newMoves(t, c)
		all := manyMoved + 1
		if !r.moveTo(t, "right") || r.listed("left") != all {
			t.Errorf("%d products stand where they were, want %d, of which nobody waits for the end",
				r.listed("left"), all)
		}
		if !r.moveTo(t, "right") {
			t.Error("sent again, it does not say that products are on their way")
		}
		stopped, stop := context.WithCancel(t.Context())
		stop()
		r.Service.FinishMoves(stopped)
		if r.bundled(t, `"products": [{"slug": "meanwhile", "titleFa": "new", "category": "moved"}]`) != "" {
			t.Error("an import beside a move fails")
		} // and finishes nothing: it has no category
		r.Service.FinishMoves(t.Context())
		if left, right := r.listed("left"), r.listed("right"); left != 0 || right != all+1 {
			t.Errorf("%d products are left and %d are there, want %d", left, right, all+1)
		}
		if r.moveTo(t, "right") {
			t.Error("it says that products are on their way, and they are there")
		}
		if difference := r.derivedAnew(t); difference != "" {
			t.Errorf("deriving all changes %s", difference)
		}
		r.must(t, updateCategory, shoptest.Members{"slug": "right", "in": shoptest.Members{"parentSlug": "left"}})
		r.Service.FinishMoves(t.Context())
		if left := r.listed("left"); left != all+1 {
			t.Errorf("%d products stand above the category that moved with the one below, want %d", left, all+1)
		}
	})
}

// TestCategoryMovesRace lets staff move a category to and fro, and archive and import its products, while two
// servers finish its moves.
func TestCategoryMovesRace(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		r := newMoves(t, c)
		second := c.Instance(t)
		n, wrong := 2**shoptest.Rounds, 0
		for round := range n {
			shoptest.Together(5, func(i int) string {
				switch i {
				case 0:
					r.moveTo(t, "right")
					r.moveTo(t, "left")
					r.moveTo(t, anyOf(round, "right", "left"))
				case 1:
					for i := range 5 {
						r.edit(t, updateProduct,
							shoptest.Members{"slug": fmt.Sprint("many-", (round*5+i)*97%manyMoved),
								"in": shoptest.Members{"status": anyOf(round+i, "archived", "published")}})
					}
				case 2:
					return r.bundled(t, fmt.Sprintf(`"products": [{"slug": "round-%d", "titleFa": "new", `+
						`"category": "moved"}]`, round%9))
				case 3:
					r.Service.FinishMoves(t.Context())
				case 4:
					second.Service.FinishMoves(t.Context())
				}
				return ""
			})
			r.Service.FinishMoves(t.Context())
			if r.Store.Client.Category.Query().Where(category.Moving(true)).ExistX(r.ctx) {
				t.Fatal("the category is still moving")
			}
			if difference := r.derivedAnew(t); difference != "" {
				wrong++
				t.Errorf("round %d: deriving all changes %s", round, difference)
			}
		}
		t.Logf("%d of %d rounds left wrong lists", wrong, n)
	})
}

// TestMovesThatChangeNothing marks categories as moving although their products are in the right lists, as an
// upgrade does. The content version, and with it cached answers, must stay. It must be raised if a product is
// missing in a list.
func TestMovesThatChangeNothing(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		r := newMoves(t, c)
		version := func() int64 {
			r.Store.Client.Category.Update().SetMoving(true).SaveX(r.ctx)
			before := r.Store.Client.Tenant.GetX(t.Context(), uuid.MustParse(c.Tools)).ContentVersion
			r.Service.FinishMoves(t.Context())
			if r.Store.Client.Category.Query().Where(category.Moving(true)).ExistX(r.ctx) {
				t.Error("a category is still moving")
			}
			return r.Store.Client.Tenant.GetX(t.Context(), uuid.MustParse(c.Tools)).ContentVersion - before
		}
		if raised := version(); raised != 0 {
			t.Errorf("the version is raised by %d, want 0", raised)
		}
		left := r.Store.Client.Category.Query().Where(category.Slug("left")).OnlyIDX(r.ctx)
		one := r.Store.Client.Listing.Query().Where(listing.Facet("category:" + left.String())).FirstX(r.ctx)
		r.Store.Client.Listing.DeleteOne(one).ExecX(r.ctx)
		if raised := version(); raised != 1 || r.listed("left") != manyMoved+1 {
			t.Errorf("the version is raised by %d, want 1; %d products are there, want %d",
				raised, r.listed("left"), manyMoved+1)
		}
	})
}

// TestImportedMove moves a category with many products by a bundle, whose import is over when they are there; in one
// transaction, too.
func TestImportedMove(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		r := newMoves(t, c)
		for _, to := range []struct {
			parent  string
			options []bundle.Option
		}{{"right", nil}, {"left", []bundle.Option{bundle.Atomic}}} {
			said := r.bundled(t, `"categories": [{"entityType": "product", "slug": "moved", "parentSlug": "`+
				to.parent+`"}],
				"products": [{"slug": "to-`+to.parent+`", "titleFa": "new", "category": "moved"}]`, to.options...)
			want := r.Store.Client.Product.Query().Where(product.HasCategoryWith(category.Slug("moved"))).CountX(r.ctx)
			if got := r.listed(to.parent); said != "" || got != want {
				t.Errorf("to %s: %d products are there, want %d %s", to.parent, got, want, said)
			}
		}
		if difference := r.derivedAnew(t); difference != "" {
			t.Errorf("deriving all changes %s", difference)
		}
	})
}
