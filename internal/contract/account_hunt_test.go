package contract_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql"

	"storefront/internal/account"
	"storefront/internal/app"
	"storefront/internal/tracing/tracingtest"
)

// hunt calls the routes and records every answer, to search them for secrets.
type hunt struct {
	door
	heard   *[]heard
	secrets *[]secret
}

// heard is one answer, headers and body.
type heard struct {
	what, text string
	by         string // whose data may be in it; "" for nobody's
}

// secret is a text that only its owner may see, or nobody where it has no owner.
type secret struct {
	what, text string
	owner      string
	heardIn    int // the one answer it was made for; -1: none
}

// asks calls an operation on behalf of a person, or about one.
func (h hunt) asks(t *testing.T, by, operation, input string) reply {
	t.Helper()
	h.clock.pass(time.Second) // or an access token of the same second would be the same
	got := h.ask(t, operation, input)
	h.keep(by, operation, got)
	if strings.Contains(got.said, `"accessToken":"ey`) {
		for _, name := range []string{"accessToken", "refreshToken"} {
			h.hide(name, got.member(t, name), "", len(*h.heard)-1)
		}
		signature := strings.Split(got.member(t, "accessToken"), ".")[2]
		h.hide("signature", signature, "", len(*h.heard)-1)
	}
	return got
}

func (h hunt) keep(by, what string, got reply) {
	*h.heard = append(*h.heard, heard{what, fmt.Sprint(got.status, got.header, string(got.body)), by})
}

func (h hunt) hide(what, text, owner string, heardIn int) {
	*h.secrets = append(*h.secrets, secret{what, text, owner, heardIn})
}

// person is a customer whose data must stay private.
type person struct {
	name, cell, password, first, last, email, street string
}

