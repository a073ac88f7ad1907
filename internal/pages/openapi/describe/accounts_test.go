package describe_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"storefront/internal/fault"
	"storefront/internal/pages/openapi/openapitest"
	"storefront/internal/platform/wire"
	"storefront/rest"
)

// TestCredentials sends a request without a token and with a malformed body to every route: the answer must
// be 401 if the document asks for credentials, else 400 if it asks for a body, else a documented one.
func TestCredentials(t *testing.T) {
	d, routes := load(t), service(t)
	for _, route := range rest.Routes {
		r := httptest.NewRequest(route.Method, targetOf(route), strings.NewReader("{"))
		w := httptest.NewRecorder()
		routes.ServeHTTP(w, r)
		want := w.Code
		if d.NeedsToken(route.Method, targetOf(route)) {
			want = http.StatusUnauthorized
		} else if route.HasBody() {
			want = http.StatusBadRequest
		}
		if w.Code != want {
			t.Errorf("%s %s answered %d, want %d", route.Method, route.Path, w.Code, want)
		}
		if err := d.Answer(route.Method, targetOf(route), w.Code, w.Header(), w.Body.Bytes()); err != nil {
			t.Error(err)
		}
	}
}

// targetOf returns a path that matches the route.
func targetOf(route rest.Route) string {
	segments := strings.Split(rest.Prefix+route.Path, "/")
	for i, segment := range segments {
		if strings.HasPrefix(segment, "{") {
			segments[i] = "7"
		}
	}
	return strings.Join(segments, "/")
}

// failed checks an error of a route against the document.
func failed(d *openapitest.Document, route rest.Route, code fault.Code) error {
	header := http.Header{
		"Content-Type": {"application/json"}, "Cache-Control": {"no-store"}, "Content-Language": {"en"},
		"X-Request-Id": {"abc"}, "Www-Authenticate": {"Bearer"}, "Retry-After": {"60"},
	}
	status := route.StatusOf(code)
	body := fmt.Sprintf(`{"statusCode":%d,"code":"%s","message":"no","requestId":"abc"}`, status, code)
	return d.Answer(route.Method, targetOf(route), status, header, []byte(body))
}

func TestCodes(t *testing.T) {
	d := load(t)
	for _, c := range []struct {
		operation string
		code      fault.Code
		answers   bool
	}{
		{"Register", fault.NotFound, true}, // the domain is in the body
		{"Register", fault.CellAlreadyRegistered, true},
		{"Register", fault.CellExistsOtherSite, true},
		{"Login", fault.InvalidCredentials, true},
		{"Login", fault.RateLimited, true},
		{"Login", fault.Unauthenticated, false},
		{"LoginOtp", fault.InvalidCode, true}, // 401
		{"ResetPassword", fault.InvalidCode, true},
		{"RefreshTokens", fault.InvalidCredentials, true},
		{"SendOtp", fault.RateLimited, true},
		{"Me", fault.Unauthenticated, true},
		{"Me", fault.NotFound, false},
		{"ChangePassword", fault.CurrentPasswordIncorrect, true},
		{"ChangePassword", fault.InvalidCredentials, false},
		{"DeleteAddress", fault.NotFound, true},
		{"DeleteAddress", fault.KeyReused, false},
		{"UpdateProfile", fault.KeyReused, false},
		{"ChangePassword", fault.KeyReused, true},
		{"ChangePassword", fault.Conflict, true},
		{"CreateAddress", fault.KeyReused, true},
		{"Login", fault.KeyReused, false},
		{"Product", fault.Unauthenticated, false},
		{"SendPartnerSms", fault.InvalidCredentials, true},
		{"SendPartnerSms", fault.Unauthenticated, false},
		{"SendPartnerSms", fault.RateLimited, true},
		{"SendPartnerSms", fault.SMSUnavailable, true},
		{"SendPartnerSms", fault.NotFound, false},
	} {
		for _, route := range rest.Routes {
			if route.Operation != c.operation {
				continue
			}
			if err := failed(d, route, c.code); (err == nil) != c.answers {
				t.Errorf("%s, %s: the document says %v, want right: %t", c.operation, c.code, err, c.answers)
			}
		}
	}
}

