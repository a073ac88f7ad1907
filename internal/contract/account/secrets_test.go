package account_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/platform/tracing/tracingtest"
)

// answerRecorder calls the routes and records every answer, to search them for secrets.
type answerRecorder struct {
	shoptest.API
	answers *[]recordedAnswer
	secrets *[]secret
}

// recordedAnswer is one answer, headers and body.
type recordedAnswer struct {
	what, text string
	by         string // the person whose data it may contain; "" for nobody
}

// secret is a text that only its owner may see. Without an owner, nobody may see it.
type secret struct {
	what, text string
	owner      string
	foundIn    int // index of the only answer that may contain it, or -1
}

// asks calls an operation, and records the answer as one that may contain the data of the person by.
func (h answerRecorder) asks(t *testing.T, by, operation, input string) shoptest.Reply {
	t.Helper()
	h.Clock.Pass(time.Second) // or an access token of the same second would be the same
	got := h.Ask(t, operation, input)
	h.keep(by, operation, got)
	if strings.Contains(got.Said, `"accessToken":"ey`) {
		for _, name := range []string{"accessToken", "refreshToken"} {
			h.hide(name, got.Member(t, name), "", len(*h.answers)-1)
		}
		signature := strings.Split(got.Member(t, "accessToken"), ".")[2]
		h.hide("signature", signature, "", len(*h.answers)-1)
	}
	return got
}

func (h answerRecorder) keep(by, what string, got shoptest.Reply) {
	*h.answers = append(*h.answers, recordedAnswer{what, fmt.Sprint(got.Status, got.Header, string(got.Body)), by})
}

func (h answerRecorder) hide(what, text, owner string, foundIn int) {
	*h.secrets = append(*h.secrets, secret{what: what, text: text, owner: owner, foundIn: foundIn})
}

// person is a customer whose data must stay private.
type person struct {
	name, cell, password, first, last, email, street string
}

func (h answerRecorder) person(name string, n int) person {
	letters := strings.Repeat(name, 3)
	p := person{name: name, cell: h.Cell(n), password: "Secret of " + letters, first: "First" + letters,
		last: "Last" + letters, email: letters + "@private.example", street: "Street " + letters}
	for what, text := range map[string]string{
		"cell": p.cell[3:], "first name": p.first, "last name": p.last, "e-mail": p.email, "street": p.street,
	} {
		h.hide(what, text, name, -1)
	}
	h.hide("password", p.password, "", -1)
	return p
}

func (p person) registering(domain string) string {
	return fmt.Sprintf(`{"cellNumber": %q, "password": %q, "firstName": %q, "lastName": %q, "email": %q, `+
		`"domain": %q}`,
		p.cell, p.password, p.first, p.last, p.email, domain)
}

func (p person) address() string {
	return fmt.Sprintf(`{"province": "تهران", "city": "تهران", "address": %q}`, p.street)
}

// codeOf requests a code for a person and returns it.
func (h answerRecorder) codeOf(t *testing.T, p person) string {
	t.Helper()
	h.Clock.Pass(time.Minute)
	h.asks(t, "", "sendOtp", shoptest.ToCellFrom(p.cell, shoptest.MugsShop))
	code := h.Phones.Code(t, p.cell)
	h.hide("code", code, "", -1)
	return code
}