func (h hunt) person(name string, n int) person {
	letters := strings.Repeat(name, 3)
	p := person{name, h.cell(n), "Secret of " + letters, "First" + letters, "Last" + letters,
		letters + "@private.example", "Street " + letters}
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

// code has a code sent to a person.
func (h hunt) codeOf(t *testing.T, p person) string {
	t.Helper()
	h.clock.pass(time.Minute)
	h.asks(t, "", "sendOtp", toCellFrom(p.cell, mugsShop))
	code := h.phones.code(t, p.cell)
	h.hide("code", code, "", -1)
	return code
}

// TestAccountSecrets calls every operation as two customers, correctly and incorrectly, on a working and on
// a broken database, and then searches all answers, headers, the log and the spans for their secrets.
func TestAccountSecrets(t *testing.T) {
	collector := tracingtest.New(t)
	tracer := tracerTo(t, collector.URL)
	eachAccounts(t, func(t *testing.T, a *accounts) {
		var all []heard
		secrets := []secret{{"key", string(a.key), "", -1}, {"key", base64.StdEncoding.EncodeToString(a.key)[:40],
			"", -1}, {"message", "کد تأیید", "", -1}}
		a.eachDoor(t, func(t *testing.T, d door) { hunt{d, &all, &secrets}.walk(t) })
		a.hideStored(t, &secrets)
		a.eachDoor(t, func(t *testing.T, d door) { hunt{d, &all, &secrets}.breakDown(t) })
		a.stop()
		tracer.flush(t)
		_, _, spans := collector.Sent()
		if len(collector.Spans()) < 1000 {
			t.Errorf("%d spans", len(collector.Spans()))
		}
		if len(all) < 100 || len(secrets) < 60 {
			t.Fatalf("%d answers and %d secrets", len(all), len(secrets))
		}
		log := a.log.String()
		for _, s := range secrets {
			if strings.Contains(log, s.text) {
				t.Errorf("the log holds the %s of %q: %s", s.what, s.owner, lineWith(log, s.text))
			}
			if bytes.Contains(spans, []byte(s.text)) {
				t.Errorf("the spans hold the %s of %q", s.what, s.owner)
			}
			for i, h := range all {
				if mine := s.owner != "" && s.owner == h.by || s.heardIn == i; !mine && strings.Contains(h.text, s.text) {
					t.Errorf("%s, asked by %q, shows the %s of %q: %s", h.what, h.by, s.what, s.owner, h.text)
				}
			}
		}
	}, func(o *app.Options) { o.Tracer = tracer.Tracer })
}

func lineWith(log, text string) string {
	for line := range strings.Lines(log) {
		if strings.Contains(line, text) {
			return line
		}
	}
	return ""
}

// walk has one customer go every way, and another one try to go it in their place.
func (h hunt) walk(t *testing.T) {
	suffix := map[bool]string{false: "R", true: "G"}[h.graphQL]
	ann, bob := h.person("Ann"+suffix, 1), h.person("Bob"+suffix, 2)
	made := asCustomer(t, h.asks(t, ann.name, "register", ann.registering(toolsShop)))
	other := asCustomer(t, h.asks(t, bob.name, "register", bob.registering(mugsShop)))
	mine, theirs := hunt{h.with(made.access), h.heard, h.secrets}, hunt{h.with(other.access), h.heard, h.secrets}

	// Ann's own ways.
	mine.asks(t, ann.name, "me", "")
	mine.asks(t, ann.name, "profile", `{"lastName": "`+ann.last+`"}`)
	at := mine.asks(t, ann.name, "createAddress", ann.address()).member(t, "address.id")
	mine.asks(t, ann.name, "updateAddress "+at, `{"label": "home"}`)
	mine.asks(t, ann.name, "addresses", "")
	mine.asks(t, ann.name, "changePassword", changing("not "+ann.password, otherPassword))
	mine.asks(t, ann.name, "changePassword", changing(ann.password, ann.password+" 2"))
	next := mine.asks(t, ann.name, "refresh", refreshing(made.refresh))
	mine.clock.pass(account.Defaults.Grace)
	mine.asks(t, "", "refresh", refreshing(made.refresh)) // a replay
	mine.asks(t, "", "me", "")
	mine.asks(t, "", "refresh", refreshing(next.member(t, "refreshToken")))
	h.asks(t, ann.name, "login", byPassword(ann.cell, ann.password+" 2"))
	h.asks(t, ann.name, "loginOtp", byCode(ann.cell, h.codeOf(t, ann)))
	h.asks(t, "", "verifyOtp", byCode(ann.cell, h.codeOf(t, ann)))
	h.asks(t, "", "resetPassword", resetting(ann.cell, h.codeOf(t, ann), ann.password))

	// Bob's tries at them.
	theirs.asks(t, bob.name, "me", "")
	theirs.asks(t, bob.name, "addresses", "")
	theirs.asks(t, "", "updateAddress "+at, `{"label": "mine"}`)
	theirs.asks(t, "", "deleteAddress "+at, "")
	theirs.asks(t, "", "profile", `{"cellNumber": "`+ann.cell+`"}`)
	code := h.codeOf(t, ann)
	for _, operation := range []string{"loginOtp", "verifyOtp"} {
		theirs.asks(t, "", operation, byCode(ann.cell, anotherCode(code)))
	}
	theirs.asks(t, "", "resetPassword", resetting(ann.cell, anotherCode(code), bob.password))
	h.asks(t, "", "register", registering(ann.cell, bob.password, toolsShop))
	h.asks(t, "", "register", registering(ann.cell, bob.password, mugsShop))
	h.pending(t, ann, bob)
	for range 11 {
		h.asks(t, "", "login", byPassword(ann.cell, bob.password))
	}
	mine.asks(t, "", "deleteAddress "+at, "")
	h.mistakes(t, ann, code)
}

// pending links Ann's account to Bob's shop with data that Bob sent: only the cell he sent may be shown.
func (h hunt) pending(t *testing.T, ann, bob person) {
	got := h.ask(t, "register", acknowledging(ann.cell, bob.password, mugsShop))
	got.body = []byte(strings.Replace(string(got.body), ann.cell, "", 1))
	h.keep("", "register, acknowledged", got)
}

// mistakes sends secrets in invalid places.
func (h hunt) mistakes(t *testing.T, ann person, code string) {
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
	h.asks(t, "", "verifyOtp", byCode(ann.cell, code+code))
	for _, path := range []string{
		"/auth/login/" + ann.cell, "/auth/addresses/" + ann.cell + "/x", "/auth/otp/" + strings.Repeat("ab", 21),
		"/auth/me?token=" + code + ann.password[:6], "/auth/addresses/" + ann.cell,
	} {
		h.keep("", path, reply{answer: h.get(t, path)})
	}
	for _, body := range []string{`{"password": "` + ann.password, `"` + ann.password + `"`, `["` + ann.cell +
		`", "` + ann.cell + `"]`} {
		h.keep("", "broken", reply{answer: h.send(t, "POST", "/auth/login", body)})
		h.keep("", "broken", reply{answer: h.send(t, "POST", "/graphql", body)})
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
		h.keep("", document, reply{answer: h.send(t, "POST", "/graphql", asked(document, ""))})
	}
}

// hideStored adds the stored hashes of passwords, codes and tokens to the secrets.
func (a *accounts) hideStored(t *testing.T, secrets *[]secret) {
	t.Helper()
	ctx, client := t.Context(), a.store.Client
	bytes := func(what string, raw []byte) {
		*secrets = append(*secrets, secret{what, hex.EncodeToString(raw)[:32], "", -1},
			secret{what, base64.StdEncoding.EncodeToString(raw)[:24], "", -1})
	}
	for _, u := range must(client.User.Query().All(ctx))(t) {
		*secrets = append(*secrets, secret{"hash", (*u.PasswordHash)[len(*u.PasswordHash)-40:], "", -1})
	}
	for _, c := range must(client.OneTimeCode.Query().All(ctx))(t) {
		bytes("MAC", c.MAC)
	}
	for _, r := range must(client.RefreshToken.Query().All(ctx))(t) {
		bytes("hash", r.Hash)
	}
}

// breakDown renames tables one by one and calls operations that need them.
func (h hunt) breakDown(t *testing.T) {
	p := h.person("Kim"+map[bool]string{false: "R", true: "G"}[h.graphQL], 3)
	for _, table := range []string{"refresh_tokens", "memberships", "rate_keys", "one_time_codes", "users"} {
		if err := h.store.Driver().Exec(t.Context(), "ALTER TABLE "+table+" RENAME TO gone", []any{},
			new(sql.Result)); err != nil {
			t.Fatal(err)
		}
		failed := 0
		for operation, input := range map[string]string{
			"register": p.registering(toolsShop), "login": byPassword(p.cell, p.password), "sendOtp": toCell(p.cell),
			"verifyOtp": byCode(p.cell, "739154"), "resetPassword": resetting(p.cell, "739154", p.password),
			"refresh": refreshing(p.password),
		} {
			if h.asks(t, p.name, operation, input).code == "INTERNAL" {
				failed++
			}
		}
		if failed == 0 {
			t.Errorf("nothing needs %s", table)
		}
		if err := h.store.Driver().Exec(t.Context(), "ALTER TABLE gone RENAME TO "+table, []any{},
			new(sql.Result)); err != nil {
			t.Fatal(err)
		}
	}
}
