package account_test

import "fmt"

// The shops that customers register at, as answers show them.
const (
	toolsBusiness = `{"id": "<id>", "name": "Tool House",
			"nameFa": "ابزارسرا", "slug": "tools", "domain": ` +
		`"tools.example"}`
	mugsBusiness = `{"id": "<id>", "name": "Mugs & More", "nameFa": "ماگ", "slug": "mugs", "domain": ` +
		`"mugs.example"}`
)

func resetting(cell, code, password string) string {
	return fmt.Sprintf(`{"cellNumber": %q, "code": %q, "newPassword": %q}`, cell, code, password)
}

// sara returns a newly registered account as its owner sees it.
func sara(cell string) string {
	return fmt.Sprintf(`{"id": "<id>", "cellNumber": %q, "cellVerified": false, "firstName": "Sara", `+
		`"lastName": "Karimi", "email": null,
		"createdAt": "2026-11-15T12:00:00Z"}`, cell)
}

// signedIn returns the body of a sign-in of a user.
func signedIn(user string) string {
	return `{"user": ` + user + `, "accessToken": "<access>", "refreshToken": "<refresh>"}`
}