// TestAccountSecrets calls every operation as two customers, correctly and incorrectly, on a working and on
// a broken database, and then searches all answers, headers, the log and the spans for their secrets.
func TestAccountSecrets(t *testing.T) {
	collector := tracingtest.New(t)
	tracer := shoptest.TracerTo(t, collector.URL)
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		var all []recordedAnswer
		secrets := []secret{{what: "key", text: string(a.Key), foundIn: -1},
			{what: "key", text: base64.StdEncoding.EncodeToString(a.Key)[:40], foundIn: -1},
			{what: "message", text: "کد تأیید", foundIn: -1}}
		a.EachAPI(t, func(t *testing.T, d shoptest.API) { answerRecorder{d, &all, &secrets}.walk(t) })
		hideStored(t, a, &secrets)
		a.EachAPI(t, func(t *testing.T, d shoptest.API) { answerRecorder{d, &all, &secrets}.breakDown(t) })
		a.Stop()
		tracer.Flush(t)
		_, _, spans := collector.Sent()
		if len(collector.Spans()) < 1000 {
			t.Errorf("%d spans", len(collector.Spans()))
		}
		if len(all) < 100 || len(secrets) < 60 {
			t.Fatalf("%d answers and %d secrets", len(all), len(secrets))
		}
		log := a.Log.String()
		for _, s := range secrets {
			if holds(log, s.text) {
				t.Errorf("the log holds the %s of %q: %s", s.what, s.owner, lineWith(log, s.text))
			}
			if holds(string(spans), s.text) {
				t.Errorf("the spans hold the %s of %q", s.what, s.owner)
			}
			for i, h := range all {
				if mine := s.owner != "" && s.owner == h.by || s.foundIn == i; !mine &&
					holds(h.text, s.text) {
					t.Errorf("%s, asked by %q, shows the %s of %q: %s", h.what, h.by, s.what, s.owner, h.text)
				}
			}
		}
	}, func(o *app.Options) { o.Tracer = tracer.Tracer })
}

// holds reports whether a text holds a secret. A code is not a part of a longer number, such as a moment's nanoseconds.
func holds(text, secret string) bool {
	isDigit := func(s string, at int) bool { return at >= 0 && at < len(s) && '0' <= s[at] && s[at] <= '9' }
	for from := 0; ; {
		i := strings.Index(text[from:], secret)
		if i < 0 {
			return false
		}
		at := from + i
		end := at + len(secret)
		if !(isDigit(secret, 0) && isDigit(text, at-1)) && !(isDigit(secret, len(secret)-1) && isDigit(text, end)) {
			return true
		}
		from = at + 1
	}
}

func lineWith(log, text string) string {
	for line := range strings.Lines(log) {
		if holds(line, text) {
			return line
		}
	}
	return ""
}

// walk calls every operation as one customer, and then as another customer who tries to use the first one's
// data.
func (h answerRecorder) walk(t *testing.T) {
	suffix := map[bool]string{false: "R", true: "G"}[h.GraphQL]
	ann, bob := h.person("Ann"+suffix, 1), h.person("Bob"+suffix, 2)
	made := shoptest.AsCustomer(t, h.asks(t, ann.name, "register", ann.registering(shoptest.ToolsShop)))
	other := shoptest.AsCustomer(t, h.asks(t, bob.name, "register", bob.registering(shoptest.MugsShop)))
	mine := answerRecorder{h.With(made.Access), h.answers, h.secrets}
	theirs := answerRecorder{h.With(other.Access), h.answers, h.secrets}

	// Ann's own requests.
	mine.asks(t, ann.name, "me", "")
	mine.asks(t, ann.name, "profile", `{"lastName": "`+ann.last+`"}`)
	at := mine.asks(t, ann.name, "createAddress", ann.address()).Member(t, "address.id")
	mine.asks(t, ann.name, "updateAddress "+at, `{"label": "home"}`)
	mine.asks(t, ann.name, "addresses", "")
	mine.asks(t, ann.name, "changePassword", shoptest.Changing("not "+ann.password, shoptest.OtherPassword))
	mine.asks(t, ann.name, "changePassword", shoptest.Changing(ann.password, ann.password+" 2"))
	next := mine.asks(t, ann.name, "refresh", shoptest.Refreshing(made.Refresh))
	h.With(next.Member(t, "accessToken")).Lives(t, next.Member(t, "accessToken"), true)
	mine.Clock.Pass(11 * time.Second)
	mine.asks(t, "", "refresh", shoptest.Refreshing(made.Refresh)) // a replay
	mine.asks(t, "", "me", "")
	mine.asks(t, "", "refresh", shoptest.Refreshing(next.Member(t, "refreshToken")))
	h.asks(t, ann.name, "login", shoptest.ByPassword(ann.cell, ann.password+" 2"))
	h.asks(t, ann.name, "loginOtp", shoptest.ByCode(ann.cell, h.codeOf(t, ann)))
	h.asks(t, "", "verifyOtp", shoptest.ByCode(ann.cell, h.codeOf(t, ann)))
	h.asks(t, "", "resetPassword", resetting(ann.cell, h.codeOf(t, ann), ann.password))

	// Cem signs up by phone.
	cem, form := h.person("Cem"+suffix, 3), h.API
	form.GraphQL = true
	ticket := form.Right(t, "signInByCode", shoptest.ByCodeAt(cem.cell, h.codeOf(t, cem), shoptest.ToolsShop)).
		Member(t, "ticket")
	h.hide("ticket", ticket, "", -1)
	h.asks(t, "", "register", shoptest.Proving(ann.cell, "ticket", ticket, shoptest.ToolsShop))
	h.asks(t, cem.name, "register", shoptest.Proving(cem.cell, "ticket", ticket, shoptest.ToolsShop))
	h.asks(t, "", "register", shoptest.Proving(cem.cell, "ticket", ticket, shoptest.ToolsShop))

	// Bob's requests for Ann's data.
	theirs.asks(t, bob.name, "me", "")
	theirs.asks(t, bob.name, "addresses", "")
	theirs.asks(t, "", "updateAddress "+at, `{"label": "mine"}`)
	theirs.asks(t, "", "deleteAddress "+at, "")
	theirs.asks(t, "", "profile", `{"cellNumber": "`+ann.cell+`"}`)
	code := h.codeOf(t, ann)
	for _, operation := range []string{"loginOtp", "verifyOtp"} {
		theirs.asks(t, "", operation, shoptest.ByCode(ann.cell, shoptest.AnotherCode(code)))
	}
	theirs.asks(t, "", "resetPassword", resetting(ann.cell, shoptest.AnotherCode(code), bob.password))
	h.asks(t, "", "register", shoptest.Registering(ann.cell, bob.password, shoptest.ToolsShop))
	h.asks(t, "", "register", shoptest.Registering(ann.cell, bob.password, shoptest.MugsShop))
	h.pending(t, ann, bob)
	for range 11 {
		h.asks(t, "", "login", shoptest.ByPassword(ann.cell, bob.password))
	}
	mine.asks(t, "", "deleteAddress "+at, "")
	h.mistakes(t, ann, code)
}

