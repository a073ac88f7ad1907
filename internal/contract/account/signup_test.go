package account_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
)

// ticketOf signs in by a code at the tool shop, for a cell without an account, and returns the ticket.
func ticketOf(t testing.TB, d shoptest.API, cell string) string {
	t.Helper()
	d.GraphQL = true
	got := d.Right(t, "signInByCode", shoptest.ByCodeAt(cell, d.Code(t, cell), shoptest.ToolsShop))
	if code := got.Member(t, "code"); code != "NO_ACCOUNT" || got.Member(t, "cellNumber") != cell ||
		!strings.Contains(got.Said, `"expiresInSeconds":600`) {
		t.Fatalf("got %s", got.Said)
	}
	return got.Member(t, "ticket")
}

// TestAccountOneForm signs up and in by phone as one form does: a right code gives a session or a ticket.
func TestAccountOneForm(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			form, cell := a.GraphQL(), d.Cell(1)
			code := form.CodeFrom(t, cell, shoptest.ToolsShop)
			form.Wrong(t, "signInByCode", shoptest.ByCodeAt(cell, shoptest.AnotherCode(code), shoptest.ToolsShop), 401,
				"INVALID_CODE")
			form.Wrong(t, "signInByCode", shoptest.ByCodeAt(cell, code, "nobody.example"), 404, "NOT_FOUND",
				"domain")
			ticket := form.Right(t, "signInByCode", shoptest.ByCodeAt(persianDigits(cell), persianDigits(code),
				shoptest.ToolsShop)).Member(t, "ticket")
			form.Wrong(t, "signInByCode", shoptest.ByCodeAt(cell, code, shoptest.ToolsShop), 401, "INVALID_CODE")
			d.Wrong(t, "register", shoptest.Proving(cell, "code", code, shoptest.ToolsShop), 400, "INVALID_CODE")

			made := d.Right(t, "register", shoptest.Proving(cell, "ticket", ticket, shoptest.ToolsShop))
			me := shoptest.AsCustomer(t, made)
			if !strings.Contains(made.Said, `"cellVerified":true`) {
				t.Errorf("got %s", made.Said)
			}
			d.Lives(t, me.Access, true)
			d.Wrong(t, "register", shoptest.Proving(cell, "ticket", ticket, shoptest.ToolsShop), 409,
				"CELL_ALREADY_REGISTERED")

			// The cell is verified, so a code requested from elsewhere takes nothing over.
			d.Wrong(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), 401, "INVALID_CREDENTIALS")
			elsewhere := form.From(shoptest.StrangerAt)
			again := elsewhere.Right(t, "signInByCode", shoptest.ByCodeAt(cell, elsewhere.Code(t, cell),
				shoptest.MugsShop))
			if shoptest.AsCustomer(t, again).ID != me.ID || !strings.Contains(again.Said, "Karimi") {
				t.Errorf("got %s", again.Said)
			}
			d.Lives(t, me.Access, true)
		})
	})
}

// TestAccountTicketBounds checks that a ticket is valid only for its cell, shop and client, for ten
// minutes, until a newer one.
func TestAccountTicketBounds(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			owner, cell, other := d.From(shoptest.OwnerAt), d.Cell(1), d.Cell(2)
			older := ticketOf(t, owner, cell)
			ticket := ticketOf(t, owner, cell)
			ticketOf(t, owner, other)
			with := func(cell, ticket string) string {
				return shoptest.Proving(cell, "ticket", ticket, shoptest.ToolsShop)
			}
			for name, wrong := range map[string]struct {
				d     shoptest.API
				input string
			}{
				"another client": {d.From(shoptest.StrangerAt), with(cell, ticket)},
				"another shop":   {owner, shoptest.Proving(cell, "ticket", ticket, shoptest.MugsShop)},
				"another cell":   {owner, with(other, ticket)},
				"an unknown one": {owner, with(d.Cell(3), ticket)},
				"an older one":   {owner, with(cell, older)},
				"changed":        {owner, with(cell, ticket+"A")},
			} {
				t.Log(name)
				wrong.d.Wrong(t, "register", wrong.input, 400, "INVALID_CODE")
			}
			good := with(cell, ticket)
			d.Clock.Pass(8*time.Minute - time.Microsecond)                         // two have passed
			d.From(shoptest.StrangerAt).Right(t, "sendOtp", shoptest.ToCell(cell)) // anybody can; it ends no ticket
			d.Clock.Pass(time.Minute)
			owner.Right(t, "register", good)

			cell = d.Cell(4)
			ticket = ticketOf(t, owner, cell)
			d.Clock.Pass(10 * time.Minute)
			owner.Wrong(t, "register", with(cell, ticket), 400, "INVALID_CODE")
		})
	})
}

