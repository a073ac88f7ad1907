package cart_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/contract/shoptest"
	"storefront/internal/customer/favorites"
	"storefront/internal/fault"
	"storefront/internal/sale/cart"
)

// keeping returns the input that adds a product of the tool shop to the favorites.
func keeping(slug string) string { return `{"productId": "<tools:product:` + slug + `>"}` }

func TestFavorites(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		s.Golden(t, "none", s.Right(t, "Favorites", ""))
		first := s.Right(t, "AddFavorite", keeping("drill"))
		s.Golden(t, "kept", first)
		s.Clock.Pass(time.Minute)
		if again := s.Right(t, "AddFavorite", keeping("drill")); again.Said != first.Said {
			t.Errorf("kept again: got %s, want %s as the first time", again.Said, first.Said)
		}
		s.Right(t, "AddFavorite", keeping("mug"))
		s.Clock.Pass(time.Minute)
		s.Right(t, "AddFavorite", keeping("hammer"))
		s.Golden(t, "three", s.Right(t, "Favorites", ""))
		s.Amends(t, "mug", map[string]any{"status": "draft"})
		s.Golden(t, "one unpublished", s.Right(t, "Favorites", "", "page=2", "pageSize=1"))
		s.Golden(t, "forgotten", s.Right(t, "RemoveFavorite", "", "productId=<tools:product:mug>"))
		for _, id := range []string{"<tools:product:mug>", "<tools:product:draft-drill>", "<mugs:product:tea>",
			shoptest.NobodysID, "x"} {
			s.Right(t, "RemoveFavorite", "", "productId="+id)
		}
		s.Golden(t, "forgotten again", s.Right(t, "RemoveFavorite", "", "productId=<tools:product:mug>"))
		s.Golden(t, "two", s.Right(t, "Favorites", "", "pageSize=2"))
		s.Golden(t, "at another shop", s.At(t, "mugs").Right(t, "Favorites", ""))
	})
}

// TestFavoritesRefuse adds favorites that are not allowed.
func TestFavoritesRefuse(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		theirs := s.API.Shopper(t, 2)
		theirs.Right(t, "AddFavorite", keeping("drill"))
		for name, id := range map[string]string{
			"unknown": shoptest.NobodysID, "no id": "drill", "of another shop": "<mugs:product:tea>",
			"draft":     "<tools:product:draft-drill>",
			"scheduled": "<tools:product:future-drill>", "archived": "<tools:product:old-drill>",
			"variant": "<tools:variant:D-10>",
		} {
			s.Golden(t, name, s.Wrong(t, "AddFavorite", fmt.Sprintf(`{"productId": %q}`, id), "NOT_FOUND"))
		}
		for _, id := range []string{"null", "5", "true", "[]", "{}"} {
			s.Wrong(t, "AddFavorite", `{"productId": `+id+`}`, "VALIDATION_FAILED").Blames(t, "productId")
		}
		s.Wrong(t, "AddFavorite", `{}`, "VALIDATION_FAILED").Blames(t, "productId")
		s.Right(t, "RemoveFavorite", "", "productId=<tools:product:drill>") // which is the favorite of another customer
		s.Golden(t, "still none", s.Right(t, "Favorites", ""))
		s.Golden(t, "another's", theirs.Right(t, "Favorites", ""))
	})
}

// TestFavoritesRace adds and removes one favorite at the same time: an add that went through is never NOT_FOUND. A
// product that is deleted after it was found is, and no CONFLICT.
func TestFavoritesRace(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		one := c.Customer(t)
		const add = `mutation($product: ID!) { addFavorite(domain: "tools.example", input: {productId: $product}) {
			favorite { id } } }`
		product := shoptest.Members{"product": c.Named(t, "<tools:product:drill>")}
		var removing sync.WaitGroup
		for range 2 {
			removing.Go(func() {
				for range 30 {
					one.Ask(t, `mutation($product: ID!) {
						removeFavorite(domain: "tools.example", productId: $product) { message } }`, product)
				}
			})
		}
		for range 60 {
			one.Do(t, add, product, nil)
		}
		removing.Wait()
		customer := cart.Owner{Business: uuid.MustParse(c.Tools), User: uuid.MustParse(one.ID)}
		_, err := favorites.Add(t.Context(), c.Store.Client, customer, uuid.New(), time.Now())
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("a product that is gone: got %v, want NOT_FOUND", err)
		}
	})
}
