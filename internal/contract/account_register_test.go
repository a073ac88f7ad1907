package contract_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestAccountRegister(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell := d.cell(1)
			d.right(t, "register", registering(cell, goodPassword, toolsShop)).
				is(t, `{"user": `+sara(cell)+`, "accessToken": "<access>", "refreshToken": "<refresh>", `+
					`"registeredBusiness": `+toolsBusiness+`}`)
			input := fmt.Sprintf(`{"cellNumber": %q, "password": "12345678", "firstName": " Reza ", "lastName": `+
				`" پارسا ", "email": " reza@mail.example ",
				"domain": "TOOLS.example.", "acknowledgeExistingAccount": false, "cellVerified": true, "id": "x"}`,
				d.cell(2))
			if d.graphQL { // which names what it does not know
				d.wrong(t, "register", input, 400, "VALIDATION_FAILED", "cellVerified", "id")
				return
			}
			got := d.right(t, "register", input)
			got.is(t, `{"user": {"id": "<id>", "cellNumber": "`+d.cell(2)+
				`", "cellVerified": false, "firstName": "Reza", "lastName": "پارسا",
				"email": "reza@mail.example", "createdAt": "2026-11-15T12:00:00Z"},
				"accessToken": "<access>", "refreshToken": "<refresh>", "registeredBusiness": `+toolsBusiness+`}`)
		})
	})
}

// TestAccountRegisterCell checks that a cell is one account in every spelling: registration takes E.164
// only, with its digits folded.
func TestAccountRegisterCell(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			for _, typed := range []string{
				"", "+", "12345678", "09120000003", "9120000003", "989120000003", "00989120000003", "+98 912 000 0003",
				"+98-912-000-0003", "(+98)9120000003", "+1234567", "+1234567890123456", "+0989120000", "+98912000000x",
				"++989120000003",
				"+98912000000", "+9891200000033", "+", "tel:+989120000003", "+989120000003;ext=1",
			} {
				d.wrong(t, "register", registering(typed, goodPassword, toolsShop), 400, "VALIDATION_FAILED",
					"cellNumber")
			}
			persian := strings.NewReplacer("0", "۰", "1", "۱", "2", "۲", "3", "۳", "8", "۸", "9", "٩", "6", "٦").
				Replace(d.cell(3))
			got := d.right(t, "register", registering(persian, goodPassword, toolsShop))
			if is := got.member(t, "user.cellNumber"); is != d.cell(3) {
				t.Errorf("%s became %s", persian, is)
			}
			for _, typed := range []string{d.cell(3), persian, " " + d.cell(3) + " "} {
				d.wrong(t, "register", registering(typed, goodPassword, toolsShop), 409, "CELL_ALREADY_REGISTERED")
			}
			for n, typed := range []string{"+12345678", "+123456789012345", "+442071838750"} {
				typed = typed[:len(typed)-1] + fmt.Sprint(map[bool]int{false: 1, true: 2}[d.graphQL]+2*n)
				if is := d.right(t, "register", registering(typed, goodPassword, toolsShop)).
					member(t, "user.cellNumber"); is != typed {
					t.Errorf("%s became %s", typed, is)
				}
			}
		})
	})
}

// TestAccountCellForms signs in with the forms that people type.
func TestAccountCellForms(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell := d.cell(4)
			d.register(t, cell)
			national := strings.TrimPrefix(cell, "+98")
			for _, typed := range []string{
				cell, "0" + national, national, "98" + national, "0098" + national, "+980" + national,
				" 0" + national + " ",
				"0" + national[:3] + " " + national[3:6] + "-" + national[6:], "۰" + national, "\u200e+98 (" +
					national[:3] + ") " + national[3:],
			} {
				if is := d.right(t, "login", byPassword(typed, goodPassword)).member(t, "user.cellNumber"); is != cell {
					t.Errorf("%q is %s", typed, is)
				}
			}
			for _, typed := range []string{"", "0", "0912", "91200000041", "+98812000000", "abc", "+12",
				"0" + national + "1"} {
				for _, operation := range []string{"login", "loginOtp", "verifyOtp", "resetPassword", "sendOtp"} {
					members := map[string]string{
						"login": byPassword(typed, goodPassword), "loginOtp": byCode(typed, "123456"),
						"verifyOtp":     byCode(typed, "123456"),
						"resetPassword": resetting(typed, "123456", goodPassword), "sendOtp": toCell(typed),
					}
					d.wrong(t, operation, members[operation], 400, "VALIDATION_FAILED", "cellNumber")
				}
			}
		})
	})
}