// TestEveryCodeIsAnswered checks that every code with a REST status is named in the schema by the fields that
// return it.
func TestEveryCodeIsAnswered(t *testing.T) {
	d := load(t)
codes:
	for code := range wire.Statuses() {
		switch code {
		// GraphQL only
		case fault.ParseFailed, fault.DocumentInvalid, fault.LimitExceeded, fault.PersistedQueryNotFound,
			fault.SecondFactorRequired:
			continue
		case fault.MethodNotAllowed: // belongs to no route
			continue
		case fault.Forbidden: // no REST route returns it yet
			continue
		}
		for _, route := range rest.Routes {
			if failed(d, route, code) == nil {
				continue codes
			}
		}
		t.Errorf("no route answers %s", code)
	}
}

// TestReplayedHeader checks that the document describes a replayed answer.
func TestReplayedHeader(t *testing.T) {
	d := load(t)
	for value, right := range map[string]bool{"true": true, "false": false, "": true} {
		header := http.Header{
			"Content-Type": {"application/json"}, "Cache-Control": {"no-store"}, "X-Request-Id": {"abc"},
		}
		if value != "" {
			header.Set("Idempotent-Replayed", value)
		}
		err := d.Answer("POST", "/api/v1/auth/change-password", 200, header, []byte(`{"message":"done"}`))
		if (err == nil) != right {
			t.Errorf("%q: %v, want right: %t", value, err, right)
		}
	}
}

// TestForms checks the answers that have one of two shapes.
func TestForms(t *testing.T) {
	d := load(t)
	header := http.Header{"Content-Type": {"application/json"}, "Cache-Control": {"no-store"}, "X-Request-Id": {"abc"}}
	registered := func(token, more string) string {
		id, verified, at := "null", "null", "null"
		if token != "null" {
			id, verified, at = `"7"`, "false", `"2026-02-02T01:00:00Z"`
		}
		return `{"user":{"id":` + id + `,"cellNumber":"+989121234567","cellVerified":` + verified + `,
				"firstName":null,"lastName":null,"email":null,"createdAt":` + at + `},
			"accessToken":` + token + `,"refreshToken":` + token + `,
			"registeredBusiness":{"id":"7","name":"Shop","nameFa":"فروشگاه","slug":"shop","domain":"shop.ir"}` +
			more + `}`
	}
	for _, c := range []struct {
		path   string
		status int
		body   string
		right  bool
	}{
		{"register", 201, registered(`"a"`, ``), true},
		{"register", 201, registered(`null`, ``), false},
		{"register", 201, strings.Replace(registered(`"a"`, ``), `"id":"7","cell`, `"id":null,"cell`, 1), false},
		{"register", 201, registered(`null`, `,"verificationRequired":true,"message":"wait"`), true},
		{"register", 201, registered(`null`, `,"verificationRequired":true`), false},
		{"register", 201, registered(`"a"`, `,"message":"hi"`), false},
		{"send-otp", 200, `{"enabled":true,"message":"sent","expiresInSeconds":300}`, true},
		{"send-otp", 200, `{"enabled":false,"message":"no"}`, true},
		{"send-otp", 200, `{"enabled":true,"message":"sent","expiresInSeconds":null}`, false},
		{"send-otp", 200, `{"enabled":true}`, false},
	} {
		if err := d.Answer("POST", "/api/v1/auth/"+c.path, c.status, header, []byte(c.body)); (err == nil) != c.right {
			t.Errorf("%s: %v, want right: %t", c.body, err, c.right)
		}
	}
}

