package account_test

import (
	"fmt"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestAccountOneAtATime checks that a document with more than one operation on secrets or codes is refused
// and none of them runs.
func TestAccountOneAtATime(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.GraphQL()
		cell := d.Cell(1)
		mine := d.Register(t, cell)
		code := d.Code(t, cell)
		fields := map[string]string{
			"register": fmt.Sprintf(`register(input: {cellNumber: %q, password: "12345678", firstName: "a", `+
				`lastName: "b", domain: "tools.example"}) { __typename }`, d.Cell(2)),
			"login": fmt.Sprintf(`login(input: {cellNumber: %q, password: "wrong password"}) { accessToken }`,
				cell),
			"loginOtp":  fmt.Sprintf(`loginOtp(input: {cellNumber: %q, code: %q}) { accessToken }`, cell, code),
			"sendOtp":   fmt.Sprintf(`sendOtp(input: {cellNumber: %q}) { __typename }`, d.Cell(3)),
			"verifyOtp": fmt.Sprintf(`verifyOtp(input: {cellNumber: %q, code: %q}) { verified }`, cell, code),
			"resetPassword": fmt.Sprintf(`resetPassword(input: {cellNumber: %q, code: %q, newPassword: `+
				`"battery staple"}) { message }`, cell, code),
			"refreshTokens": fmt.Sprintf(`refreshTokens(input: {refreshToken: %q}) { accessToken }`, mine.Refresh),
			"changePassword": fmt.Sprintf(`changePassword(input: {currentPassword: %q, newPassword: %q}) { message }`,
				shoptest.GoodPassword, shoptest.OtherPassword),
		}
		refused := func(document string) {
			t.Helper()
			got := a.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, ""), "Authorization",
				"Bearer "+mine.Access)
			if shoptest.WantGraphQL(t, got, 200, "LIMIT_EXCEEDED"); t.Failed() {
				t.Fatalf("that was %s", document)
			}
		}
		for one, first := range fields {
			for other, second := range fields {
				refused(`mutation { a: ` + first + ` b: ` + second + ` }`)
				if one != other {
					refused(`mutation { ` + first +
						` ...more } fragment more on Mutation { updateProfile(input: {}) { ` +
						`message } ... on Mutation { ` + second + ` } }`)
				}
			}
		}
		refused(`mutation { ` + strings.Repeat(fields["login"]+" ", 12) + `}`)
		d.Login(t, cell, shoptest.GoodPassword)
		d.Right(t, "loginOtp", shoptest.ByCode(cell, code))
		d.Refresh(t, mine)
		d.Register(t, d.Cell(2))
		d.Right(t, "sendOtp", shoptest.ToCell(d.Cell(3)))
	})
}

// TestAccountMe checks that one request can read all records of a customer, and that public fields beside
// them are answered to clients that are not signed in.
func TestAccountMe(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.GraphQL()
		c := d.Register(t, d.Cell(1))
		mine := d.With(c.Access)
		mine.Right(t, "createAddress", shoptest.HomeAddress)
		const query = `{ me { firstName addresses { city } } tenant(domain: "tools.example") { domain } }`
		got := a.Send(t, "POST", "/graphql", shoptest.GraphQLBody(query, ""), mine.Headers...)
		if want := `{"data":{"me":{"firstName":"Sara","addresses":[{"city":"تهران"}]},` +
			`"tenant":{"domain":"tools.example"}}}`; string(got.Body) != want {
			t.Errorf("got %s", got.Body)
		}
		got = a.Send(t, "POST", "/graphql", shoptest.GraphQLBody(query, ""))
		shoptest.WantGraphQL(t, got, 200, "UNAUTHENTICATED")
		for _, secret := range []string{"passwordHash", "password", "memberships", "sessions", "codes"} {
			got := a.Send(t, "POST", "/graphql", shoptest.GraphQLBody(`{ me { `+secret+` } }`, ""), mine.Headers...)
			shoptest.WantGraphQL(t, got, 200, "GRAPHQL_VALIDATION_FAILED")
		}
	})
}
