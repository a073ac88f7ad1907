// Package demo holds three tenants to look at: a machine shop in Persian, a shop for books and clothes in
// English, and a contractor's site without a store. Each is two files. Only scheduled content is later than
// their last day, and Moved brings that day to the present.
//
// The bundle is the content of a shop. To change it, unpack the file (gzip -dc), edit the bundle, and pack
// it again (gzip -9n); the tests check what must hold for the shops.
//
// The file of customers has their orders, carts and favorites, too: the rows of some tables as `storefront shop
// export` writes them. To replace it, serve the demo, do what is to be seen, lock the shop, and export it to F:
//
//	awk '/^{/ { kept = NR == 1 || /"table":"(users|memberships|carts|cart_items|favorites|order[_a-z]*|payments)"/ }
//		kept && !/"[+]9891200090/; END { print "{\"end\":null}" }' F |
//		sed 's|"http[^"]*/demo/|"/demo/|g' | gzip -9n
//
// Then take the days from its times by which the demo was moved (DaysUntil). New columns of tables need no new
// file.
package demo

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"regexp"
	"time"
)

var (
	//go:embed sanat-mashin.bundle.json.gz
	sanatMashin []byte
	//go:embed sanat-mashin.customers.jsonl.gz
	sanatMashinCustomers []byte

	//go:embed paperlane.bundle.json.gz
	paperlane []byte
	//go:embed paperlane.customers.jsonl.gz
	paperlaneCustomers []byte

	//go:embed memar-novin.bundle.json.gz
	memarNovin []byte
	//go:embed memar-novin.customers.jsonl.gz
	memarNovinCustomers []byte
)

// Bundle is one demo tenant.
type Bundle struct {
	Domain    string
	Data      []byte   // a tenant bundle, gzip
	Customers []byte   // for shopfile.Add, gzip
	Paths     []string // routes below /api/v1/tenants/{domain} that are worth a look
}

// Bundles returns the demo tenants.
func Bundles() []Bundle {
	return []Bundle{
		{"sanat-mashin.example", sanatMashin, sanatMashinCustomers, []string{
			"/user-products?promoted=true",
			"/products/mazak-vcn-530c-vertical-machining-center-2019/technical-info",
			"/categories",
		}},
		{"paperlane.example", paperlane, paperlaneCustomers, []string{
			"/store-items?isFestival=true&maxPrice=20",
			"/products?name=lighthouse",
			"/store-specials",
		}},
		{"memar-novin.example", memarNovin, memarNovinCustomers, []string{
			"/portfolios?pageSize=24",
			"/blogs?type=article",
			"/website/business-info",
		}},
	}
}

// Newest is after the newest record of the files, in less than a day.
var Newest = time.Date(2026, 10, 31, 18, 0, 0, 0, time.UTC)

// DaysUntil returns by how many days to move the files, so that their newest records are of the day before
// now or less old.
func DaysUntil(now time.Time) int { return int(now.Sub(Newest) / (24 * time.Hour)) }

// timeForm is the beginning of a time in JSON.
const timeForm = `"2006-01-02T15:04:05`

var timeIn = regexp.MustCompile(`"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d`)

// Moved unpacks a file and adds a number of days to the times in it. Those within ids stay.
func Moved(file []byte, days int) ([]byte, error) {
	zip, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(zip)
	return timeIn.ReplaceAllFunc(text, func(found []byte) []byte {
		at, failed := time.Parse(timeForm, string(found))
		if failed != nil {
			err = failed
		}
		return at.AddDate(0, 0, days).AppendFormat(nil, timeForm)
	}), err
}
