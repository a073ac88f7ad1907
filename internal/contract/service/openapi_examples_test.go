package service_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	experiment "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"storefront/internal/contract/shoptest"
	"storefront/internal/message/partner"
	"storefront/rest"
)

const (
	recorded = "../../pages/openapi/describe/examples" // the examples of the document, one file for each operation

	shopsCart   = "/businesses/<tenant:paperlane>/cart"
	shopsOrders = "/businesses/<tenant:paperlane>/orders"
	shopsLiked  = "/businesses/<tenant:paperlane>/favorites"
)

// TestOpenAPIExamples calls every route of the demo shops, and compares the answers with the examples of
// the OpenAPI document. The routes of an account are called as a new customer. Others that need a customer
// are called as the demo's, whose records have the same ids in every database.
func TestOpenAPIExamples(t *testing.T) {
	t.Parallel()
	shoptest.DemoShops.Each(t, func(t *testing.T, url string) {
		first := &shoptest.Accounts{Clock: shoptest.NewClock(), Phones: shoptest.NewPhones(),
			Key:      bytes.Repeat([]byte("k"), 32),
			Database: url}
		r := &examiner{Accounts: first.Instance(t), made: map[string]string{}, known: map[string]bool{}}
		in := shoptest.WithCustomers(t, r.Store.Client)
		for _, route := range publicRoutes() {
			r.record(t, route.Operation, demoRequests[route.Operation])
		}
		r.signIns(t)
		shoptest.WantStatus(t, r.Send(t, "POST", "/auth/send-otp", shoptest.ToCell(in.Cell)), 200)
		r.access = r.ask(t, `POST /auth/login-otp {"cellNumber":"`+in.Cell+`","code":"`+r.Phones.Code(t,
			in.Cell)+`"}`).
			Text(t, "accessToken")
		r.addresses(t)
		r.purchases(t)
		key, _, err := partner.Add(t.Context(), r.Store.Client, "paperlane.example")
		if err != nil {
			t.Fatal(err)
		}
		r.record(t, "SendPartnerSms", `POST /public/sms/send {"domain":"paperlane.example","to":"09121234567",`+
			`"message":"سفارش شما ارسال شد."}`, "X-Api-Key", key)
		for _, route := range rest.Routes {
			if !r.known[fileOf(route.Operation)] {
				t.Errorf("%s has no example", route.Operation)
			}
		}
		shoptest.NoneLeft(t, recorded, r.known)
	})
}

// signIns records an account.
func (r *examiner) signIns(t *testing.T) {
	const cell = "+989121234567"
	again := func() {
		r.Clock.Pass(5 * time.Minute)
		shoptest.WantStatus(t, r.Send(t, "POST", "/auth/send-otp", shoptest.ToCell(cell)), 200)
		r.secret = r.Phones.Code(t, cell)
	}
	r.record(t, "Register", `POST /auth/register {"cellNumber":"`+cell+
		`","password":"correct horse","firstName":"سارا","lastName":"کریمی","email":"sara@mail.example",`+
		`"domain":"paperlane.example"}`)
	r.record(t, "SendOtp", `POST /auth/send-otp {"cellNumber":"`+cell+`","domain":"paperlane.example"}`)
	r.secret = r.Phones.Code(t, cell)
	r.record(t, "VerifyOtp", `POST /auth/verify-otp {"cellNumber":"`+cell+`","code":"`+r.secret+`"}`)
	again()
	r.record(t, "LoginOtp", `POST /auth/login-otp {"cellNumber":"`+cell+`","code":"`+r.secret+`"}`)
	again()
	r.record(t, "ResetPassword", `POST /auth/reset-password {"cellNumber":"`+cell+`","code":"`+r.secret+
		`","newPassword":"correct horse"}`)
	old := r.record(t, "Login", `POST /auth/login {"cellNumber":"`+cell+`","password":"correct horse"}`)
	r.access = old.Text(t, "accessToken")
	r.record(t, "RefreshTokens", `POST /auth/refresh {"refreshToken":"`+old.Text(t, "refreshToken")+`"}`)
	r.record(t, "Me", "GET /auth/me")
	r.record(t, "UpdateProfile", `PATCH /auth/profile {"lastName":"کریمی نژاد","email":null}`)
	r.record(t, "ChangePassword", `POST /auth/change-password {"currentPassword":"correct horse",`+
		`"newPassword":"battery staple"}`)
}