// pending links Ann's account to Bob's shop with data that Bob sent: only the cell he sent may be shown.
func (h answerRecorder) pending(t *testing.T, ann, bob person) {
	got := h.Ask(t, "register", shoptest.Acknowledging(ann.cell, bob.password, shoptest.MugsShop))
	got.Body = []byte(strings.Replace(string(got.Body), ann.cell, "", 1))
	h.keep("", "register, acknowledged", got)
}

// mistakes sends secrets in invalid places.
func (h answerRecorder) mistakes(t *testing.T, ann person, code string) {
	for _, input := range []string{
		fmt.Sprintf(`{"cellNumber": %q, "password": {"is": %q}}`, ann.cell, ann.password),
		fmt.Sprintf(`{"cellNumber": [%q], "password": [%q]}`, ann.cell, ann.password),
		fmt.Sprintf(`{"cellNumber": %q, "password": %q}`, ann.cell+"0000000", ann.password+
			strings.Repeat("x", 300)),
		fmt.Sprintf(`{"cellNumber": %q, "password": 5, "email": %q}`, ann.email, ann.email),
	} {
		h.asks(t, "", "login", input)
		h.asks(t, "", "register", input)
		h.asks(t, "", "refresh", input)
		h.asks(t, "", "loginOtp", strings.Replace(input, `"password"`, `"code"`, 1))
	}
	h.asks(t, "", "verifyOtp", shoptest.ByCode(ann.cell, code+code))
	for _, path := range []string{
		"/auth/login/" + ann.cell, "/auth/addresses/" + ann.cell + "/x", "/auth/otp/" + strings.Repeat("ab", 21),
		"/auth/me?token=" + code + ann.password[:6], "/auth/addresses/" + ann.cell,
	} {
		h.keep("", path, shoptest.Reply{Answer: h.Get(t, path)})
	}
	for _, body := range []string{`{"password": "` + ann.password, `"` + ann.password + `"`, `["` + ann.cell +
		`", "` + ann.cell + `"]`} {
		h.keep("", "broken", shoptest.Reply{Answer: h.Send(t, "POST", "/auth/login", body)})
		h.keep("", "broken", shoptest.Reply{Answer: h.Send(t, "POST", "/graphql", body)})
	}
	for _, document := range []string{
		fmt.Sprintf(`mutation { login(input: {cellNumber: %q, password: %q, other: %q}) { accessToken } }`,
			ann.cell, ann.password, ann.email),
		fmt.Sprintf(`mutation { login(input: {cellNumber: %q, password: [%q]}) { accessToken } }`, ann.cell,
			ann.password),
		fmt.Sprintf(`mutation { login(input: {cellNumber: %q, password: %q}) { accessToken }`, ann.cell,
			ann.password),
		fmt.Sprintf(`mutation { login(input: {cellNumber: %q, password: "x\\"y" %q}) { accessToken } }`, ann.cell,
			ann.password),
		fmt.Sprintf(`mutation { verifyOtp(input: {cellNumber: %s, code: %s}) { verified } }`,
			ann.cell[1:], "1"+code),
		fmt.Sprintf(`mutation { verifyOtp(input: """%s""") { verified } }`, code),
		fmt.Sprintf(`mutation { login(input: {cellNumber: "x", password: %q}) { accessToken } }`, ann.password+
			strings.Repeat("x", 300)),
		fmt.Sprintf(`mutation { login(input: %q) { accessToken } }`, ann.password),
		fmt.Sprintf(`mutation { register(input: {cellNumber: %q, acknowledgeExistingAccount: %q}) { __typename } }`,
			ann.cell, ann.password),
	} {
		h.keep("", document, shoptest.Reply{Answer: h.Send(t, "POST", "/graphql",
			shoptest.GraphQLBody(document, ""))})
	}
}

