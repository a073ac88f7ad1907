package selection_test

import (
	"fmt"

	"storefront/internal/catalog/selection"
)

// A resolver adds what it needs itself to what the request asks for, and loads only that.
func Example() {
	asked := selection.Path("product.brand").Merge(selection.Path("product.title"))
	fmt.Println(asked.Has("product"), asked.At("product").Has("brand"), asked.At("product").Has("price"))
	// Output: true true false
}