// TestBodiesOfAccounts is TestBodies for the account routes.
func TestBodiesOfAccounts(t *testing.T) {
	register := func(cell, password, more string) string {
		return `{"cellNumber":"` + cell + `","password":"` + password +
			`","firstName":"سارا","lastName":"a","domain":"shop.ir"` + more + `}`
	}
	const cell = `{"cellNumber":"09121234567",`
	var bodies []body
	add := func(method, path, operation, text string, right bool) {
		bodies = append(bodies, body{
			method: method, target: "/api/v1/auth/" + path, operation: operation, text: text, right: right,
		})
	}
	for number, right := range map[string]bool{
		"+989121234567": true, "+۹۸۹۱۲۱۲۳۴۵۶۷": true, "+12025550123": true, "+12345678": true,
		"+123456789012345": true, "09121234567": false, "+1234567": false, "+1234567890123456": false,
		"+0123456789":    false,
		"+98 9121234567": false, "+98912": false, "+989121234": false,
	} {
		add("POST", "register", "Register", register(number, "12345678", ""), right)
	}
	for password, right := range map[string]bool{
		"1234567": false, " 234567 ": true, "شش حرف۱۲": true, strings.Repeat("ی", 256): true,
		strings.Repeat("ی", 257): false,
	} {
		add("POST", "register", "Register", register("+989121234567", password, ""), right)
		add("POST", "change-password", "ChangePassword", `{"currentPassword":"a","newPassword":"`+password+`"}`, right)
		add("POST", "reset-password", "ResetPassword", cell+`"code":"123456","newPassword":"`+password+`"}`, right)
	}
	for password, right := range map[string]bool{
		"": false, "a": true, strings.Repeat("ی", 256): true, strings.Repeat("ی", 257): false,
	} {
		add("POST", "login", "Login", cell+`"password":"`+password+`"}`, right)
	}
	for code, right := range map[string]bool{
		"": false, "12345": false, "123456": true, "۱۲۳۴۵۶": true, "1234567": false,
	} {
		add("POST", "login-otp", "LoginOtp", cell+`"code":"`+code+`"}`, right)
		add("POST", "verify-otp", "VerifyOtp", cell+`"code":"`+code+`"}`, right)
	}
	add("POST", "register", "Register",
		register("+989121234567", "12345678", `,"email":null,"acknowledgeExistingAccount":true`),
		true)
	add("POST", "register", "Register",
		register("+989121234567", "12345678", `,"acknowledgeExistingAccount":"yes"`), false)
	add("POST", "refresh", "RefreshTokens", `{"refreshToken":"a"}`, true)
	add("POST", "refresh", "RefreshTokens", `{}`, false)
	add("POST", "send-otp", "SendOtp", `{"cellNumber":"09121234567","domain":null}`, true)
	for number, right := range map[string]bool{
		"5": false, "9121234567": true, "989121234567": true, "00989121234567": true, "0912 123 4567": true,
		"۰۹۱۲-۱۲۳-۴۵۶۷": true, "+98 (0)912 1234567": true, "+1 (415) 555-0123": true, "+982188776655": true,
		"02188776655": false, "+98912": false, "+1234567": false, "14155550123": false,
		"091212345678": false, "x09121234567": false,
	} {
		add("POST", "send-otp", "SendOtp", `{"cellNumber":"`+number+`"}`, right)
	}
	for change, right := range map[string]bool{
		`{}`: false, `{"firstName":"a"}`: true, `{"firstName":null}`: false, `{"lastName":""}`: false,
		`{"email":null}`: true, `{"email":"a@b.ir"}`: true, `{"email":"a"}`: false,
		`{"cellNumber":"+989121234567"}`: true, `{"cellNumber":"12"}`: false, `{"cellNumber":null}`: false,
	} {
		add("PATCH", "profile", "UpdateProfile", change, right)
	}
	for change, right := range map[string]bool{
		`{}`: false, `{"label":null,"landline":""}`: true, `{"city":"a"}`: true, `{"city":null}`: false,
		`{"address":""}`: false, `{"address":"` + strings.Repeat("ی", 501) + `"}`: false,
		`{"postalCode":5}`: false,
	} {
		add("PATCH", "addresses/7", "UpdateAddress", change, right)
	}
	add("POST", "addresses", "CreateAddress", `{"province":"a","city":"b","address":"c","label":null}`, true)
	add("POST", "addresses", "CreateAddress", `{"province":"a","city":"b"}`, false)
	hold(t, bodies)
}
