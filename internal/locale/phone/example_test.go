package phone_test

import (
	"fmt"

	"storefront/internal/locale/phone"
)

func ExampleNormalize() {
	for _, typed := range []string{"۰۹۱۲ ۱۲۳ ۴۵۶۷", "989121234567", "+1 (415) 555-0123", "02188776655"} {
		fmt.Println(phone.Normalize(typed))
	}
	// Output:
	// +989121234567 true
	// +989121234567 true
	// +14155550123 true
	// 02188776655 false
}

func ExampleE164() {
	fmt.Println(phone.E164("+۹۸۹۱۲۱۲۳۴۵۶۷"))
	fmt.Println(phone.E164("\u202a+989121234567\u202c")) // as a contact is copied
	_, ok := phone.E164("09121234567")                   // which says nothing of its country
	fmt.Println(ok)
	// Output:
	// +989121234567 true
	// +989121234567 true
	// false
}

func ExampleIranianMobile() {
	fmt.Println(phone.IranianMobile("9121234567"))
	_, ok := phone.IranianMobile("0912 123 4567")
	fmt.Println(ok)
	// Output:
	// +989121234567 true
	// false
}
