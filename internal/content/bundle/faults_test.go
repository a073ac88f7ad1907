package bundle_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"storefront/internal/content/bundle"
	"storefront/internal/content/document"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
)

const head = `{"format":"storefront-bundle/1",` +
	`"tenant":{"domain":"shop.ir","slug":"shop","name":"Shop","nameFa":"فروشگاه","defaultLocale":"fa"}`

// with returns a bundle with the given members besides format and tenant.
func with(members string) string { return head + "," + members + "}" }

// faultsOf imports a bundle that is refused, and returns its faults without line numbers.
func faultsOf(t *testing.T, s *store.Store, text string) []string {
	t.Helper()
	_, err := bundle.Import(t.Context(), s, bundle.Bytes([]byte(text)), nil)
	faults, ok := errors.AsType[*document.Faults](err)
	if !ok {
		t.Fatalf("the import gives %v, want faults", err)
	}
	var said []string
	for _, one := range faults.List {
		if one.Line < 1 || one.Column < 1 {
			t.Errorf("%s has no place", one)
		}
		said = append(said, strings.TrimPrefix(one.Path+": "+one.Message, ": "))
	}
	return said
}

// compareFaults compares faults with the wanted ones, line by line.
func compareFaults(t *testing.T, got []string, want string) {
	t.Helper()
	if all := strings.Join(got, "\n"); all != strings.TrimSpace(want) {
		t.Errorf("the faults are\n%s\nwant\n%s", all, strings.TrimSpace(want))
	}
}

// checkEmpty checks that a refused bundle wrote nothing.
func checkEmpty(t *testing.T, s *store.Store) {
	t.Helper()
	if n, err := s.Client.Tenant.Query().Count(t.Context()); err != nil || n != 0 {
		t.Errorf("%d tenants are there (%v), want none", n, err)
	}
}

func TestFaults(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		for _, group := range [][]faultCase{fileFaults, tenantFaults, catalogFaults, formFaults, variantFaults,
			otherFaults} {
			for _, c := range group {
				t.Run(c.name, func(t *testing.T) {
					compareFaults(t, faultsOf(t, s, c.bundle), c.want)
					checkEmpty(t, s)
				})
			}
		}
	})
}

// faultCase is a bundle with its wanted faults, one on each line.
type faultCase struct{ name, bundle, want string }

var fileFaults = []faultCase{
	{"nothing", "", "is empty"},
	{"a list", "[]", "must be a JSON object"},
	{"a byte order mark", "\uFEFF" + head + "}", "must not begin with a byte order mark"},
	{"cut", head, "is not valid JSON: unexpected EOF"},
	{"not JSON", head + `,"brands":[{"slug":'a'}]}`,
		`brands[0].slug: is not valid JSON: invalid character '\'' at start of value`},
	{"bad UTF-8", with(`"brands":[{"slug":"` + "a\xff" + `"}]`),
		"brands[0].slug: is not valid JSON: invalid UTF-8"},
	{"half a surrogate pair", with(`"brands":[{"slug":"\ud800"}]`),
		"brands[0].slug: is not valid JSON: invalid surrogate pair `\\ud800\"}]}` in string"},
	{"trailing data", head + "}{}", "goes on after its JSON object"},
	{"trailing garbage", head + "}x", "goes on after its JSON object"},
	{"no format", `{"tenant":{"domain":"shop.ir","slug":"shop","name":"S","nameFa":"S","defaultLocale":"fa"}}`,
		"format: is missing"},
	{"another format", `{"format":"storefront-bundle/2","tenant":5,"x":1}`,
		`format: must be "storefront-bundle/1"`},
	{"no tenant", `{"format":"storefront-bundle/1"}`, "tenant: is missing"},
	{"nothing that must be there", `{"brands":[{}],"userProducts":[]}`, `
format: is missing
tenant: is missing
brands[0].slug: is missing
brands[0].name: is missing
brands[0].nameFa: is missing`},
	{"a null tenant", `{"format":"storefront-bundle/1","tenant":null}`, "tenant: must not be null"},
	{"a tenant that is a list", `{"format":"storefront-bundle/1","tenant":[]}`, "tenant: must be an object"},
	{"unknown members", with(`"orders":[],"brands":[{"slug":"a","name":"A","nameFa":"A","color":1}]`), `
orders: is not known
brands[0].color: is not known`},
	{"members twice", with(`"brands":[{"slug":"a","name":"A","name":"B","nameFa":"A"}],"brands":[]`), `
brands[0].name: is there twice
brands: is there twice`},
	{"a section that is no list", with(`"brands":{"slug":"a"},"products":7`), `
brands: must be a list
products: must be a list`},
	{"elements that are no objects", with(`"brands":[1,null,[],"a"]`), `
brands[0]: must be an object
brands[1]: must be an object
brands[2]: must be an object
brands[3]: must be an object`},
	{"too deep", with(`"brands":[{"slug":"a","name":"A","nameFa":"A","x":[[[[[[[[[[1]]]]]]]]]]}]`), `
brands[0].x: is not known
brands[0].x[0][0][0][0][0][0][0]: is nested too deep`},
	{"a strange name", with(`"brands":[{"slug":"a","name":"A","nameFa":"A","a b\u0000":1}]`),
		`brands[0]["a b\x00"]: is not known`},
	{"an element that is too large", with(`"brands":[{"slug":"` + strings.Repeat("a", 5<<20) + `"}]`),
		"brands[0].slug: is too large: an element may have 4 MiB"},
	{"an element with too many values", with(`"brands":[[` + strings.Repeat("1,", 100_000) + `1]]`),
		"brands[0]: is too large"},
}

