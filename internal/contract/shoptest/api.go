package shoptest

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

// AccountOperations are the operations on accounts: route, status of success, and the GraphQL document that
// does the same.
var AccountOperations = map[string]struct {
	Method, Path string
	Status       int
	Document     string
}{
	"register": {Method: "POST", Path: "/auth/register", Status: 201,
		Document: `mutation($input: RegisterInput!) { body: register(input: $input) {
		... on Registered { ` + registeredFields + ` } ... on LinkPending { ` + registeredFields +
			` verificationRequired message } } }`},
	"login": {Method: "POST", Path: "/auth/login", Status: 200,
		Document: `mutation($input: LoginInput!) { body: login(input: $input) ` + signInFields + ` }`},
	"loginOtp": {Method: "POST", Path: "/auth/login-otp", Status: 200,
		Document: `mutation($input: CodeInput!) { body: loginOtp(input: $input) ` + signInFields + ` }`},
	"loginOtpSays": {Method: "POST", Path: "/auth/login-otp", Status: 200, // in GraphQL the answer says what has ended
		Document: `mutation($input: CodeInput!) { body: loginOtp(input: $input) { user ` + userFields +
			` accessToken refreshToken message } }`},
	"signInByCode": {Method: "POST", Path: "/graphql", Status: 200, // GraphQL only
		Document: `mutation($input: SignInByCodeInput!) { body: signInByCode(input: $input) {
		... on SignInPayload ` + signInFields + ` ... on NoAccount { code cellNumber ticket expiresInSeconds } } }`},
	"resetPassword": {Method: "POST", Path: "/auth/reset-password", Status: 200,
		Document: `mutation($input: ResetPasswordInput!) { body: resetPassword(input: $input) { message } }`},
	"refresh": {Method: "POST", Path: "/auth/refresh", Status: 200,
		Document: `mutation($input: RefreshInput!) { body: refreshTokens(input: $input) ` + signInFields + ` }`},
	"me": {Method: "GET", Path: "/auth/me", Status: 200, Document: `{ user: me ` + userFields + ` }`},
	"profile": {Method: "PATCH", Path: "/auth/profile", Status: 200,
		Document: `mutation($input: ProfileInput!) { body: updateProfile(input: $input) { message user ` +
			userFields + ` } }`},
	"changePassword": {Method: "POST", Path: "/auth/change-password", Status: 200,
		Document: `mutation($input: ChangePasswordInput!) { body: changePassword(input: $input) { message } }`},
	"sendOtp": {Method: "POST", Path: "/auth/send-otp", Status: 200,
		Document: `mutation($input: SendOtpInput!) { body: sendOtp(input: $input) {
		... on OtpSent { enabled message expiresInSeconds } ... on OtpUnavailable { enabled message } } }`},
	"verifyOtp": {Method: "POST", Path: "/auth/verify-otp", Status: 200,
		Document: `mutation($input: CodeInput!) { body: verifyOtp(input: $input) { enabled verified message } }`},
	"addresses": {Method: "GET", Path: "/auth/addresses", Status: 200,
		Document: `{ body: me { items: addresses ` + addressFields + ` } }`},
	"createAddress": {Method: "POST", Path: "/auth/addresses", Status: 201,
		Document: `mutation($input: AddressInput!) { body: createAddress(input: $input) { address ` +
			addressFields + ` } }`},
	"updateAddress": {Method: "PATCH", Path: "/auth/addresses/", Status: 200,
		Document: `mutation($id: ID!, $input: AddressChangeInput!) {
			body: updateAddress(addressId: $id, input: $input) { ` +
			`address ` + addressFields + ` } }`},
	"deleteAddress": {Method: "DELETE", Path: "/auth/addresses/", Status: 200,
		Document: `mutation($id: ID!) { body: deleteAddress(addressId: $id) { message } }`},
}

// API is one of the two interfaces, REST or GraphQL, with the headers of one client.
type API struct {
	*Accounts
	GraphQL bool
	Headers []string // in pairs
}