// TestAccountCodeRegisters checks that after login-otp or reset-password the code of a cell without an
// account is still valid for one registration, with its remaining guesses.
func TestAccountCodeRegisters(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			code := d.Code(t, cell)
			with := func(code string) string { return shoptest.Proving(cell, "code", code, shoptest.ToolsShop) }
			d.Wrong(t, "loginOtp", shoptest.ByCode(cell, code), 401, "NO_ACCOUNT")
			d.Wrong(t, "resetPassword", resetting(cell, code, shoptest.OtherPassword), 400, "NO_ACCOUNT")
			for range 4 {
				d.Wrong(t, "register", with(shoptest.AnotherCode(code)), 400, "INVALID_CODE")
			}
			me := shoptest.AsCustomer(t, d.Right(t, "register", with(code)))
			d.Wrong(t, "register", with(code), 400, "INVALID_CODE")
			refusesCode(t, d, cell, code)
			back := d.From(shoptest.StrangerAt).Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
			if shoptest.AsCustomer(t, back).ID != me.ID {
				t.Error("another account")
			}
			d.Lives(t, me.Access, true)

			cell = d.Cell(2) // five wrong ones are too many
			code = d.Code(t, cell)
			for range 5 {
				d.Wrong(t, "register", with(shoptest.AnotherCode(code)), 400, "INVALID_CODE")
			}
			d.Wrong(t, "register", with(code), 400, "INVALID_CODE")
			d.Wrong(t, "loginOtp", shoptest.ByCode(cell, code), 401, "INVALID_CODE")
			code = d.Code(t, cell)
			d.Clock.Pass(5 * time.Minute)
			d.Wrong(t, "register", with(code), 400, "INVALID_CODE")
		})
	})
}

// TestAccountProofsOfStrangers checks that without the right code the answers for cells with and without an
// account are equal, and that guesses through all operations are counted together.
func TestAccountProofsOfStrangers(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			form := a.GraphQL()
			known, proven, nobody := d.Cell(1), d.Cell(2), d.Cell(3)
			d.Register(t, known)
			d.Right(t, "register", shoptest.Proving(proven, "ticket", ticketOf(t, d, proven), shoptest.ToolsShop))
			tries := func(cell, code string) (said []string) {
				for _, got := range []shoptest.Reply{
					form.Ask(t, "signInByCode", shoptest.ByCodeAt(cell, code, shoptest.ToolsShop)),
					d.Ask(t, "register", shoptest.Proving(cell, "code", code, shoptest.ToolsShop)),
					d.Ask(t, "register", shoptest.Proving(cell, "ticket", strings.Repeat("A", 26), shoptest.ToolsShop)),
					d.Ask(t, "loginOtp", shoptest.ByCode(cell, code)),
				} {
					said = append(said, fmt.Sprint(got.Status, " ", got.Code, " ", got.Message(t)))
				}
				return said
			}
			var all []string
			for _, cell := range []string{known, proven, nobody} {
				code := d.Code(t, cell)
				all = append(all, fmt.Sprint(tries(cell, shoptest.AnotherCode(code))))
				tries(cell, shoptest.AnotherCode(code)) // the fifth guess is wrong, and the sixth does not count
				if got := fmt.Sprint(tries(cell, code)); got != all[0] {
					t.Errorf("the right code after six wrong ones: got %s", got)
				}
			}
			if all[0] != all[1] || all[0] != all[2] || !strings.Contains(all[0], "INVALID_CODE") {
				t.Errorf("the answers differ: %v", all)
			}
		})
	})
}

// TestAccountProvenMembers checks what a registration may leave out.
func TestAccountProvenMembers(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			const rest = `"firstName": "S", "lastName": "K", "domain": "tools.example"}`
			for _, nothing := range []string{`{"cellNumber": %q, `, `{"cellNumber": %q, "password": null, "code": "", `,
				`{"cellNumber": %q, "ticket": null, `} {
				d.Wrong(t, "register", fmt.Sprintf(nothing, cell)+rest, 400, "VALIDATION_FAILED", "password")
			}
			d.Wrong(t, "register", fmt.Sprintf(`{"cellNumber": %q, "code": "12345", `, cell)+rest, 400,
				"VALIDATION_FAILED", "code")
			both := fmt.Sprintf(`{"cellNumber": %q, "code": %q, "ticket": "x", `, cell, d.Code(t, cell)) + rest
			d.Wrong(t, "register", both, 400, "INVALID_CODE") // the ticket takes precedence

			// With a password, the new account has it.
			input := shoptest.Registering(cell, shoptest.GoodPassword, shoptest.ToolsShop)
			d.Right(t, "register", strings.Replace(input, "{", `{"ticket": "`+ticketOf(t, d, cell)+`", `, 1))
			d.Login(t, cell, shoptest.GoodPassword)
		})
		// Literals in the document are checked as well.
		const written = `mutation(%s) { register(input: {cellNumber: "+989121234567", firstName: "S", lastName: $name,
			domain: "tools.example" %s}) { __typename } }`
		for _, one := range []struct{ declared, member, wrong string }{
			{"$name: String!", "", "input.password"}, {"$name: String!", `password: ""`, "input.password"},
			{"$name: String!, $none: String", "password: $none", "none"},
		} {
			got := a.Send(t, "POST", "/graphql", shoptest.GraphQLBody(fmt.Sprintf(written, one.declared, one.member),
				`{"name": "K"}`))
			shoptest.WantGraphQL(t, got, 200, "VALIDATION_FAILED", one.wrong)
		}
	})
}