// addresses records the addresses of the demo's customer.
func (r *examiner) addresses(t *testing.T) {
	address := "/auth/addresses/" + r.record(t, "Addresses", "GET /auth/addresses").Text(t, "items.0.id")
	r.record(t, "CreateAddress", `POST /auth/addresses {"label":"خانه","province":"تهران","city":"تهران",`+
		`"address":"خیابان ولیعصر، پلاک ۱۲","postalCode":"1415895411","landline":"02188123456"}`)
	r.record(t, "UpdateAddress", "PATCH "+address+` {"address":"خیابان ولیعصر، پلاک ۱۴","label":null}`)
	r.record(t, "DeleteAddress", "DELETE "+address)
}

// purchases records a cart, an order and favorites of the demo's customer.
func (r *examiner) purchases(t *testing.T) {
	const liked = "<paperlane:product:letters-from-shiraz>"
	line := shopsCart + "/items/" + r.record(t, "Cart", "GET "+shopsCart).Text(t, "cart.items.0.id")
	r.record(t, "UpdateCartItem", "PATCH "+line+` {"quantity":1}`)
	r.record(t, "RemoveCartItem", "DELETE "+line)
	r.record(t, "ClearCart", "DELETE "+shopsCart)
	r.record(t, "AddCartItem", "POST "+shopsCart+
		`/items {"storeItemVariantId":"<paperlane:variant:PL-1000-01>","quantity":2}`)
	order := r.record(t, "Orders", "GET "+shopsOrders+"?page=1&pageSize=12").Text(t, "items.0.id")
	r.record(t, "Order", "GET "+shopsOrders+"/"+order)
	r.record(t, "Checkout", "POST "+shopsCart+`/checkout {"shippingAddress":{"province":"تهران",`+
		`"city":"تهران","address":"خیابان ولیعصر، پلاک ۱۲","postalCode":"1415895411"},`+
		`"customerNotes":"لطفاً عصر بفرستید","payment":{"type":"cash"}}`)
	r.record(t, "Favorites", "GET "+shopsLiked)
	r.record(t, "AddFavorite", "POST "+shopsLiked+` {"productId":"`+liked+`"}`)
	r.record(t, "RemoveFavorite", "DELETE "+shopsLiked+"/"+liked)
}

// examiner records examples.
type examiner struct {
	*shoptest.Accounts
	access string            // token of the customer; empty before there is one
	secret string            // the code that was sent last
	made   map[string]string // ids in examples, by the generated ids they replace
	known  map[string]bool   // files that were compared
}

func fileOf(operation string) string { return recorded + "/" + operation + ".json" }

// ask sends a request as the customer.
func (r *examiner) ask(t testing.TB, request string, headers ...string) shoptest.Answer {
	t.Helper()
	method, after, _ := strings.Cut(r.Named(t, request), " ")
	path, body, _ := strings.Cut(after, " ")
	if r.access != "" {
		headers = append(headers, "Authorization", "Bearer "+r.access)
	}
	return r.Send(t, method, shoptest.Ascii(path), body, headers...)
}

