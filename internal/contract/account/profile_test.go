package account_test

import (
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

func TestAccountProfile(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			c, other := d.Register(t, d.Cell(1)), d.Register(t, d.Cell(2))
			mine := d.With(c.Access)
			of := func(first, last, email string) string {
				return `{"user": ` + strings.NewReplacer("Sara", first, "Karimi", last, `"email": null`, `"email": `+
					email).Replace(sara(c.Cell)) + `}`
			}
			for _, change := range []struct{ input, want string }{
				{`{"email": " sara@mail.example "}`, of("Sara", "Karimi", `"sara@mail.example"`)},
				{`{"firstName": " زهرا "}`, of("زهرا", "Karimi", `"sara@mail.example"`)},
				{`{"lastName": "Novak", "cellNumber": null}`, of("زهرا", "Novak", `"sara@mail.example"`)},
				{`{"email": null}`, of("زهرا", "Novak", `null`)},
				{`{"email": "s@mail.example", "firstName": "S"}`, of("S", "Novak", `"s@mail.example"`)},
				{`{"email": ""}`, of("S", "Novak", `null`)},
				{`{"cellNumber": "` + c.Cell + `", "firstName": "S", "lastName": "Novak", "email": null}`,
					of("S", "Novak", `null`)},
				{`{"cellNumber": " 0` + c.Cell[3:6] + ` ` + c.Cell[6:] + `"}`, of("S", "Novak", `null`)},
			} {
				got := mine.Right(t, "profile", change.input)
				got.Is(t, `{"message": "Your profile is saved.", `+change.want[1:])
				mine.Right(t, "me", "").Is(t, change.want)
			}
			for input, fields := range map[string]string{
				`{}`: "firstName", // names none of its members
				`{"firstName": null, ` +
					`"lastName": null}`: "firstName lastName",
				`{"firstName": "", ` +
					`"lastName": " "}`: "firstName lastName",
				`{"firstName": 5, "lastName": [], ` +
					`"email": {}}`: "firstName lastName email",
				`{"firstName": "` + strings.Repeat("x", 101) +
					`", "email": "nobody", "lastName": "Good"}`: "firstName email",
				`{"cellNumber": "` + other.Cell + `", "firstName": "Good"}`: "cellNumber",
				`{"cellNumber": "+989120000099"}`:                           "cellNumber",
				`{"cellNumber": "12", "firstName": "Good", "email": "` + strings.Repeat("e", 250) +
					`@b.ir"}`: "cellNumber email",
			} {
				mine.Wrong(t, "profile", input, 400, "VALIDATION_FAILED", strings.Fields(fields)...)
			}
			unknown := `{"id": "` + other.ID + `", "cellVerified": true, "password": "12345678"}`
			if d.GraphQL {
				mine.Wrong(t, "profile", unknown, 400, "VALIDATION_FAILED", "id", "cellVerified", "password",
					"firstName")
			} else {
				mine.Wrong(t, "profile", unknown, 400, "VALIDATION_FAILED", "firstName")
			}
			mine.Right(t, "me", "").Is(t, of("S", "Novak", `null`))
			d.With(other.Access).Right(t, "me", "").Is(t, `{"user": `+sara(other.Cell)+`}`)
			d.Login(t, c.Cell, shoptest.GoodPassword)
		})
	})
}