func TestAccountRegisterMembers(t *testing.T) {
	all := []string{"cellNumber", "domain", "firstName", "lastName", "password"}
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell := d.cell(5)
			d.wrong(t, "register", `{}`, 400, "VALIDATION_FAILED", all...)
			d.wrong(t, "register", `{"cellNumber": null, "password": null, "firstName": null, "lastName": null, `+
				`"domain": null}`, 400, "VALIDATION_FAILED", all...)
			d.wrong(t, "register", `{"cellNumber": 5, "password": 5, "firstName": 5, "lastName": {}, "domain": [], `+
				`"email": 5, "acknowledgeExistingAccount": 5}`,
				400, "VALIDATION_FAILED", append([]string{"acknowledgeExistingAccount", "email"}, all...)...)
			d.wrong(t, "register", `{"cellNumber": "0912", "password": "short", "firstName": " ", "lastName": "`+
				strings.Repeat("ی", 101)+`", "domain": "nobody.example",
				"email": "nobody", "acknowledgeExistingAccount": "true"}`,
				400, "VALIDATION_FAILED", "cellNumber", "password", "firstName", "lastName", "email",
				"acknowledgeExistingAccount")
			for _, domain := range []string{"nobody.example", "www.tools.example", "tools.example:443",
				"https://tools.example", "tools", "...", "tools.example/"} {
				d.wrong(t, "register", registering(cell, goodPassword, domain), 404, "NOT_FOUND")
			}
			for _, email := range []string{"a", "a@", "@b.example", "a@b", "a b@c.example", "Sara <a@b.example>",
				"a@b.example, c@d.example", strings.Repeat("a", 250) + "@b.example"} {
				d.wrong(t, "register", strings.Replace(registering(cell, goodPassword, toolsShop), "{",
					fmt.Sprintf(`{"email": %q, `, email), 1),
					400, "VALIDATION_FAILED", "email")
			}
			// Nothing of all that was written: the cell is still free. Empty optional members are absent.
			got := d.right(t, "register", strings.Replace(registering(cell, goodPassword, toolsShop), "{",
				`{"email": "", "acknowledgeExistingAccount": null, `, 1))
			got.is(t, `{"user": `+sara(cell)+`, "accessToken": "<access>", "refreshToken": "<refresh>", `+
				`"registeredBusiness": `+toolsBusiness+`}`)
			d.right(t, "register", strings.Replace(registering(d.cell(6), goodPassword, toolsShop), "Karimi",
				strings.Repeat("ی", 100), 1))
		})
	})
}

// TestAccountPasswords checks that passwords have 8 to 256 code points and are taken as they are.
func TestAccountPasswords(t *testing.T) {
	good := []string{"12345678", "        ", " leading and trailing ", "۱۲۳۴۵۶۷۸", strings.Repeat("🔑", 256),
		strings.Repeat("a", 256), `q"uo\te's/x`, "e\u0301e\u0301e\u0301e\u0301"}
	bad := []string{"", "1234567", "🔑🔑🔑🔑🔑🔑🔑", strings.Repeat("a", 257), strings.Repeat("🔑", 257)}
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			session := d.register(t, d.cell(9)).access
			for _, password := range bad {
				input := registering(d.cell(10), "PASSWORD", toolsShop)
				d.wrong(t, "register", strings.Replace(input, `"PASSWORD"`, jsonText(password), 1), 400,
					"VALIDATION_FAILED", "password")
				d.wrong(t, "resetPassword", `{"cellNumber": "`+d.cell(9)+`", "code": "123456", "newPassword": `+
					jsonText(password)+`}`, 400, "VALIDATION_FAILED", "newPassword")
				d.with(session).wrong(t, "changePassword", `{"currentPassword": "x", "newPassword": `+jsonText(password)+
					`}`, 400, "VALIDATION_FAILED", "newPassword")
			}
			for n, password := range good {
				cell := d.cell(11 + n)
				d.right(t, "register", strings.Replace(registering(cell, "PASSWORD", toolsShop), `"PASSWORD"`,
					jsonText(password), 1))
				d.right(t, "login", `{"cellNumber": "`+cell+`", "password": `+jsonText(password)+`}`)
				for _, near := range []string{strings.TrimSpace(password), password + " ", strings.ToUpper(password),
					strings.ReplaceAll(password, "۱", "1"), strings.ReplaceAll(password, "e\u0301", "é")} {
					if near != password && near != "" && len([]rune(near)) <= 256 {
						d.wrong(t, "login", `{"cellNumber": "`+cell+`", "password": `+jsonText(near)+`}`, 401,
							"INVALID_CREDENTIALS")
					}
				}
			}
		})
	})
}
