package contract_test

import (
	"strings"
	"testing"
)

func TestAccountProfile(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			c, other := d.register(t, d.cell(1)), d.register(t, d.cell(2))
			mine := d.with(c.access)
			of := func(first, last, email string) string {
				return `{"user": ` + strings.NewReplacer("Sara", first, "Karimi", last, `"email": null`, `"email": `+
					email).Replace(sara(c.cell)) + `}`
			}
			for _, change := range []struct{ input, want string }{
				{`{}`, of("Sara", "Karimi", `null`)},
				{`{"email": " sara@mail.example "}`, of("Sara", "Karimi", `"sara@mail.example"`)},
				{`{"firstName": " زهرا "}`, of("زهرا", "Karimi", `"sara@mail.example"`)},
				{`{"lastName": "Novak", "cellNumber": null}`, of("زهرا", "Novak", `"sara@mail.example"`)},
				{`{"email": null}`, of("زهرا", "Novak", `null`)},
				{`{"email": "s@mail.example", "firstName": "S"}`, of("S", "Novak", `"s@mail.example"`)},
				{`{"email": ""}`, of("S", "Novak", `null`)},
				{`{"cellNumber": "` + c.cell + `", "firstName": "S", "lastName": "Novak", "email": null}`, of("S", "Novak", `null`)},
				{`{"cellNumber": " 0` + c.cell[3:6] + ` ` + c.cell[6:] + `"}`, of("S", "Novak", `null`)},
			} {
				got := mine.right(t, "profile", change.input)
				got.is(t, `{"message": "Your profile is saved.", `+change.want[1:])
				mine.right(t, "me", "").is(t, change.want)
			}
			for input, fields := range map[string]string{
				`{"firstName": null, ` +
					`"lastName": null}`: "firstName lastName",
				`{"firstName": "", ` +
					`"lastName": " "}`: "firstName lastName",
				`{"firstName": 5, "lastName": [], ` +
					`"email": {}}`: "firstName lastName email",
				`{"firstName": "` + strings.Repeat("x", 101) +
					`", "email": "nobody", "lastName": "Good"}`: "firstName email",
				`{"cellNumber": "` + other.cell + `", "firstName": "Good"}`: "cellNumber",
				`{"cellNumber": "+989120000099"}`:                           "cellNumber",
				`{"cellNumber": "12", "firstName": "Good", "email": "` + strings.Repeat("e", 250) +
					`@b.ir"}`: "cellNumber email",
			} {
				mine.wrong(t, "profile", input, 400, "VALIDATION_FAILED", strings.Fields(fields)...)
			}
			unknown := `{"id": "` + other.id + `", "cellVerified": true, "password": "12345678"}`
			if d.graphQL {
				mine.wrong(t, "profile", unknown, 400, "VALIDATION_FAILED", "id", "cellVerified", "password")
			} else {
				mine.right(t, "profile", unknown)
			}
			mine.right(t, "me", "").is(t, of("S", "Novak", `null`))
			d.with(other.access).right(t, "me", "").is(t, `{"user": `+sara(other.cell)+`}`)
			d.login(t, c.cell, goodPassword)
		})
	})
}