// TestAccountProvenMeanwhile checks a proven registration of a cell that got an account meanwhile.
func TestAccountProvenMeanwhile(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			owner, stranger := d.From(shoptest.OwnerAt), d.From(shoptest.StrangerAt)

			// The account of a stranger is handed over, and gets the name that its holder registers.
			for n, more := range []string{`{`, `{"password": "` + shoptest.OtherPassword + `", `} {
				cell := d.Cell(n)
				ticket := ticketOf(t, owner, cell)
				theirs := stranger.Register(t, cell)
				stranger.Right(t, "register", shoptest.Registering(cell, shoptest.GoodPassword, shoptest.MugsShop))
				input := strings.Replace(shoptest.Proving(cell, "ticket", ticket, shoptest.ToolsShop), "{", more, 1)
				got := owner.Right(t, "register", strings.Replace(input, "Sara", "Mina", 1))
				if mine := shoptest.AsCustomer(t, got); mine.ID != theirs.ID || !strings.Contains(got.Said, "Mina") {
					t.Errorf("got %s", got.Said)
				}
				stranger.Dead(t, theirs)
				stranger.Wrong(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), 401, "INVALID_CREDENTIALS")
				if n == 1 {
					owner.Login(t, cell, shoptest.OtherPassword)
				}
				if !owner.IsMember(t, cell, shoptest.ToolsShop) || owner.IsMember(t, cell, shoptest.MugsShop) {
					t.Error("a member of another shop")
				}
			}

			// With the account's token it is the customer's own, and keeps its password.
			kept := d.Cell(4)
			made := owner.Register(t, kept)
			owner.With(made.Access).Right(t, "register", strings.Replace(shoptest.Proving(kept, "code",
				owner.Code(t, kept), shoptest.ToolsShop), "{", `{"password": "`+shoptest.OtherPassword+`", `, 1))
			owner.Lives(t, made.Access, true)
			owner.Login(t, kept, shoptest.GoodPassword)

			// In GraphQL the answer says what was ended, as for a sign-in.
			cell := d.Cell(2)
			ticket := ticketOf(t, owner, cell)
			stranger.Register(t, cell)
			const document = `mutation($input: RegisterInput!) { register(input: $input) {
				... on Registered { accessToken signIn { accessToken message user { hasPassword firstName } } } } }`
			said := string(owner.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, `{"input": `+
				shoptest.Proving(cell, "ticket", ticket, shoptest.ToolsShop)+`}`), owner.Headers...).Body)
			if !strings.Contains(said, "What is in the account is still there") ||
				!strings.Contains(said, `"hasPassword":false,"firstName":"Sara"`) {
				t.Errorf("got %s", said)
			}

			// The account of the holder is signed in and joins this shop, and its data stay unchanged.
			cell = d.Cell(3)
			ticket = ticketOf(t, owner, cell)
			mine := shoptest.AsCustomer(t, owner.Right(t, "register",
				shoptest.Proving(cell, "code", owner.Code(t, cell), shoptest.MugsShop)))
			withPassword := strings.Replace(shoptest.Proving(cell, "ticket", ticket, shoptest.ToolsShop), "{",
				`{"password": "`+shoptest.OtherPassword+`", `, 1)
			owner.Wrong(t, "register", withPassword, 409, "CELL_EXISTS_OTHER_SITE") // the ticket stays valid
			got := owner.Right(t, "register", strings.Replace(shoptest.Proving(cell, "ticket", ticket,
				shoptest.ToolsShop), "Sara", "Mina", 1))
			if again := shoptest.AsCustomer(t, got); again.ID != mine.ID || !strings.Contains(got.Said, "Sara") {
				t.Errorf("got %s", got.Said)
			}
			owner.Lives(t, mine.Access, true)
			if !owner.IsMember(t, cell, shoptest.ToolsShop) {
				t.Error("no member")
			}
		})
	})
}

