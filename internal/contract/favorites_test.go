package contract_test

import (
	"fmt"
	"testing"
	"time"
)

// keeping is the input that adds a product of the tool shop to the favorites.
func keeping(slug string) string { return `{"productId": "<tools:product:` + slug + `>"}` }

func TestFavorites(t *testing.T) {
	eachShopper(t, func(t *testing.T, s shopper) {
		s.golden(t, "none", s.right(t, "Favorites", ""))
		first := s.right(t, "AddFavorite", keeping("drill"))
		s.golden(t, "kept", first)
		s.clock.pass(time.Minute)
		if again := s.right(t, "AddFavorite", keeping("drill")); again.said != first.said {
			t.Errorf("kept again: %s, was %s", again.said, first.said)
		}
		s.right(t, "AddFavorite", keeping("mug"))
		s.clock.pass(time.Minute)
		s.right(t, "AddFavorite", keeping("hammer"))
		s.golden(t, "three", s.right(t, "Favorites", ""))
		s.amends(t, "mug", map[string]any{"status": "draft"})
		s.golden(t, "one unpublished", s.right(t, "Favorites", "", "page=2", "pageSize=1"))
		s.golden(t, "forgotten", s.right(t, "RemoveFavorite", "", "productId=<tools:product:mug>"))
		for _, id := range []string{"<tools:product:mug>", "<tools:product:draft-drill>", "<mugs:product:tea>",
			nobodys, "x"} {
			s.right(t, "RemoveFavorite", "", "productId="+id)
		}
		s.golden(t, "forgotten again", s.right(t, "RemoveFavorite", "", "productId=<tools:product:mug>"))
		s.golden(t, "two", s.right(t, "Favorites", "", "pageSize=2"))
		s.golden(t, "at another shop", s.at(t, "mugs").right(t, "Favorites", ""))
	})
}

// TestFavoritesRefuse adds favorites that are not allowed.
func TestFavoritesRefuse(t *testing.T) {
	eachShopper(t, func(t *testing.T, s shopper) {
		theirs := s.door.shopper(t, 2)
		theirs.right(t, "AddFavorite", keeping("drill"))
		for name, id := range map[string]string{
			"unknown": nobodys, "no id": "drill", "of another shop": "<mugs:product:tea>",
			"draft":     "<tools:product:draft-drill>",
			"scheduled": "<tools:product:future-drill>", "archived": "<tools:product:old-drill>",
			"variant": "<tools:variant:D-10>",
		} {
			s.golden(t, name, s.wrong(t, "AddFavorite", fmt.Sprintf(`{"productId": %q}`, id), "NOT_FOUND"))
		}
		for _, id := range []string{"null", "5", "true", "[]", "{}"} {
			s.wrong(t, "AddFavorite", `{"productId": `+id+`}`, "VALIDATION_FAILED").blames(t, "productId")
		}
		s.wrong(t, "AddFavorite", `{}`, "VALIDATION_FAILED").blames(t, "productId")
		s.right(t, "RemoveFavorite", "", "productId=<tools:product:drill>") // which is another's
		s.golden(t, "still none", s.right(t, "Favorites", ""))
		s.golden(t, "another's", theirs.right(t, "Favorites", ""))
	})
}
