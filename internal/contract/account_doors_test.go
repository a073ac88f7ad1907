package contract_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	userFields       = `{ id cellNumber cellVerified firstName lastName email createdAt }`
	signInFields     = `{ user ` + userFields + ` accessToken refreshToken }`
	registeredFields = `user ` + userFields + ` accessToken refreshToken registeredBusiness { ` +
		`id name nameFa slug domain }`
	addressFields = `{ id label province city address postalCode landline createdAt updatedAt }`
)

// accountOperations are the operations on accounts: route, status of success, and the document that asks
// GraphQL the same.
var accountOperations = map[string]struct {
	method, path string
	status       int
	document     string
}{
	"register": {"POST", "/auth/register", 201, `mutation($input: RegisterInput!) { body: register(input: ` +
		`$input) {
		... on Registered { ` + registeredFields + ` } ... on LinkPending { ` + registeredFields +
		` verificationRequired message } } }`},
	"login": {"POST", "/auth/login", 200, `mutation($input: LoginInput!) { body: login(input: $input) ` +
		signInFields + ` }`},
	"loginOtp": {"POST", "/auth/login-otp", 200,
		`mutation($input: CodeInput!) { body: loginOtp(input: $input) ` + signInFields + ` }`},
	"loginOtpSays": {"POST", "/auth/login-otp", 200, // GraphQL says what has ended
		`mutation($input: CodeInput!) { body: loginOtp(input: $input) { user ` + userFields +
			` accessToken refreshToken message } }`},
	"resetPassword": {"POST", "/auth/reset-password", 200,
		`mutation($input: ResetPasswordInput!) { body: resetPassword(input: $input) { message } }`},
	"refresh": {"POST", "/auth/refresh", 200, `mutation($input: RefreshInput!) { body: refreshTokens(input: ` +
		`$input) ` + signInFields + ` }`},
	"me": {"GET", "/auth/me", 200, `{ user: me ` + userFields + ` }`},
	"profile": {"PATCH", "/auth/profile", 200,
		`mutation($input: ProfileInput!) { body: updateProfile(input: $input) { message user ` +
			userFields + ` } }`},
	"changePassword": {"POST", "/auth/change-password", 200,
		`mutation($input: ChangePasswordInput!) { body: changePassword(input: $input) { message } }`},
	"sendOtp": {"POST", "/auth/send-otp", 200, `mutation($input: SendOtpInput!) { body: sendOtp(input: $input) {
		... on OtpSent { enabled message expiresInSeconds } ... on OtpUnavailable { enabled message } } }`},
	"verifyOtp": {"POST", "/auth/verify-otp", 200,
		`mutation($input: CodeInput!) { body: verifyOtp(input: $input) { enabled verified message } }`},
	"addresses": {"GET", "/auth/addresses", 200, `{ body: me { items: addresses ` + addressFields + ` } }`},
	"createAddress": {"POST", "/auth/addresses", 201,
		`mutation($input: AddressInput!) { body: createAddress(input: $input) { address ` + addressFields + ` } }`},
	"updateAddress": {"PATCH", "/auth/addresses/", 200,
		`mutation($id: ID!, $input: AddressChangeInput!) { body: updateAddress(addressId: $id, input: $input) { ` +
			`address ` + addressFields + ` } }`},
	"deleteAddress": {"DELETE", "/auth/addresses/", 200,
		`mutation($id: ID!) { body: deleteAddress(addressId: $id) { message } }`},
}

// door is one of the two interfaces, REST or GraphQL, as one client uses it.
type door struct {
	*accounts
	graphQL bool
	headers []string // in pairs
}

// eachDoor runs f with REST and with GraphQL. Both start at the same time of the clock and use cells of
// their own.
func (a *accounts) eachDoor(t *testing.T, f func(t *testing.T, d door)) {
	t.Helper()
	a.clock.at.Store(today.UnixMicro())
	t.Run("REST", func(t *testing.T) { f(t, a.rest()) })
	a.clock.at.Store(today.UnixMicro())
	t.Run("GraphQL", func(t *testing.T) { f(t, a.graphQL()) })
}

func (a *accounts) rest() door    { return door{accounts: a} }
func (a *accounts) graphQL() door { return door{accounts: a, graphQL: true} }

// with is the door to a client that holds an access token.
func (d door) with(token string) door {
	d.headers = append(slices.Clone(d.headers), "Authorization", "Bearer "+token)
	return d
}

// from returns the door for a client at another address.
func (d door) from(address string) door {
	d.headers = append(slices.Clone(d.headers), "X-Forwarded-For", address)
	return d
}

// cell returns the nth cell number reserved for this door.
func (d door) cell(n int) string {
	if d.graphQL {
		return fmt.Sprintf("+98936000%04d", n)
	}
	return fmt.Sprintf("+98912000%04d", n)
}

// reply is an answer of either door: the body of REST, or what corresponds to it in GraphQL.
type reply struct {
	answer
	door   door
	said   string // the body of a success
	code   string // of an error
	fields []string
}

// ask asks for an operation: its name, followed by an address's id where it needs one. A panic is a mistake
// in the test.
func (d door) ask(t testing.TB, operation, input string) reply {
	t.Helper()
	name, id, _ := strings.Cut(operation, " ")
	o, known := accountOperations[name]
	if !known {
		t.Fatalf("there is no operation %q", name)
	}
	if !d.graphQL {
		return d.read(t, d.send(t, o.method, o.path+id, input, d.headers...))
	}
	variables := map[string]json.RawMessage{"id": json.RawMessage(`"` + id + `"`)}
	if input != "" {
		variables["input"] = json.RawMessage(input)
	}
	written, err := json.Marshal(variables)
	if err != nil {
		t.Fatalf("%s: %v", input, err)
	}
	return d.read(t, d.send(t, "POST", "/graphql", asked(o.document, string(written)), d.headers...))
}