// TestAccountProvenRace registers one cell at two servers at once: with one ticket, with one code, and with
// passwords without proof. The result is one account, which belongs to the holder of the cell.
func TestAccountProvenRace(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t))
		for n, by := range []string{"ticket", "code"} {
			cell := all[0].Cell(n)
			proof := ""
			if by == "ticket" {
				proof = ticketOf(t, all[0], cell)
			} else {
				proof = all[0].Code(t, cell)
			}
			got := shoptest.Together(16, func(i int) shoptest.Reply {
				d := all[i%len(all)]
				if i%8 > 4 {
					return d.Ask(t, "register", shoptest.Registering(cell, shoptest.GoodPassword, shoptest.ToolsShop))
				}
				return d.Ask(t, "register", shoptest.Proving(cell, by, proof, shoptest.ToolsShop))
			})
			proven, again := "", map[string]string{"ticket": "CELL_ALREADY_REGISTERED", "code": "INVALID_CODE"}[by]
			for i, r := range got {
				switch {
				case i%8 > 4 && (r.Code == "" || r.Code == "CELL_ALREADY_REGISTERED"):
				case i%8 <= 4 && r.Code == again:
				case i%8 <= 4 && r.Code == "" && proven == "":
					proven = r.Member(t, "accessToken")
				default:
					t.Errorf("%s %d: %s", by, i, r.Body)
				}
			}
			if proven == "" {
				t.Fatalf("the %s has registered nobody", by)
			}
			all[0].Lives(t, proven, true)
			for i, r := range got {
				if i%8 > 4 && r.Code == "" { // before the proof, which has ended this session
					all[0].Lives(t, r.Member(t, "accessToken"), false)
				}
			}
			all[0].Wrong(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), 401, "INVALID_CREDENTIALS")
		}
	})
}

// TestAccountWithoutPassword checks that an account without a password works in every respect, and that a
// code can set one.
func TestAccountWithoutPassword(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			me := shoptest.AsCustomer(t, d.Right(t, "register",
				shoptest.Proving(cell, "code", d.Code(t, cell), shoptest.ToolsShop)))
			other := shoptest.AsCustomer(t, d.Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell))))
			mine := d.With(me.Access)
			has := func(want bool) {
				t.Helper()
				got := a.Send(t, "POST", "/graphql", shoptest.GraphQLBody(`{ me { hasPassword } }`, ""),
					"Authorization", "Bearer "+me.Access)
				if !strings.Contains(string(got.Body), fmt.Sprintf(`"hasPassword":%t`, want)) {
					t.Errorf("got %s", got.Body)
				}
			}
			has(false)
			mine.Wrong(t, "changePassword", shoptest.Changing("anything", shoptest.GoodPassword), 400,
				"CURRENT_PASSWORD_INCORRECT")
			mine.Wrong(t, "changePassword", `{"newPassword": "`+shoptest.GoodPassword+`"}`, 400, "VALIDATION_FAILED",
				"currentPassword")
			code := d.Code(t, cell)
			byCode := func(code, password string) string {
				return fmt.Sprintf(`{"code": %q, "newPassword": %q}`, code, password)
			}
			mine.Wrong(t, "changePassword", byCode(shoptest.AnotherCode(code), shoptest.GoodPassword), 400,
				"INVALID_CODE")
			mine.Wrong(t, "changePassword", `{"currentPassword": "x", `+byCode(shoptest.AnotherCode(code),
				shoptest.GoodPassword)[1:], 400, "INVALID_CODE") // the code takes precedence
			mine.Wrong(t, "changePassword", byCode(code, "short"), 400, "VALIDATION_FAILED", "newPassword")
			d.Wrong(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), 401, "INVALID_CREDENTIALS")
			mine.Right(t, "changePassword", byCode(code, shoptest.GoodPassword))
			has(true)
			refreshed := a.Send(t, "POST", "/graphql", shoptest.GraphQLBody(`mutation { refreshTokens(input: {`+
				`refreshToken: "`+me.Refresh+`"}) { user { hasPassword } refreshToken } }`, ""))
			if !strings.Contains(string(refreshed.Body), `"hasPassword":true`) {
				t.Errorf("got %s", refreshed.Body)
			}
			mine.Wrong(t, "changePassword", byCode(code, shoptest.OtherPassword), 400, "INVALID_CODE")
			d.Lives(t, me.Access, true)
			d.Dead(t, other)
			d.Login(t, cell, shoptest.GoodPassword)
			me = shoptest.AsCustomer(t, d.Right(t, "refresh", shoptest.Refreshing(me.Refresh)))
			d.With(me.Access).Right(t, "changePassword", byCode(d.Code(t, cell), shoptest.OtherPassword)) // forgotten
			d.Login(t, cell, shoptest.OtherPassword)
		})
	})
}
