package staff_test

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
)

// submissions are the public forms: a path and a body with two places, for a name and a text.
var submissions = map[string]struct{ path, body, name string }{
	"comment": {"/comments",
		`{"entityType": "product", "entityId": "<tools:product:drill>", "authorName": %s, "text": %s}`,
		"authorName"},
	"review": {"/expert-reviews", `{"productId": "<tools:product:drill>", "authorName": %s, "rate": 7,
		"positivePoints": [], "negativePoints": [], "text": %s}`, "authorName"},
	"contact": {"/contact-submissions", `{"title": "A question", "name": %s, "text": %s}`, "name"},
}

// submit sends a form with a name and a text.
func submit(t testing.TB, p *shoptest.Place, form, name, text string, headers ...string) shoptest.Answer {
	t.Helper()
	s := submissions[form]
	quote := func(s string) []byte {
		quoted, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return quoted
	}
	body := p.Named(t, fmt.Sprintf(s.body, quote(name), quote(text)))
	return p.Send(t, "POST", shoptest.Ascii(p.Named(t, shoptest.ToolsPath+s.path)), body, headers...)
}

// TestSubmissionsOfOneAddress checks how much one client address may send in a minute, over all forms.
func TestSubmissionsOfOneAddress(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		n := 0
		for form := range submissions {
			for range 2 {
				n++
				from := fmt.Sprintf("2001:db8:1:2::%d", n)
				if got := submit(t, a.Place, form, "Sara", "Good.", "X-Forwarded-For", from); got.Status != 201 {
					t.Fatalf("got status %d: %s", got.Status, got.Body)
				}
			}
		}
		for form := range submissions {
			got := submit(t, a.Place, form, "Sara", "Good.", "X-Forwarded-For", "2001:db8:1:2:3::")
			shoptest.WantFault(t, got, 429, "RATE_LIMITED")
			if got.Header.Get("Retry-After") != "60" {
				t.Errorf("Retry-After %q", got.Header.Get("Retry-After"))
			}
			if got := submit(t, a.Place, form, "Sara", "Good.", "X-Forwarded-For",
				shoptest.OwnerAt); got.Status != 201 {
				t.Errorf("another address: got status %d: %s", got.Status, got.Body)
			}
		}
		a.Clock.Pass(time.Minute)
		if got := submit(t, a.Place, "comment", "Sara", "Good.", "X-Forwarded-For",
			"2001:db8:1:2::1"); got.Status != 201 {
			t.Errorf("after a minute: got status %d: %s", got.Status, got.Body)
		}
	}, func(o *app.Options) {
		o.PublicWritesInMinute = 6
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
}

// TestSubmissionsOfAProvenAccount checks that a proven account has limits of its own, however often it signs in, and
// that neighbours at its address do not use them up.
func TestSubmissionsOfAProvenAccount(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST().From(shoptest.OwnerAt)
		mine := d.Register(t, d.Cell(1))
		d.Right(t, "loginOtp", shoptest.ByCode(mine.Cell, d.Code(t, mine.Cell)))
		send := func(token string) int {
			headers := []string{"X-Forwarded-For", shoptest.OwnerAt}
			if token != "" {
				headers = append(headers, "Authorization", "Bearer "+token)
			}
			return submit(t, a.Place, "comment", "Sara", "Good.", headers...).Status
		}
		for i := range 7 {
			if got := send(""); (got == 201) != (i < 6) {
				t.Errorf("comment %d of a neighbour: got status %d", i, got)
			}
		}
		for i := range 7 { // each in a session of its own
			if got := send(d.Login(t, mine.Cell, shoptest.GoodPassword).Access); (got == 201) != (i < 6) {
				t.Errorf("comment %d of the account: got status %d", i, got)
			}
		}
	}, func(o *app.Options) { o.PublicWritesInMinute = 6 })
}

