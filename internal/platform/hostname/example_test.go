package hostname_test

import (
	"fmt"

	"storefront/internal/platform/hostname"
)

func ExampleNormalize() {
	fmt.Println(hostname.Normalize("Shop.IR."))
	fmt.Println(hostname.Normalize("فروشگاه.ایران"))
	_, ok := hostname.Normalize("https://shop.ir")
	fmt.Println(ok)
	// Output:
	// shop.ir true
	// xn--mgbtj4c7ad63e.xn--mgba3a4f16a true
	// false
}

func ExampleCheckTenant() {
	fmt.Println(hostname.CheckTenant("shop.ir"))
	fmt.Println(hostname.CheckTenant("api.shop.ir"))
	// Output:
	// <nil>
	// must not begin with api., which is an address of shop.ir
}
