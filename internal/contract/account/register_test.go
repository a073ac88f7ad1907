// Package account_test checks accounts, codes and sessions, and the SMS gateway of partners.
package account_test

import (
	"fmt"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

func TestAccountRegister(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			d.Right(t, "register", shoptest.Registering(cell, shoptest.GoodPassword, shoptest.ToolsShop)).
				Is(t, `{"user": `+sara(cell)+`, "accessToken": "<access>", "refreshToken": "<refresh>", `+
					`"registeredBusiness": `+toolsBusiness+`}`)
			input := fmt.Sprintf(`{"cellNumber": %q, "password": "12345678", "firstName": " Reza ", "lastName": `+
				`" پارسا ", "email": " reza@mail.example ",
				"domain": "TOOLS.example.", "acknowledgeExistingAccount": false, "cellVerified": true, "id": "x"}`,
				d.Cell(2))
			if d.GraphQL { // GraphQL names unknown members
				d.Wrong(t, "register", input, 400, "VALIDATION_FAILED", "cellVerified", "id")
				return
			}
			got := d.Right(t, "register", input)
			got.Is(t, `{"user": {"id": "<id>", "cellNumber": "`+d.Cell(2)+
				`", "cellVerified": false, "firstName": "Reza", "lastName": "پارسا",
				"email": "reza@mail.example", "createdAt": "2026-11-15T12:00:00Z"},
				"accessToken": "<access>", "refreshToken": "<refresh>", "registeredBusiness": `+toolsBusiness+`}`)
		})
	})
}

// TestRegisterAtNoShop names the domain that is unknown or empty.
func TestRegisterAtNoShop(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			for domain, code := range map[string]string{"nobody.example": "NOT_FOUND", "": "VALIDATION_FAILED"} {
				status := map[string]int{"NOT_FOUND": 404, "VALIDATION_FAILED": 400}[code]
				d.Wrong(t, "register", shoptest.Registering(d.Cell(1), shoptest.GoodPassword, domain), status, code,
					"domain")
			}
		})
	})
}

// TestAccountRegisterCell checks that a cell is one account in every spelling: registration takes E.164
// only, with its digits folded.
func TestAccountRegisterCell(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			for _, typed := range []string{
				"", "+", "12345678", "09120000003", "9120000003", "989120000003", "00989120000003", "+98 912 000 0003",
				"+98-912-000-0003", "(+98)9120000003", "+1234567", "+1234567890123456", "+0989120000", "+98912000000x",
				"++989120000003",
				"+98912000000", "+9891200000033", "+", "tel:+989120000003", "+989120000003;ext=1",
			} {
				d.Wrong(t, "register", shoptest.Registering(typed, shoptest.GoodPassword, shoptest.ToolsShop),
					400, "VALIDATION_FAILED",
					"cellNumber")
			}
			persian := strings.NewReplacer("0", "۰", "1", "۱", "2", "۲", "3", "۳", "8", "۸", "9", "٩", "6", "٦").
				Replace(d.Cell(3))
			got := d.Right(t, "register", shoptest.Registering(persian, shoptest.GoodPassword, shoptest.ToolsShop))
			if is := got.Member(t, "user.cellNumber"); is != d.Cell(3) {
				t.Errorf("%s became %s", persian, is)
			}
			for _, typed := range []string{d.Cell(3), persian, " " + d.Cell(3) + " "} {
				d.Wrong(t, "register", shoptest.Registering(typed, shoptest.GoodPassword, shoptest.ToolsShop),
					409, "CELL_ALREADY_REGISTERED")
			}
			for n, typed := range []string{"+12345678", "+123456789012345", "+442071838750"} {
				typed = typed[:len(typed)-1] + fmt.Sprint(map[bool]int{false: 1, true: 2}[d.GraphQL]+2*n)
				if is := d.Right(t, "register", shoptest.Registering(typed, shoptest.GoodPassword,
					shoptest.ToolsShop)).
					Member(t, "user.cellNumber"); is != typed {
					t.Errorf("got the cell %s, want %s", is, typed)
				}
			}
		})
	})
}

// TestAccountCellForms signs in with the forms that people type.
func TestAccountCellForms(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(4)
			d.Register(t, cell)
			national := strings.TrimPrefix(cell, "+98")
			for _, typed := range []string{
				cell, "0" + national, national, "98" + national, "0098" + national, "+980" + national,
				" 0" + national + " ",
				"0" + national[:3] + " " + national[3:6] + "-" + national[6:], "۰" + national, "\u200e+98 (" +
					national[:3] + ") " + national[3:],
			} {
				if is := d.Right(t, "login", shoptest.ByPassword(typed, shoptest.GoodPassword)).Member(t,
					"user.cellNumber"); is != cell {
					t.Errorf("%q is %s", typed, is)
				}
			}
			for _, typed := range []string{"", "0", "0912", "91200000041", "+98812000000", "abc", "+12",
				"0" + national + "1"} {
				for _, operation := range []string{"login", "loginOtp", "verifyOtp", "resetPassword", "sendOtp"} {
					members := map[string]string{
						"login": shoptest.ByPassword(typed,
							shoptest.GoodPassword), "loginOtp": shoptest.ByCode(typed, "123456"),
						"verifyOtp": shoptest.ByCode(typed, "123456"),
						"resetPassword": resetting(typed, "123456",
							shoptest.GoodPassword), "sendOtp": shoptest.ToCell(typed),
					}
					d.Wrong(t, operation, members[operation], 400, "VALIDATION_FAILED", "cellNumber")
				}
			}
		})
	})
}