// record sends the request of an operation, written as in a step, and compares the answer with its example.
func (r *examiner) record(t *testing.T, operation, request string, headers ...string) shoptest.Answer {
	t.Helper()
	route := shoptest.RouteNamed(t, operation)
	got := r.ask(t, request, headers...)
	if got.Status != route.Status {
		t.Fatalf("%s: got status %d: %s", request, got.Status, got.Body)
	}
	_, documents := shoptest.Operations(t)
	asked := r.Named(t, request)
	example := struct {
		Parameters map[string]any `json:"parameters,omitempty"`
		Request    jsontext.Value `json:"request,omitzero"`
		Response   jsontext.Value `json:"response"`
	}{Parameters: map[string]any{}, Response: shortened(t, got.Body)}
	for name, value := range inPlace(t, route, asked) {
		if of := documents.Operations.ForName(operation).VariableDefinitions.ForName(name); of != nil {
			example.Parameters[name] = typed(value, of.Type.NamedType)
		}
	}
	if _, body, found := strings.Cut(asked, " {"); found {
		example.Request = jsontext.Value("{" + body)
	}
	text, err := experiment.Marshal(example, jsontext.WithIndent("  "), experiment.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	r.known[fileOf(operation)] = true
	shoptest.Compare(t, shoptest.Step{Name: operation, Request: request}, fileOf(operation),
		append(r.anonymous(t, operation, text), '\n'))
	return got
}

var (
	refreshMember = regexp.MustCompile(`("refreshToken": )"[\w-]{75}"`)
	unnamed       = regexp.MustCompile(`:(comment|review):`) // many have one author
)

// stable begins the ids that the demo's records have in every database (record.StableID).
const stable = "00000000-"

// anonymous replaces generated values (ids, codes, tokens, order numbers and times of import) by constants.
func (r *examiner) anonymous(t *testing.T, operation string, text []byte) []byte {
	t.Helper()
	count := 0
	text = shoptest.ID.ReplaceAllFunc(text, func(found []byte) []byte {
		if bytes.HasPrefix(found, []byte(stable)) {
			return found
		}
		if r.made[string(found)] == "" {
			name := r.Names.Of[string(found)]
			if count++; name == "" || unnamed.MatchString(name) {
				name = fmt.Sprintf("%s %d", operation, count)
			}
			r.made[string(found)] = uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String()
		}
		return []byte(r.made[string(found)])
	})
	text = shoptest.JWTForm.ReplaceAll(text, []byte(`"eyJhbGciOiJIUzI1NiJ9…"`))
	text = refreshMember.ReplaceAll(text, []byte(`$1"vF3mX0qYk7Zr2Tn8…"`))
	text = shoptest.OrderNumber.ReplaceAll(text, []byte(`"orderNumber": "K7M2QX4P"`))
	if r.secret != "" {
		text = bytes.ReplaceAll(text, []byte(`"`+r.secret+`"`), []byte(`"123456"`))
	}
	return []byte(strings.ReplaceAll(shoptest.WithoutNow(string(text)), "<now>", shoptest.Today.Format(time.RFC3339)))
}

// shortened returns JSON with one item in each list, and with long texts cut.
func shortened(t testing.TB, text []byte) jsontext.Value {
	t.Helper()
	var short bytes.Buffer
	if err := shorten(jsontext.NewDecoder(bytes.NewReader(text)), jsontext.NewEncoder(&short)); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return short.Bytes()
}

func shorten(from *jsontext.Decoder, to *jsontext.Encoder) error {
	begin := from.PeekKind()
	if begin != '{' && begin != '[' {
		value, err := from.ReadValue()
		if err != nil {
			return err
		}
		if begin == '"' {
			var whole string
			if err := json.Unmarshal(value, &whole); err != nil {
				return err
			}
			return to.WriteToken(jsontext.String(opening(whole)))
		}
		return to.WriteValue(value)
	}
	if err := pass(from, to); err != nil {
		return err
	}
	for n := 0; from.PeekKind() != '}' && from.PeekKind() != ']'; n++ {
		if begin == '[' && n > 0 {
			if err := from.SkipValue(); err != nil {
				return err
			}
		} else if begin == '{' {
			if err := pass(from, to); err != nil { // the name
				return err
			}
			if err := shorten(from, to); err != nil {
				return err
			}
		} else if err := shorten(from, to); err != nil {
			return err
		}
	}
	return pass(from, to)
}

// pass copies one token.
func pass(from *jsontext.Decoder, to *jsontext.Encoder) error {
	token, err := from.ReadToken()
	if err != nil {
		return err
	}
	return to.WriteToken(token)
}

// opening returns the beginning of a long text, up to the end of a word.
func opening(whole string) string {
	const most = 120 // code points
	runes := []rune(whole)
	if len(runes) <= most {
		return whole
	}
	if end := strings.LastIndex(string(runes[:most]), " "); end > 0 {
		return whole[:end] + " …"
	}
	return whole // an address is useless if it is cut
}
