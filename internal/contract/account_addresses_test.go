package contract_test

import (
	"encoding/json"
	"strings"
	"testing"
)

const plainAddress = `{"id": "<id>", "label": null, "province": "تهران", "city": "تهران", "address": ` +
	`"خیابان ولیعصر، پلاک ۱۲", "postalCode": null,
	"landline": null, "createdAt": "<now>", "updatedAt": "<now>"}`

const homeAddress = `{"province": "تهران", "city": "تهران", "address": "خیابان ولیعصر، پلاک ۱۲"}`

func TestAccountAddresses(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			mine := d.with(d.register(t, d.cell(1)).access)
			mine.right(t, "addresses", "").is(t, `{"items": []}`)
			made := mine.right(t, "createAddress", homeAddress)
			made.is(t, `{"address": `+plainAddress+`}`)
			full := strings.NewReplacer(`"label": null`, `"label": "خانه"`, `"postalCode": null`,
				`"postalCode": "۱۴۱۵۵-۱۲۳۴۵"`, `"landline": null`, `"landline": "021 8888 1234"`)
			second := mine.right(t, "createAddress", `{"label": " خانه ", "province": " تهران ", "city": "تهران ", `+
				`"address": " خیابان ولیعصر، پلاک ۱۲",
				"postalCode": "۱۴۱۵۵-۱۲۳۴۵", "landline": "021 8888 1234"}`)
			second.is(t, `{"address": `+full.Replace(plainAddress)+`}`)
			mine.right(t, "createAddress", strings.Replace(homeAddress, "{",
				`{"label": "", "postalCode": null, "landline": "", `, 1)).
				is(t, `{"address": `+plainAddress+`}`)
			mine.right(t, "addresses", "").is(t, `{"items": [`+plainAddress+`, `+full.Replace(plainAddress)+`, `+
				plainAddress+`]}`)

			gone := made.member(t, "address.id")
			mine.right(t, "deleteAddress "+gone, "").is(t, `{"message": "The address is removed."}`)
			mine.wrong(t, "deleteAddress "+gone, "", 404, "NOT_FOUND")
			mine.wrong(t, "updateAddress "+gone, `{}`, 404, "NOT_FOUND")
			mine.right(t, "addresses", "").is(t, `{"items": [`+full.Replace(plainAddress)+`, `+plainAddress+`]}`)
		})
	})
}

func TestAccountAddressChange(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			mine := d.with(d.register(t, d.cell(1)).access)
			at := mine.right(t, "createAddress", homeAddress).member(t, "address.id")
			is := plainAddress
			for _, change := range []struct{ input, old, new string }{
				{`{}`, "", ""},
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
				mine.right(t, "updateAddress "+at, change.input).is(t, `{"address": `+is+`}`)
			}
			for input, fields := range map[string]string{
				`{"province": null, "city": null, ` +
					`"address": null}`: "province city address",
				`{"province": "", "city": " ", "address": "", "label": ` +
					`"Good"}`: "province city address",
				`{"label": 5, "province": 5, "city": 5, "address": 5, "postalCode": 1415512345, ` +
					`"landline": {}}`: "label province city address postalCode landline",
				`{"label": "` + strings.Repeat("x", 101) + `", "address": "` + strings.Repeat("x", 501) +
					`"}`: "label address",
			} {
				mine.wrong(t, "updateAddress "+at, input, 400, "VALIDATION_FAILED", strings.Fields(fields)...)
			}
			mine.right(t, "addresses", "").is(t, `{"items": [`+is+`]}`)
		})
	})
}

func TestAccountAddressMembers(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			mine := d.with(d.register(t, d.cell(1)).access)
			long := func(n int) string { return `"` + strings.Repeat("ی", n) + `"` }
			for input, fields := range map[string]string{
				`{}`: "province city address",
				`{"province": null, "city": "", "address": " ", "label": 5, "postalCode": [], ` +
					`"landline": true}`: "province city address label postalCode landline",
				`{"province": ` + long(101) + `, "city": ` + long(101) + `, "address": ` + long(501) + `, "label": ` +
					long(101) + `, "postalCode": ` + long(101) +
					`, "landline": ` + long(101) + `}`: "province city address label postalCode landline",
			} {
				mine.wrong(t, "createAddress", input, 400, "VALIDATION_FAILED", strings.Fields(fields)...)
			}
			mine.right(t, "createAddress", `{"province": `+long(100)+`, "city": `+long(100)+`, "address": `+long(500)+
				`, "label": `+long(100)+`}`)
			for n := 1; n < 100; n++ {
				mine.right(t, "createAddress", homeAddress)
			}
			mine.wrong(t, "createAddress", homeAddress, 409, "CONFLICT")
			var list struct{ Items []json.RawMessage }
			if err := json.Unmarshal([]byte(mine.right(t, "addresses", "").said), &list); err != nil ||
				len(list.Items) != 100 {
				t.Errorf("%d addresses, %v", len(list.Items), err)
			}
		})
	})
}

// TestAccountAddressOfAnother checks that another customer's address is like one that does not exist.
func TestAccountAddressOfAnother(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			mine, theirs := d.with(d.register(t, d.cell(1)).access), d.with(d.register(t, d.cell(2)).access)
			at := theirs.right(t, "createAddress", homeAddress).member(t, "address.id")
			messages := map[string]bool{}
			for _, id := range []string{at, strings.ToUpper(at), "00000000-0000-7000-8000-000000000000", "x", "1"} {
				messages[mine.wrong(t, "updateAddress "+id, `{"city": "ری"}`, 404, "NOT_FOUND").message(t)] = true
				mine.wrong(t, "deleteAddress "+id, "", 404, "NOT_FOUND")
				mine.wrong(t, "updateAddress "+id, `{"city": ""}`, 400, "VALIDATION_FAILED", "city")
			}
			if len(messages) != 1 {
				t.Errorf("whose address it is shows: %v", messages)
			}
			mine.right(t, "addresses", "").is(t, `{"items": []}`)
			theirs.right(t, "addresses", "").is(t, `{"items": [`+plainAddress+`]}`)
		})
	})
}