func TestAccountRegisterMembers(t *testing.T) {
	all := []string{"cellNumber", "domain", "firstName", "lastName", "password"}
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(5)
			d.Wrong(t, "register", `{}`, 400, "VALIDATION_FAILED", all...)
			d.Wrong(t, "register", `{"cellNumber": null, "password": null, "firstName": null, "lastName": null, `+
				`"domain": null}`, 400, "VALIDATION_FAILED", all...)
			d.Wrong(t, "register", `{"cellNumber": 5, "password": 5, "firstName": 5, "lastName": {}, "domain": [], `+
				`"email": 5, "acknowledgeExistingAccount": 5}`,
				400, "VALIDATION_FAILED", append([]string{"acknowledgeExistingAccount", "email"}, all...)...)
			d.Wrong(t, "register", `{"cellNumber": "0912", "password": "short", "firstName": " ", "lastName": "`+
				strings.Repeat("ی", 101)+`", "domain": "nobody.example",
				"email": "nobody", "acknowledgeExistingAccount": "true"}`,
				400, "VALIDATION_FAILED", "cellNumber", "password", "firstName", "lastName", "email",
				"acknowledgeExistingAccount")
			for _, domain := range []string{"nobody.example", "api.tools.example", "https://", "tools", "...",
				"tools.example@nobody.example", "https://nobody.example/tools.example"} {
				d.Wrong(t, "register", shoptest.Registering(cell, shoptest.GoodPassword, domain), 404, "NOT_FOUND",
					"domain")
			}
			for n, domain := range []string{"www.tools.example", "tools.example:443", "https://tools.example",
				"https://www.Tools.example/products?page=2", "tools.example/"} { // as it is copied from a browser
				d.Right(t, "register", shoptest.Registering(d.Cell(50+n), shoptest.GoodPassword, domain))
			}
			for _, email := range []string{"a", "a@", "@b.example", "a@b", "a b@c.example", "Sara <a@b.example>",
				"a@b.example, c@d.example", strings.Repeat("a", 250) + "@b.example"} {
				d.Wrong(t, "register", strings.Replace(shoptest.Registering(cell, shoptest.GoodPassword,
					shoptest.ToolsShop), "{",
					fmt.Sprintf(`{"email": %q, `, email), 1),
					400, "VALIDATION_FAILED", "email")
			}
			// Nothing of all that was written: the cell is still free. Empty optional members are absent.
			got := d.Right(t, "register", strings.Replace(shoptest.Registering(cell, shoptest.GoodPassword,
				shoptest.ToolsShop), "{",
				`{"email": "", "acknowledgeExistingAccount": null, `, 1))
			got.Is(t, `{"user": `+sara(cell)+`, "accessToken": "<access>", "refreshToken": "<refresh>", `+
				`"registeredBusiness": `+toolsBusiness+`}`)
			d.Right(t, "register", strings.Replace(shoptest.Registering(d.Cell(6), shoptest.GoodPassword,
				shoptest.ToolsShop), "Karimi",
				strings.Repeat("ی", 100), 1))
		})
	})
}

// TestAccountPasswords checks that passwords have 8 to 256 code points and are taken as they are.
func TestAccountPasswords(t *testing.T) {
	good := []string{"12345678", "        ", " leading and trailing ", "۱۲۳۴۵۶۷۸", strings.Repeat("🔑", 256),
		strings.Repeat("a", 256), `q"uo\te's/x`, "e\u0301e\u0301e\u0301e\u0301"}
	bad := []string{"", "1234567", "🔑🔑🔑🔑🔑🔑🔑", strings.Repeat("a", 257), strings.Repeat("🔑", 257)}
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			session := d.Register(t, d.Cell(9)).Access
			for _, password := range bad {
				input := shoptest.Registering(d.Cell(10), "PASSWORD", shoptest.ToolsShop)
				d.Wrong(t, "register", strings.Replace(input, `"PASSWORD"`, shoptest.JSONText(password), 1), 400,
					"VALIDATION_FAILED", "password")
				d.Wrong(t, "resetPassword", `{"cellNumber": "`+d.Cell(9)+`", "code": "123456", "newPassword": `+
					shoptest.JSONText(password)+`}`, 400, "VALIDATION_FAILED", "newPassword")
				d.With(session).Wrong(t, "changePassword",
					`{"currentPassword": "x", "newPassword": `+shoptest.JSONText(password)+
						`}`, 400, "VALIDATION_FAILED", "newPassword")
			}
			for n, password := range good {
				cell := d.Cell(11 + n)
				d.Right(t, "register", strings.Replace(shoptest.Registering(cell, "PASSWORD",
					shoptest.ToolsShop), `"PASSWORD"`,
					shoptest.JSONText(password), 1))
				d.Right(t, "login", `{"cellNumber": "`+cell+`", "password": `+shoptest.JSONText(password)+`}`)
				for _, near := range []string{strings.TrimSpace(password), password + " ", strings.ToUpper(password),
					strings.ReplaceAll(password, "۱", "1"), strings.ReplaceAll(password, "e\u0301", "é")} {
					if near != password && near != "" && len([]rune(near)) <= 256 {
						d.Wrong(t, "login", `{"cellNumber": "`+cell+`", "password": `+shoptest.JSONText(near)+`}`, 401,
							"INVALID_CREDENTIALS")
					}
				}
			}
		})
	})
}
