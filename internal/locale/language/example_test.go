package language_test

import (
	"fmt"

	"storefront/internal/fault"
	"storefront/internal/locale/language"
)

func ExampleChoose() {
	fmt.Println(language.Choose("fa-IR,fa;q=0.9,en;q=0.8"))
	fmt.Println(language.Choose("de, en;q=0.5"))
	fmt.Println(language.Choose("de"))
	// Output:
	// fa
	// en
	// en
}

func ExampleLanguage_Say() {
	text := fault.Say("must be at least %d", 120)
	fmt.Println(language.English.Say(text))
	fmt.Println(language.Farsi.Say(text))
	// Output:
	// must be at least 120
	// باید دست‌کم ۱۲۰ باشد
}