// TestSubmissionsPending stores as many pending records of a kind as a shop allows. Then each client may
// send a few more, whatever others send.
func TestSubmissionsPending(t *testing.T) {
	const first = " WHERE text = 'the first'"
	for form, table := range map[string]struct{ name, columns, pending string }{
		"comment": {"comments", "entity_type, entity_id, author_name, text, status", "status = 'pending'"},
		"review": {"expert_reviews",
			"product_id, author_name, rate, positive_points, negative_points, text, status", "status = 'pending'"},
		"contact": {"contact_submissions", "title, name, text", "1 = 1"},
	} {
		t.Run(form, func(t *testing.T) {
			shoptest.EachAccounts(t, func(t *testing.T, p *shoptest.Accounts) {
				if got := submit(t, p.Place, form, "Sara", "the first"); got.Status != 201 {
					t.Fatalf("got status %d: %s", got.Status, got.Body)
				}
				id := `printf('01890a5d-ac96-774b-0000-%012x', i)`
				if p.Store.DB.Dialect == dialect.Postgres {
					id = `('01890a5d-ac96-774b-0000-' || lpad(to_hex(i), 12, '0'))::uuid`
				}
				tenant := `(SELECT tenant_id FROM ` + table.name + first + `)`
				others := `(SELECT count(*) FROM ` + table.name + ` WHERE ` + table.pending +
					` AND tenant_id = ` + tenant + `)`
				_, err := p.Store.Client.ExecContext(t.Context(), `
					INSERT INTO `+table.name+` (id, created_at, updated_at, tenant_id, `+table.columns+`)
					WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 19999 - `+others+`)
					SELECT `+id+`, created_at, updated_at, tenant_id, `+table.columns+` FROM `+table.name+`, n`+first)
				if err != nil {
					t.Fatal(err)
				}
				if got := submit(t, p.Place, form, "Sara", "the last"); got.Status != 201 {
					t.Fatalf("got status %d: %s", got.Status, got.Body)
				}
				for _, network := range []struct {
					address string
					most    int
				}{{"2001:db8:1:1::%x", 10}, {"2001:db8:1:%x::1", 10}, {"203.0.113.7", 40}, {"2001:db8:2::%x", 10}} {
					sent := 0
					for i := range 45 {
						from := strings.ReplaceAll(network.address, "%x", fmt.Sprintf("%x", i))
						got := submit(t, p.Place, form, "Sara", "one more", "X-Forwarded-For", from)
						if got.Status == 201 {
							sent++
							continue
						}
						shoptest.WantFault(t, got, 429, "RATE_LIMITED")
						if got.Header.Get("Retry-After") != "3600" {
							t.Errorf("Retry-After %q", got.Header.Get("Retry-After"))
						}
					}
					if sent != network.most {
						t.Errorf("%s sent %d more, want %d", network.address, sent, network.most)
					}
				}
				p.Clock.Pass(time.Hour)
				if got := submit(t, p.Place, form, "Sara", "later", "X-Forwarded-For",
					"203.0.113.7"); got.Status != 201 {
					t.Errorf("an hour later: got status %d: %s", got.Status, got.Body)
				}
			}, func(o *app.Options) {
				o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
			})
		})
	}
}

// TestSubmittedTexts checks what the one-line texts of forms may hold, and that nothing invisible is a text.
func TestSubmittedTexts(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		for form, s := range submissions {
			for _, name := range []string{"Sara\nKarimi", "Sara\u2028Karimi", "Sara\tKarimi", "Sara\x1b[2J",
				"Sara\u0085K"} {
				shoptest.WantFault(t, submit(t, p, form, name, "Good."), 400, "VALIDATION_FAILED", s.name)
			}
			for _, blank := range []string{"\u200b", "\u200c\ufeff ", "\u3164", "\u2800\u00ad", "\u202e"} {
				shoptest.WantFault(t, submit(t, p, form, blank, blank), 400, "VALIDATION_FAILED", s.name, "text")
			}
			got := submit(t, p, form, " سارا\u200cخانم\n", "Two\nlines.\u200f")
			if got.Status != 201 || !strings.Contains(string(got.Body), "\"سارا\u200cخانم\"") {
				t.Errorf("got status %d: %s", got.Status, got.Body)
			}
		}
	})
}

// TestAccountTexts checks the same of what customers send.
func TestAccountTexts(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			d.Wrong(t, "register", strings.ReplaceAll(shoptest.Registering(d.Cell(1), shoptest.GoodPassword,
				shoptest.ToolsShop), "Sara", `Sa\nra`),
				400, "VALIDATION_FAILED", "firstName")
			d.Wrong(t, "register", strings.ReplaceAll(shoptest.Registering(d.Cell(1), shoptest.GoodPassword,
				shoptest.ToolsShop), "Sara", `\u200b`),
				400, "VALIDATION_FAILED", "firstName")
			mine := d.With(d.Register(t, d.Cell(1)).Access)
			mine.Wrong(t, "profile", `{"lastName": "\u200b"}`, 400, "VALIDATION_FAILED", "lastName")
			mine.Wrong(t, "createAddress", `{"label": "a\nb", "province": "\u3164", "city": "a\u0007b", `+
				`"address": "\u200b"}`,
				400, "VALIDATION_FAILED", "address", "city", "label", "province")
			mine.Right(t, "createAddress", strings.Replace(shoptest.HomeAddress, "{", `{"label": "\u200b", `, 1)).
				Is(t, `{"address": `+shoptest.PlainAddress+`}`)
		})
	})
}
