// Package demo holds three tenants to look at: a machine shop in Persian, a shop for books and clothes in
// English, and a contractor's site without a store. To change one, unpack its file (gzip -dc), edit the
// bundle, and pack it again (gzip -9n); the tests check what must hold for the shops.
package demo

import _ "embed"

//go:embed sanat-mashin.bundle.json.gz
var sanatMashin []byte

//go:embed paperlane.bundle.json.gz
var paperlane []byte

//go:embed memar-novin.bundle.json.gz
var memarNovin []byte

// Bundle is one demo tenant.
type Bundle struct {
	Domain string
	Data   []byte   // a tenant bundle, gzip
	Paths  []string // routes below /api/v1/tenants/{domain} that are worth a look
}

// Bundles returns the demo tenants.
func Bundles() []Bundle {
	return []Bundle{
		{"sanat-mashin.example", sanatMashin, []string{
			"/user-products?promoted=true",
			"/products/mazak-vcn-530c-vertical-machining-center-2019/technical-info",
			"/categories",
		}},
		{"paperlane.example", paperlane, []string{
			"/store-items?isFestival=true&maxPrice=20",
			"/products?name=lighthouse",
			"/store-specials",
		}},
		{"memar-novin.example", memarNovin, []string{
			"/portfolios?pageSize=24",
			"/blogs?type=article",
			"/website/business-info",
		}},
	}
}
