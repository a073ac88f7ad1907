package search_test

import (
	"fmt"
	"strings"

	"storefront/internal/locale/search"
)

// Arabic and Persian spellings of one word, with and without a ZWNJ, have one compact form.
func ExampleCompact() {
	fmt.Println(search.Compact("كتاب\u200cخانه") == search.Compact("کتاب خانه"))
	fmt.Println(search.Compact("Café ۱۲"))
	// Output:
	// true
	// cafe12
}

// A record is found when its stored compact text holds every piece of the query.
func ExamplePieces() {
	stored := search.Compact("دریل صنعتی Makita 18V")
	found := true
	for _, piece := range search.Pieces("makita دريل") {
		found = found && strings.Contains(stored, piece)
	}
	fmt.Println(found)
	// Output: true
}

func ExampleSlug() {
	fmt.Println(search.Slug("Cordless Drill, 18 V"))
	fmt.Println(search.Slug("كتاب نو"))
	// Output:
	// cordless-drill-18-v
	// کتاب-نو
}