// hideStored adds the stored hashes of passwords, codes and tickets to the secrets.
func hideStored(t *testing.T, a *shoptest.Accounts, secrets *[]secret) {
	t.Helper()
	ctx, client := t.Context(), a.Store.Client
	bytes := func(what string, raw []byte) {
		*secrets = append(*secrets, secret{what: what, text: hex.EncodeToString(raw)[:32], foundIn: -1},
			secret{what: what, text: base64.StdEncoding.EncodeToString(raw)[:24], foundIn: -1})
	}
	for _, u := range shoptest.Must(client.User.Query().All(ctx))(t) {
		if u.PasswordHash == nil {
			continue
		}
		*secrets = append(*secrets, secret{
			what: "hash", text: (*u.PasswordHash)[len(*u.PasswordHash)-40:], foundIn: -1,
		})
	}
	for _, c := range shoptest.Must(client.OneTimeCode.Query().All(ctx))(t) {
		bytes("MAC", c.MAC)
		if c.TicketMAC != nil {
			bytes("MAC", *c.TicketMAC)
		}
	}
}

// breakDown renames tables one by one and calls operations that need them.
func (h answerRecorder) breakDown(t *testing.T) {
	p := h.person("Kim"+map[bool]string{false: "R", true: "G"}[h.GraphQL], 3)
	for _, table := range []string{"memberships", "rate_keys", "one_time_codes", "users"} {
		if err := h.Store.Driver().Exec(t.Context(), "ALTER TABLE "+table+" RENAME TO gone", []any{},
			new(sql.Result)); err != nil {
			t.Fatal(err)
		}
		failed := 0
		for operation, input := range map[string]string{
			"register": p.registering(shoptest.ToolsShop), "login": shoptest.ByPassword(p.cell,
				p.password), "sendOtp": shoptest.ToCell(p.cell),
			"verifyOtp": shoptest.ByCode(p.cell, "739154"), "resetPassword": resetting(p.cell, "739154", p.password),
			"refresh": shoptest.Refreshing(p.password),
		} {
			if h.asks(t, p.name, operation, input).Code == "INTERNAL" {
				failed++
			}
		}
		if failed == 0 {
			t.Errorf("nothing needs %s", table)
		}
		if err := h.Store.Driver().Exec(t.Context(), "ALTER TABLE gone RENAME TO "+table, []any{},
			new(sql.Result)); err != nil {
			t.Fatal(err)
		}
	}
}
