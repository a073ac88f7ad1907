package gateway

import (
	"storefront/internal/fault"
	"storefront/internal/locale/money"
)

// banksOfIran stands for the pages of the banks, which are all in one domain.
const banksOfIran = "https://*.shaparak.ir"

// ofIran returns the bounds of a gateway in a currency of Iran, for those in rials, the most of
// which is a multiple of ten.
func (h host) ofIran(currency string, leastRials, mostRials int64) (least, most int64, refused fault.Text) {
	switch currency {
	case "IRR":
		return leastRials, mostRials, refused
	case "IRT":
		least, _ = money.Amount{Minor: leastRials, Currency: "IRR"}.Toman() // rounded up
		most, _ = money.Amount{Minor: mostRials, Currency: "IRR"}.Toman()
		return least, most, refused
	}
	return 0, 0, fault.Say("%s takes rials and tomans only, not %s", h.title, currency)
}

// inFarsi describes an attempt on a page that is in Farsi whatever the shop's language. It names nobody.
func (a Attempt) inFarsi() string { return "سفارش " + a.Order }