// EachAPI runs f with REST and with GraphQL. Both start with the same time, and use different cell numbers.
func (a *Accounts) EachAPI(t *testing.T, f func(t *testing.T, d API)) {
	t.Helper()
	a.Clock.At.Store(Today.UnixMicro())
	t.Run("REST", func(t *testing.T) { f(t, a.REST()) })
	a.Clock.At.Store(Today.UnixMicro())
	t.Run("GraphQL", func(t *testing.T) { f(t, a.GraphQL()) })
}

// REST returns the REST API.
func (a *Accounts) REST() API { return API{Accounts: a} }

// GraphQL returns the GraphQL API.
func (a *Accounts) GraphQL() API { return API{Accounts: a, GraphQL: true} }

// With returns the API for a client with an access token.
func (d API) With(token string) API {
	d.Headers = append(slices.Clone(d.Headers), "Authorization", "Bearer "+token)
	return d
}

// From returns the API for a client at another address.
func (d API) From(address string) API {
	d.Headers = append(slices.Clone(d.Headers), "X-Forwarded-For", address)
	return d
}

// Cell returns the nth cell number reserved for this API.
func (d API) Cell(n int) string {
	if d.GraphQL {
		return fmt.Sprintf("+98936000%04d", n)
	}
	return fmt.Sprintf("+98912000%04d", n)
}

// Reply is the answer of an API: the body in REST, or the corresponding part in GraphQL.
type Reply struct {
	Answer
	API    API
	Said   string // the body of a success
	Code   string // of an error
	Fields []string
}

// Ask calls an operation, given by its name and, if it needs one, the id of an address. It panics on a
// mistake in the test.
func (d API) Ask(t testing.TB, operation, input string) Reply {
	t.Helper()
	name, id, _ := strings.Cut(operation, " ")
	o, known := AccountOperations[name]
	if !known {
		t.Fatalf("there is no operation %q", name)
	}
	if !d.GraphQL {
		return d.Read(t, d.Send(t, o.Method, o.Path+id, input, d.Headers...))
	}
	variables := map[string]json.RawMessage{"id": json.RawMessage(`"` + id + `"`)}
	if input != "" {
		variables["input"] = json.RawMessage(input)
	}
	written, err := json.Marshal(variables)
	if err != nil {
		t.Fatalf("%s: %v", input, err)
	}
	return d.Read(t, d.Send(t, "POST", "/graphql", GraphQLBody(o.Document, string(written)), d.Headers...))
}

// Read reads an answer of the API.
func (d API) Read(t testing.TB, got Answer) Reply {
	t.Helper()
	r := Reply{Answer: got, API: d, Said: string(got.Body)}
	if d.GraphQL {
		r.readGraphQL(t)
		return r
	}
	var e struct {
		Code   string
		Errors []struct{ Field string }
	}
	if err := json.Unmarshal(got.Body, &e); err != nil {
		t.Fatalf("%v: %.300q", err, got.Body)
	}
	if got.Status >= 400 {
		r.Code = e.Code
	}
	for _, one := range e.Errors {
		r.Fields = append(r.Fields, one.Field)
	}
	slices.Sort(r.Fields)
	return r
}

func (r *Reply) readGraphQL(t testing.TB) {
	t.Helper()
	got := ResultOf(t, r.Answer)
	if len(got.Errors) > 1 {
		t.Errorf("several errors: %s", r.Body)
	}
	if len(got.Errors) > 0 {
		r.Code = got.Errors[0].Extensions.Code
		for _, one := range got.Errors[0].Extensions.Errors {
			r.Fields = append(r.Fields, strings.TrimPrefix(one.Field, "input."))
		}
		slices.Sort(r.Fields)
		return
	}
	var data map[string]json.RawMessage
	if err := json.Unmarshal(got.Data, &data); err != nil {
		t.Fatalf("%v: %s", err, r.Body)
	}
	if r.Said = string(got.Data); data["body"] != nil {
		r.Said = string(data["body"])
	}
}