var tenantFaults = []faultCase{
	{"an empty tenant", `{"format":"storefront-bundle/1","tenant":{}}`, "tenant.domain: is missing"},
	{"a tenant without its members", `{"format":"storefront-bundle/1","tenant":{"domain":"shop.ir","name":null}}`, `
tenant.slug: is missing
tenant.name: is missing
tenant.nameFa: is missing
tenant.defaultLocale: is missing`},
	{"a tenant with all wrong",
		`{"format":"storefront-bundle/1","tenant":{"domain":"www.shop.ir","slug":"My Shop","name":"","nameFa":5,
		"primaryColor":"red","defaultLocale":"de","logoUrl":"ftp://x/y","faviconUrl":"//x/y.ico"}}`, `
tenant.domain: must not begin with www., which is an address of shop.ir
tenant.slug: must be written as a slug: my-shop
tenant.name: must not be empty
tenant.nameFa: must be a string
tenant.primaryColor: must be a colour written as #rrggbb
tenant.defaultLocale: must be one of en, fa
tenant.logoUrl: must begin with http://, https:// or /
tenant.faviconUrl: must begin with http://, https:// or /`},
	{"a profile",
		with(`"profile":{"name":"x","phones":"1","emails":["a@b.ir","a"],"addresses":[{"latitude":91,"longitude":"5"}],
		"socialLinks":[{"type":"instagram","url":"instagram"}]}`), `
profile.name: is not known
profile.phones: must be a list
profile.emails[1]: must be an e-mail address
profile.addresses[0].address: is missing
profile.addresses[0].latitude: must be from -90 to 90
profile.addresses[0].longitude: must be a number
profile.socialLinks[0].url: must begin with http://, https:// or /`},
	{"U+0000", with(`"profile":{"about":"a\u0000b"}`), "profile.about: must not hold U+0000"},
}

func TestFaultLines(t *testing.T) {
	s := storetest.Open(t, storetest.Migrated.SQLite(t))
	text := head +
		",\n \"products\": [\n  {\"slug\": \"a\",\n   \"titleFa\": \"\",\r\n   \"variants\": [{\"sku\": \"x\",\n" +
		"    \"price\": -5, \"priceCurrency\": \"IRR\"}]}\n ]\n}\n"
	_, err := bundle.Import(t.Context(), s, bundle.Bytes([]byte(text)), nil)
	want := "the bundle has 2 faults:\n  products[0].titleFa: must not be empty (line 4, column 15)\n" +
		"  products[0].variants[0].price: must not be negative (line 6, column 14)"
	if err == nil || err.Error() != want {
		t.Errorf("the error is\n%v\nwant\n%s", err, want)
	}
}

func TestManyFaults(t *testing.T) {
	s := storetest.Open(t, storetest.Migrated.SQLite(t))
	var brands []string
	for i := range 1234 {
		brands = append(brands, fmt.Sprintf(`{"slug":"B%d","name":"A","nameFa":"A"}`, i))
	}
	_, err := bundle.Import(t.Context(), s, bundle.Bytes([]byte(with(`"brands":[`+strings.Join(brands,
		",\n")+`]`))), nil)
	faults, ok := errors.AsType[*document.Faults](err)
	if !ok || len(faults.List) != 100 || faults.More != 1134 {
		t.Fatalf("the import gives %v", err)
	}
	if last := faults.List[99]; last.Path != "brands[99].slug" || last.Line != 100 {
		t.Errorf("the last of the list is %s", last)
	}
	if !strings.HasSuffix(err.Error(), "\n  and 1134 more") {
		t.Errorf("the error does not count: %v", err)
	}
}
