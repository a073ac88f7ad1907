package account_test

import (
	"encoding/json"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

func TestAccountAddresses(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			mine := d.With(d.Register(t, d.Cell(1)).Access)
			mine.Right(t, "addresses", "").Is(t, `{"items": []}`)
			made := mine.Right(t, "createAddress", shoptest.HomeAddress)
			made.Is(t, `{"address": `+shoptest.PlainAddress+`}`)
			full := strings.NewReplacer(`"label": null`, `"label": "خانه"`, `"postalCode": null`,
				`"postalCode": "۱۴۱۵۵-۱۲۳۴۵"`, `"landline": null`, `"landline": "021 8888 1234"`)
			second := mine.Right(t, "createAddress", `{"label": " خانه ", "province": " تهران ", `+
				`"city": "تهران ", `+
				`"address": " خیابان ولیعصر، پلاک ۱۲",
				"postalCode": "۱۴۱۵۵-۱۲۳۴۵", "landline": "021 8888 1234"}`)
			second.Is(t, `{"address": `+full.Replace(shoptest.PlainAddress)+`}`)
			mine.Right(t, "createAddress", strings.Replace(shoptest.HomeAddress, "{",
				`{"label": "", "postalCode": null, "landline": "", `, 1)).
				Is(t, `{"address": `+shoptest.PlainAddress+`}`)
			mine.Right(t, "addresses", "").Is(t,
				`{"items": [`+shoptest.PlainAddress+`, `+full.Replace(shoptest.PlainAddress)+`, `+
					shoptest.PlainAddress+`]}`)

			gone := made.Member(t, "address.id")
			mine.Right(t, "deleteAddress "+gone, "").Is(t, `{"message": "The address is removed."}`)
			mine.Wrong(t, "deleteAddress "+gone, "", 404, "NOT_FOUND")
			mine.Wrong(t, "updateAddress "+gone, `{"label": null}`, 404, "NOT_FOUND")
			mine.Right(t, "addresses", "").Is(t,
				`{"items": [`+full.Replace(shoptest.PlainAddress)+`, `+shoptest.PlainAddress+`]}`)
		})
	})
}

func TestAccountAddressChange(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			mine := d.With(d.Register(t, d.Cell(1)).Access)
			at := mine.Right(t, "createAddress", shoptest.HomeAddress).Member(t, "address.id")
			is := shoptest.PlainAddress
			for _, change := range []struct{ input, old, new string }{
				{`{"landline": null}`, "", ""},
				{`{"label": " Home ", "landline": "021"}`, `"label": null`, `"label": "Home"`},
				{`{"postalCode": "1415512345"}`, `"postalCode": null`, `"postalCode": "1415512345"`},
				{`{"city": " ری "}`, `"city": "تهران"`, `"city": "ری"`},
				{`{"address": "پلاک ۱"}`, "خیابان ولیعصر، پلاک ۱۲", "پلاک ۱"},
				{`{"label": null}`, `"label": "Home"`, `"label": null`},
				{`{"postalCode": ""}`, `"postalCode": "1415512345"`, `"postalCode": null`},
				{`{"province": "البرز", "landline": null}`, `"province": "تهران"`, `"province": "البرز"`},
			} {
				is = strings.Replace(is, change.old, change.new, 1)
				if strings.Contains(change.input, `"landline": "021"`) {
					is = strings.Replace(is, `"landline": null`, `"landline": "021"`, 1)
				} else if strings.Contains(change.input, `"landline": null`) {
					is = strings.Replace(is, `"landline": "021"`, `"landline": null`, 1)
				}
				mine.Right(t, "updateAddress "+at, change.input).Is(t, `{"address": `+is+`}`)
			}
			for input, fields := range map[string]string{
				`{}`: "label", // names none of its members
				`{"province": null, "city": null, ` +
					`"address": null}`: "province city address",
				`{"province": "", "city": " ", "address": "", "label": ` +
					`"Good"}`: "province city address",
				`{"label": 5, "province": 5, "city": 5, "address": 5, "postalCode": 1415512345, ` +
					`"landline": {}}`: "label province city address postalCode landline",
				`{"label": "` + strings.Repeat("x", 101) + `", "address": "` + strings.Repeat("x", 501) +
					`"}`: "label address",
			} {
				mine.Wrong(t, "updateAddress "+at, input, 400, "VALIDATION_FAILED", strings.Fields(fields)...)
			}
			mine.Right(t, "addresses", "").Is(t, `{"items": [`+is+`]}`)
		})
	})
}

func TestAccountAddressMembers(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			mine := d.With(d.Register(t, d.Cell(1)).Access)
			long := func(n int) string { return `"` + strings.Repeat("ی", n) + `"` }
			for input, fields := range map[string]string{
				`{}`: "province city address",
				`{"province": null, "city": "", "address": " ", "label": 5, "postalCode": [], ` +
					`"landline": true}`: "province city address label postalCode landline",
				`{"province": ` + long(101) + `, "city": ` + long(101) + `, "address": ` + long(501) + `, "label": ` +
					long(101) + `, "postalCode": ` + long(101) +
					`, "landline": ` + long(101) + `}`: "province city address label postalCode landline",
			} {
				mine.Wrong(t, "createAddress", input, 400, "VALIDATION_FAILED", strings.Fields(fields)...)
			}
			mine.Right(t, "createAddress", `{"province": `+long(100)+`, "city": `+long(100)+`, "address": `+long(500)+
				`, "label": `+long(100)+`}`)
			for n := 1; n < 100; n++ {
				mine.Right(t, "createAddress", shoptest.HomeAddress)
			}
			mine.Wrong(t, "createAddress", shoptest.HomeAddress, 409, "CONFLICT")
			var list struct{ Items []json.RawMessage }
			if err := json.Unmarshal([]byte(mine.Right(t, "addresses", "").Said), &list); err != nil ||
				len(list.Items) != 100 {
				t.Errorf("%d addresses, %v", len(list.Items), err)
			}
		})
	})
}

// TestAccountAddressOfAnother checks that another customer's address is like one that does not exist.
func TestAccountAddressOfAnother(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			mine, theirs := d.With(d.Register(t, d.Cell(1)).Access), d.With(d.Register(t, d.Cell(2)).Access)
			at := theirs.Right(t, "createAddress", shoptest.HomeAddress).Member(t, "address.id")
			messages := map[string]bool{}
			for _, id := range []string{at, strings.ToUpper(at), "00000000-0000-7000-8000-000000000000", "x", "1"} {
				messages[mine.Wrong(t, "updateAddress "+id, `{"city": "ری"}`, 404, "NOT_FOUND").Message(t)] = true
				mine.Wrong(t, "deleteAddress "+id, "", 404, "NOT_FOUND")
				mine.Wrong(t, "updateAddress "+id, `{"city": ""}`, 400, "VALIDATION_FAILED", "city")
			}
			if len(messages) != 1 {
				t.Errorf("whose address it is shows: %v", messages)
			}
			mine.Right(t, "addresses", "").Is(t, `{"items": []}`)
			theirs.Right(t, "addresses", "").Is(t, `{"items": [`+shoptest.PlainAddress+`]}`)
		})
	})
}
