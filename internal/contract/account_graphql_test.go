package contract_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestAccountOneAtATime checks that a document with more than one operation on secrets or codes is refused
// and none of them runs.
func TestAccountOneAtATime(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.graphQL()
		cell := d.cell(1)
		mine := d.register(t, cell)
		code := d.code(t, cell)
		fields := map[string]string{
			"register": fmt.Sprintf(`register(input: {cellNumber: %q, password: "12345678", firstName: "a", `+
				`lastName: "b", domain: "tools.example"}) { __typename }`, d.cell(2)),
			"login": fmt.Sprintf(`login(input: {cellNumber: %q, password: "wrong password"}) { accessToken }`,
				cell),
			"loginOtp":  fmt.Sprintf(`loginOtp(input: {cellNumber: %q, code: %q}) { accessToken }`, cell, code),
			"sendOtp":   fmt.Sprintf(`sendOtp(input: {cellNumber: %q}) { __typename }`, d.cell(3)),
			"verifyOtp": fmt.Sprintf(`verifyOtp(input: {cellNumber: %q, code: %q}) { verified }`, cell, code),
			"resetPassword": fmt.Sprintf(`resetPassword(input: {cellNumber: %q, code: %q, newPassword: `+
				`"battery staple"}) { message }`, cell, code),
			"refreshTokens": fmt.Sprintf(`refreshTokens(input: {refreshToken: %q}) { accessToken }`, mine.refresh),
			"changePassword": fmt.Sprintf(`changePassword(input: {currentPassword: %q, newPassword: %q}) { message }`,
				goodPassword, otherPassword),
		}
		refused := func(document string) {
			t.Helper()
			got := a.send(t, "POST", "/graphql", asked(document, ""), "Authorization", "Bearer "+mine.access)
			if wantGraphQL(t, got, 200, "LIMIT_EXCEEDED"); t.Failed() {
				t.Fatalf("that was %s", document)
			}
		}
		for one, first := range fields {
			for other, second := range fields {
				refused(`mutation { a: ` + first + ` b: ` + second + ` }`)
				if one != other {
					refused(`mutation { ` + first + ` ...more } fragment more on Mutation { updateProfile(input: {}) { ` +
						`message } ... on Mutation { ` + second + ` } }`)
				}
			}
		}
		refused(`mutation { ` + strings.Repeat(fields["login"]+" ", 12) + `}`)
		d.login(t, cell, goodPassword)
		d.right(t, "loginOtp", byCode(cell, code))
		d.refresh(t, mine)
		d.register(t, d.cell(2))
		d.right(t, "sendOtp", toCell(d.cell(3)))
	})
}

// TestAccountMe checks that one request can read all records of a customer, and that public fields beside
// them are answered to clients that are not signed in.
func TestAccountMe(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.graphQL()
		c := d.register(t, d.cell(1))
		mine := d.with(c.access)
		mine.right(t, "createAddress", homeAddress)
		const query = `{ me { firstName addresses { city } } tenant(domain: "tools.example") { domain } }`
		got := a.send(t, "POST", "/graphql", asked(query, ""), mine.headers...)
		if want := `{"data":{"me":{"firstName":"Sara","addresses":[{"city":"تهران"}]},` +
			`"tenant":{"domain":"tools.example"}}}`; string(got.body) != want {
			t.Errorf("%s", got.body)
		}
		got = a.send(t, "POST", "/graphql", asked(query, ""))
		wantGraphQL(t, got, 200, "UNAUTHENTICATED")
		for _, secret := range []string{"passwordHash", "password", "memberships", "sessions", "codes"} {
			got := a.send(t, "POST", "/graphql", asked(`{ me { `+secret+` } }`, ""), mine.headers...)
			wantGraphQL(t, got, 200, "GRAPHQL_VALIDATION_FAILED")
		}
	})
}