func (d door) read(t testing.TB, got answer) reply {
	t.Helper()
	r := reply{answer: got, door: d, said: string(got.body)}
	if d.graphQL {
		r.readGraphQL(t)
		return r
	}
	var e struct {
		Code   string
		Errors []struct{ Field string }
	}
	if err := json.Unmarshal(got.body, &e); err != nil {
		t.Fatalf("%v: %.300q", err, got.body)
	}
	if got.status >= 400 {
		r.code = e.Code
	}
	for _, one := range e.Errors {
		r.fields = append(r.fields, one.Field)
	}
	slices.Sort(r.fields)
	return r
}

func (r *reply) readGraphQL(t testing.TB) {
	t.Helper()
	got := resultOf(t, r.answer)
	if len(got.Errors) > 1 {
		t.Errorf("several errors: %s", r.body)
	}
	if len(got.Errors) > 0 {
		r.code = got.Errors[0].Extensions.Code
		for _, one := range got.Errors[0].Extensions.Errors {
			r.fields = append(r.fields, strings.TrimPrefix(one.Field, "input."))
		}
		slices.Sort(r.fields)
		return
	}
	var data map[string]json.RawMessage
	if err := json.Unmarshal(got.Data, &data); err != nil {
		t.Fatalf("%v: %s", err, r.body)
	}
	if r.said = string(got.Data); data["body"] != nil {
		r.said = string(data["body"])
	}
}

// right calls an operation that must succeed.
func (d door) right(t testing.TB, operation, input string) reply {
	t.Helper()
	got := d.ask(t, operation, input)
	name, _, _ := strings.Cut(operation, " ")
	if want := accountOperations[name].status; got.code != "" || !d.graphQL && got.status != want ||
		got.status/100 != 2 {
		t.Fatalf("%s %s: status %d, want %d: %s", operation, input, got.status, want, got.body)
	}
	if is := got.header.Get("Cache-Control"); is != "no-store" {
		t.Errorf("%s: Cache-Control %q", operation, is)
	}
	return got
}

// wrong calls an operation that must fail, and checks the whole error.
func (d door) wrong(t testing.TB, operation, input string, status int, code string, fields ...string) reply {
	t.Helper()
	got := d.ask(t, operation, input)
	slices.Sort(fields)
	if got.code != code || !slices.Equal(got.fields, fields) {
		t.Fatalf("%s %.300s: %s %q, want %s %q: %.500s", operation, input, got.code, got.fields, code,
			fields, got.body)
	}
	if d.graphQL {
		wantGraphQL(t, prefixless(got.answer), 200, code, fields...)
		return got
	}
	wantFault(t, got.answer, status, code, fields...)
	if is := got.header.Get("WWW-Authenticate"); (is == "Bearer") != (status == 401) {
		t.Errorf("%s: %d with WWW-Authenticate %q", operation, status, is)
	}
	if is := got.header.Get("Retry-After"); (is != "") != (status == 429) {
		t.Errorf("%s: %d with Retry-After %q", operation, status, is)
	}
	return got
}

// prefixless names the members of $input as REST does.
func prefixless(got answer) answer {
	got.body = []byte(strings.ReplaceAll(string(got.body), `"field":"input.`, `"field":"`))
	return got
}

// message is what an error says.
func (r reply) message(t testing.TB) string {
	t.Helper()
	if r.door.graphQL {
		return resultOf(t, r.answer).Errors[0].Message
	}
	return r.member(t, "message")
}

// member returns a text in what was said, by its path: "user.id".
func (r reply) member(t testing.TB, path string) string {
	t.Helper()
	var at any
	if err := json.Unmarshal([]byte(r.said), &at); err != nil {
		t.Fatalf("%v: %s", err, r.said)
	}
	for name := range strings.SplitSeq(path, ".") {
		members, _ := at.(map[string]any)
		at = members[name]
	}
	text, ok := at.(string)
	if !ok {
		t.Fatalf("%s is no text: %s", path, r.said)
	}
	return text
}

var (
	jwtForm     = regexp.MustCompile(`"eyJ[\w-]+\.[\w-]+\.[\w-]{43}"`)
	refreshForm = regexp.MustCompile(`"[\w-]{64}"`)
)

// is compares the whole answer with JSON in which <id>, <access>, <refresh> and <now> stand for generated
// values.
func (r reply) is(t testing.TB, want string) {
	t.Helper()
	got := jwtForm.ReplaceAllString(r.said, `"<access>"`)
	got = refreshForm.ReplaceAllString(got, `"<refresh>"`)
	got = id.ReplaceAllString(got, "<id>")
	got = withoutNow(got)
	if is, should := tidied(t, got), tidied(t, want); is != should {
		t.Errorf("said\n%s, want\n%s", is, should)
	}
}

// tidied returns JSON in canonical form.
func tidied(t testing.TB, text string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	tidy, _ := json.MarshalIndent(value, "", " ")
	return string(tidy)
}

// withoutNow writes <now> for the times at which this run wrote records.
func withoutNow(text string) string {
	return timestamp.ReplaceAllStringFunc(text, func(quoted string) string {
		at, err := time.Parse(`"`+time.RFC3339Nano+`"`, quoted)
		if err == nil && at.After(begun) && at.Before(time.Now().Add(time.Second)) {
			return `"<now>"`
		}
		return quoted
	})
}
