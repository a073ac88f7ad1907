package money_test

import (
	"encoding/json"
	"fmt"

	"storefront/internal/locale/money"
)

// A price is parsed into the smallest unit of its currency, calculated with, and written as it came.
func Example() {
	price, err := money.Parse("12.5", "USD")
	if err != nil {
		fmt.Println(err)
		return
	}
	total, ok := money.Times(price, 3)
	text, _ := json.Marshal(money.Amount{Minor: total, Currency: "USD"})
	fmt.Println(price, ok, string(text))
	// Output: 1250 true 37.50
}

// Rials and tomans have no decimals, so a fraction of one is refused.
func ExampleParse() {
	toman, _ := money.Parse("450000", "IRT")
	_, err := money.Parse("450000.5", "IRT")
	fmt.Println(toman, err)
	// Output: 450000 has more decimals than IRT allows
}

// A sum above the largest number that JSON clients read exactly is not ok.
func ExamplePlus() {
	_, ok := money.Plus(money.Max, 1)
	fmt.Println(ok)
	// Output: false
}