// Right calls an operation and checks that it succeeds.
func (d API) Right(t testing.TB, operation, input string) Reply {
	t.Helper()
	got := d.Ask(t, operation, input)
	name, _, _ := strings.Cut(operation, " ")
	if want := AccountOperations[name].Status; got.Code != "" || !d.GraphQL && got.Status != want ||
		got.Status/100 != 2 {
		t.Fatalf("%s %s: status %d, want %d: %s", operation, input, got.Status, want, got.Body)
	}
	if is := got.Header.Get("Cache-Control"); is != "no-store" {
		t.Errorf("%s: Cache-Control %q", operation, is)
	}
	return got
}

// Wrong calls an operation and checks the whole error that it must fail with.
func (d API) Wrong(t testing.TB, operation, input string, status int, code string, fields ...string) Reply {
	t.Helper()
	got := d.Ask(t, operation, input)
	slices.Sort(fields)
	if got.Code != code || !slices.Equal(got.Fields, fields) {
		t.Fatalf("%s %.300s: %s %q, want %s %q: %.500s", operation, input, got.Code, got.Fields, code,
			fields, got.Body)
	}
	if d.GraphQL {
		WantGraphQL(t, prefixless(got.Answer), 200, code, fields...)
		return got
	}
	WantFault(t, got.Answer, status, code, fields...)
	if is := got.Header.Get("WWW-Authenticate"); (is == "Bearer") != (status == 401) {
		t.Errorf("%s: %d with WWW-Authenticate %q", operation, status, is)
	}
	if is := got.Header.Get("Retry-After"); (is != "") != (status == 429) {
		t.Errorf("%s: %d with Retry-After %q", operation, status, is)
	}
	return got
}

// prefixless names the members of $input as REST does.
func prefixless(got Answer) Answer {
	got.Body = []byte(strings.ReplaceAll(string(got.Body), `"field":"input.`, `"field":"`))
	return got
}

// Message returns the message of an error.
func (r Reply) Message(t testing.TB) string {
	t.Helper()
	if r.API.GraphQL {
		return ResultOf(t, r.Answer).Errors[0].Message
	}
	return r.Member(t, "message")
}

// Member returns a text in a successful reply by its path, such as "user.id".
func (r Reply) Member(t testing.TB, path string) string {
	t.Helper()
	var at any
	if err := json.Unmarshal([]byte(r.Said), &at); err != nil {
		t.Fatalf("%v: %s", err, r.Said)
	}
	for name := range strings.SplitSeq(path, ".") {
		members, _ := at.(map[string]any)
		at = members[name]
	}
	text, ok := at.(string)
	if !ok {
		t.Fatalf("%s is no text: %s", path, r.Said)
	}
	return text
}

// The forms of access and refresh tokens in an answer.
var (
	JWTForm     = regexp.MustCompile(`"eyJ[\w-]+\.[\w-]+\.[\w-]{43}"`)
	refreshForm = regexp.MustCompile(`"[\w-]{75}"`)
)

// Is compares the whole answer with JSON in which <id>, <access>, <refresh> and <now> stand for generated
// values.
func (r Reply) Is(t testing.TB, want string) {
	t.Helper()
	got := JWTForm.ReplaceAllString(r.Said, `"<access>"`)
	got = refreshForm.ReplaceAllString(got, `"<refresh>"`)
	got = ID.ReplaceAllString(got, "<id>")
	got = WithoutNow(got)
	if is, should := Tidied(t, got), Tidied(t, want); is != should {
		t.Errorf("said\n%s, want\n%s", is, should)
	}
}

// Tidied returns JSON in canonical form.
func Tidied(t testing.TB, text string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	tidy, _ := json.MarshalIndent(value, "", " ")
	return string(tidy)
}

// WithoutNow replaces the times at which this run wrote records by <now>.
func WithoutNow(text string) string {
	return timestamp.ReplaceAllStringFunc(text, func(quoted string) string {
		at, err := time.Parse(`"`+time.RFC3339Nano+`"`, quoted)
		if err == nil && at.After(begun) && at.Before(time.Now().Add(time.Second)) {
			return `"<now>"`
		}
		return quoted
	})
}
