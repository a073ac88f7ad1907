package staff_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/app"
	"storefront/internal/content/shopfile"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database"
	"storefront/internal/record"
	"storefront/internal/sale/gatewayaccount"
)

const (
	accountFields = `{ account { id gateway isTest last4 callbackBase active forgotten problem } }`
	addAccount    = `mutation($shop: ID!, $input: GatewayAccountInput!, $currentPassword: String) {
		addGatewayAccount(businessId: $shop, input: $input, currentPassword: $currentPassword) ` + accountFields + ` }`
	switchAccount = `mutation($shop: ID!, $id: ID!, $on: Boolean!, $currentPassword: String) {
		switchGatewayAccount(businessId: $shop, accountId: $id, active: $on, currentPassword: $currentPassword) ` +
		accountFields + ` }`
	forgetAccount = `mutation($shop: ID!, $id: ID!, $force: Boolean!, $currentPassword: String) {
		forgetGatewayAccount(businessId: $shop, accountId: $id, force: $force, currentPassword: $currentPassword) ` +
		accountFields + ` }`
	checkAccount = `mutation($shop: ID!, $id: ID!) {
		checkGatewayAccount(businessId: $shop, accountId: $id) { wrong } }`
	allAccounts = `query($shop: ID!) { gatewayAccounts(businessId: $shop) {
		id gateway isTest last4 callbackBase active forgotten problem } }`

	canary = "canary-merchant-5d1f"
)

type gatewayAccount struct {
	ID, Gateway, Last4, CallbackBase, Problem string
	IsTest, Active, Forgotten                 bool
}

// gateways are the tool shop with two owners, and a gateway that knows every merchant but one.
type gateways struct {
	*shoptest.Crew
	owner, second shoptest.Worker
}

func eachGateways(t *testing.T, f func(t *testing.T, g *gateways)) {
	zibal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		result := `{"result": 203}`
		if bytes.Contains(body, []byte("unknown-merchant")) {
			result = `{"result": 102}`
		}
		_, _ = io.WriteString(w, result)
	}))
	t.Cleanup(zibal.Close)
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		f(t, &gateways{c, c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Tools, record.Owner)})
	}, atZibal(zibal.URL))
}

// atZibal returns the options of a service whose gateway has an address. tools.example passes requests on to it.
func atZibal(address string) func(*app.Options) {
	return func(o *app.Options) {
		o.GatewayURLs, o.ShopSMSInDay = map[string]string{"zibal": address}, 100
		o.Reach = func(_ context.Context, address string) ([]byte, error) {
			path, is := strings.CutPrefix(address, "https://tools.example/")
			if !is {
				return []byte("another site"), nil
			}
			here, err := gatewayaccount.New(gatewayaccount.Options{Key: o.Key})
			if err != nil {
				return nil, err
			}
			w := httptest.NewRecorder()
			here.Marker(w, httptest.NewRequest(http.MethodGet, "/"+path, nil))
			return w.Body.Bytes(), nil
		}
	}
}

func (g *gateways) input(gateway, base string, secrets ...string) map[string]any {
	var list []any
	for i := 0; i < len(secrets); i += 2 {
		list = append(list, map[string]any{"name": secrets[i], "value": secrets[i+1]})
	}
	in := map[string]any{"gateway": gateway, "secrets": list}
	if base != "" {
		in["callbackBase"] = base
	}
	return map[string]any{"shop": g.Tools, "input": in, "currentPassword": shoptest.GoodPassword}
}

// added adds an account of Zibal.
func (g *gateways) added(t testing.TB, merchant string) gatewayAccount {
	t.Helper()
	var got struct {
		AddGatewayAccount struct{ Account gatewayAccount }
	}
	g.owner.Do(t, addAccount, g.input("zibal", "https://tools.example", "merchant", merchant), &got)
	return got.AddGatewayAccount.Account
}

func (g *gateways) of(id string, more ...any) map[string]any {
	of := map[string]any{"shop": g.Tools, "id": id, "currentPassword": shoptest.GoodPassword}
	for i := 0; i < len(more); i += 2 {
		of[more[i].(string)] = more[i+1]
	}
	return of
}

func (g *gateways) all(t testing.TB, who shoptest.Worker) []gatewayAccount {
	t.Helper()
	var got struct{ GatewayAccounts []gatewayAccount }
	who.Do(t, allAccounts, map[string]any{"shop": g.Tools}, &got)
	return got.GatewayAccounts
}

// TestGatewayAccountsAreChecked refuses values that a gateway cannot have, and addresses that do not lead back.
func TestGatewayAccountsAreChecked(t *testing.T) {
	eachGateways(t, func(t *testing.T, g *gateways) {
		const base = "https://tools.example"
		for _, one := range []struct {
			name, wrong string
			input       map[string]any
		}{
			{"an unknown gateway", "input.gateway", g.input("paypal", base, "merchant", "12345")},
			{"without values", "input.secrets", g.input("zibal", base)},
			{"without a value", "input.secrets.webhook_secret",
				g.input("stripe", base, "secret_key", "sk_test_12345678")},
			{"another form", "input.secrets.merchant", g.input("zibal", base, "merchant", "a b")},
			{"an unknown value", "input.secrets.pin", g.input("zibal", base, "merchant", "12345", "pin", "1")},
			{"a value twice", "input.secrets.merchant",
				g.input("zibal", base, "merchant", "12345", "merchant", "12345")},
			{"another choice", "input.secrets.mode", g.input("zarinpal", base,
				"merchant_id", "00000000-0000-4000-8000-000000000000", "mode", "demo")},
			{"no address", "input.callbackBase", g.input("zibal", "", "merchant", "12345")},
			{"by plain http", "input.callbackBase", g.input("zibal", "http://tools.example", "merchant", "12345")},
			{"with a path", "input.callbackBase", g.input("zibal", base+"/pay", "merchant", "12345")},
			{"another shop's domain", "input.callbackBase",
				g.input("zibal", "https://mugs.example", "merchant", "12345")},
			{"a domain of the shop that leads elsewhere", "input.callbackBase",
				g.input("zibal", "https://old.example", "merchant", "12345")},
		} {
			if one.name == "a domain of the shop that leads elsewhere" {
				operator := g.Staff(t, "", record.Operator)
				operator.Do(t, `mutation { addDomainAlias(businessId: "<tenant:tools>", domain: "old.example") {
					shopAccess { domain } } }`, nil, nil)
			}
			got := g.owner.Refused(t, "VALIDATION_FAILED", addAccount, one.input)
			if wrong := shoptest.WrongIn(got); wrong != one.wrong {
				t.Errorf("%s: got %q, want %q", one.name, wrong, one.wrong)
			}
		}
		if got := g.Fetch(t, "GET", "/pay/marker", nil); got.Status != http.StatusNotFound {
			t.Errorf("a marker of nothing: got %d", got.Status)
		}
		if got := g.Fetch(t, "GET", "/pay/marker?of=1", nil); got.Status != 200 || len(got.Body) != 64 {
			t.Errorf("the marker: got %d %s", got.Status, got.Body)
		}
		if n := g.Rows(t, "SELECT count(*) FROM gateway_accounts"); n != 0 {
			t.Errorf("got %d accounts", n)
		}
	})
}

// TestGatewayAccountsNeedAProof changes accounts with and without a password, and with a second factor that was proved
// at once and long ago.
func TestGatewayAccountsNeedAProof(t *testing.T) {
	eachGateways(t, func(t *testing.T, g *gateways) {
		in := g.input("zibal", "https://tools.example", "merchant", canary)
		with := func(password any) map[string]any {
			return map[string]any{"shop": in["shop"], "input": in["input"], "currentPassword": password}
		}
		got := g.owner.Refused(t, "VALIDATION_FAILED", addAccount, with(nil))
		if wrong := shoptest.WrongIn(got); wrong != "currentPassword" {
			t.Errorf("without a password: got %q", wrong)
		}
		g.owner.Refused(t, "CURRENT_PASSWORD_INCORRECT", addAccount, with(shoptest.OtherPassword))
		g.Staff(t, g.Tools, record.Manager).Refused(t, "FORBIDDEN", addAccount, in)
		g.owner.Do(t, addAccount, in, nil)
		id := g.all(t, g.Staff(t, g.Tools, record.Manager))[0].ID
		for document, variables := range map[string]map[string]any{
			switchAccount: g.of(id, "on", true, "currentPassword", nil),
			forgetAccount: g.of(id, "force", true, "currentPassword", nil),
		} {
			g.owner.Refused(t, "VALIDATION_FAILED", document, variables)
		}

		phone, _ := guarded(t, g.Crew, g.owner)
		g.owner.Do(t, switchAccount, g.of(id, "on", true, "currentPassword", nil), nil)
		g.Clock.Pass(5*time.Minute + time.Second)
		g.owner.Refused(t, "SECOND_FACTOR_REQUIRED", switchAccount, g.of(id, "on", false))
		g.owner.Do(t, proveFactor, code(phone.next()), nil)
		g.owner.Do(t, switchAccount, g.of(id, "on", false, "currentPassword", nil), nil)
	})
}

// TestGatewayAccounts adds accounts, switches between them, asks the gateway about them and forgets them.
func TestGatewayAccounts(t *testing.T) {
	eachGateways(t, func(t *testing.T, g *gateways) {
		version := func() int { return g.Rows(t, "SELECT content_version FROM tenants WHERE slug = 'tools'") }
		before := version()
		first := g.added(t, canary)
		want := gatewayAccount{ID: first.ID, Gateway: "zibal", Last4: canary[len(canary)-4:],
			CallbackBase: "https://tools.example"}
		if first != want || version() != before {
			t.Errorf("got %+v, want %+v", first, want)
		}
		for _, owner := range []shoptest.Worker{g.owner, g.second} {
			if text := g.Phones.Text(t, owner.Customer.Cell); !strings.Contains(text, "zibal …"+want.Last4) {
				t.Errorf("the SMS of an owner is %q", text)
			}
		}
		g.owner.Do(t, switchAccount, g.of(first.ID, "on", true), nil)
		g.owner.Do(t, switchAccount, g.of(first.ID, "on", true), nil) // it is on already
		if version() == before || g.Phones.Text(t, g.second.Customer.Cell) == "" {
			t.Error("kept answers and owners do not hear of it")
		}
		second := g.added(t, "zibal")
		g.owner.Do(t, switchAccount, g.of(second.ID, "on", true), nil)
		got := g.all(t, g.owner)
		if len(got) != 2 || !got[0].Active || !got[0].IsTest || got[0].ID != second.ID || got[1].Active {
			t.Errorf("after the second one was switched on: got %+v", got)
		}
		var stripe struct {
			AddGatewayAccount struct{ Account gatewayAccount }
		}
		g.owner.Do(t, addAccount, g.input("stripe", "https://tools.example", "secret_key", "sk_test_12345678",
			"webhook_secret", "whsec_0123456789abcdef0123456789abcdef"), &stripe)
		g.owner.Refused(t, "CONFLICT", switchAccount, g.of(stripe.AddGatewayAccount.Account.ID, "on", true))

		var checked struct{ CheckGatewayAccount struct{ Wrong string } }
		g.owner.Do(t, checkAccount, g.of(second.ID), &checked)
		if checked.CheckGatewayAccount.Wrong != "" {
			t.Errorf("a right account: got %+v", checked)
		}
		g.owner.Do(t, checkAccount, g.of(g.added(t, "unknown-merchant").ID), &checked)
		if !strings.Contains(checked.CheckGatewayAccount.Wrong, "102") {
			t.Errorf("a wrong account: got %+v", checked)
		}

		g.StockedUp(t, "D-13", 11)
		made := g.REST().Shopper(t, 1).Bought(t, "D-13", 1)
		pays := database.Statement(`UPDATE payments SET gateway_account_id = $account, look_at = $now
			WHERE order_id = $order`)
		if _, err := pays.Exec(t.Context(), g.Store.Client.Raw(), database.Values{"now": g.Clock.Now(),
			"account": uuid.MustParse(second.ID), "order": uuid.MustParse(made.ID)}); err != nil {
			t.Fatal(err)
		}
		g.owner.Refused(t, "CONFLICT", forgetAccount, g.of(second.ID, "force", false))
		g.owner.Do(t, forgetAccount, g.of(second.ID, "force", true), nil)
		g.owner.Do(t, forgetAccount, g.of(first.ID, "force", false), nil)
		for _, account := range g.all(t, g.owner)[2:] {
			if !account.Forgotten || account.Active || account.Problem == "" {
				t.Errorf("forgotten: got %+v", account)
			}
			g.owner.Refused(t, "CONFLICT", switchAccount, g.of(account.ID, "on", true))
			g.owner.Refused(t, "CONFLICT", checkAccount, g.of(account.ID))
		}
		other := g.Staff(t, g.Mugs, record.Owner)
		theirs := g.of(first.ID, "on", false, "force", true, "shop", g.Mugs)
		for _, document := range []string{switchAccount, forgetAccount, checkAccount} {
			other.Refused(t, "NOT_FOUND", document, theirs)
		}
		log := dump(t, g.Accounts)["audit_entries"]
		for _, action := range []string{"addGatewayAccount", "switchGatewayAccount", "forgetGatewayAccount"} {
			if !strings.Contains(log, action) {
				t.Errorf("the audit log lacks %s", action)
			}
		}
	})
}

// TestNoCredentialIsShown adds an account, also by a key that is sent again, and searches all that the service writes.
func TestNoCredentialIsShown(t *testing.T) {
	eachGateways(t, func(t *testing.T, g *gateways) {
		in := g.input("zibal", "https://tools.example", "merchant", canary)
		for range 2 {
			g.owner.Keyed(t, "once", addAccount, in)
		}
		g.owner.Refused(t, "VALIDATION_FAILED", addAccount, g.input("zibal", "", "merchant", canary+" "+canary))
		got := g.all(t, g.owner)
		if len(got) != 1 {
			t.Fatalf("got %+v", got)
		}
		g.owner.Do(t, switchAccount, g.of(got[0].ID, "on", true), nil)
		g.owner.Do(t, checkAccount, g.of(got[0].ID), nil)
		if found := traces(dump(t, g.Accounts), canary); found != nil {
			t.Errorf("in the database: %q", found)
		}
		if bytes.Contains(g.Exported(t), []byte(canary[:8])) {
			t.Error("it is in an export")
		}
		if _, _, err := shopfile.Close(t.Context(), g.Store.Client, "tools.example"); err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := shopfile.Export(t.Context(), g.Store, uuid.MustParse(g.Tools), &file); err != nil {
			t.Fatal(err)
		}
		_, table, found := strings.Cut(file.String(), `{"table":"gateway_accounts","columns":[`)
		columns, rows, _ := strings.Cut(table, "\n")
		if !found || strings.Contains(columns, "secrets") || !strings.Contains(rows, got[0].Last4) {
			t.Errorf("the shop's file has %s %.200s", columns, rows)
		}
		g.Stop()
		if strings.Contains(g.Log.String(), canary) {
			t.Error("it is in the log")
		}
	})
}

// TestGatewayAccountsUnderARotatedKey exchanges the signing key: accounts stay usable, and are sealed under the
// new one.
func TestGatewayAccountsUnderARotatedKey(t *testing.T) {
	eachGateways(t, func(t *testing.T, g *gateways) {
		g.added(t, canary)
		under := func(key, other string) *shoptest.Accounts {
			return g.Instance(t, atZibal("http://127.0.0.1:1"), func(o *app.Options) {
				o.Key, o.OtherKey = []byte(strings.Repeat(key, 32)), nil
				if other != "" {
					o.OtherKey = []byte(strings.Repeat(other, 32))
				}
			})
		}
		problem := func(at *shoptest.Accounts) string {
			return g.all(t, another(t, at, g.owner))[0].Problem
		}
		rotated := under("n", "k")
		if got := problem(rotated); got != "" {
			t.Errorf("under both keys: got %q", got)
		}
		if problem(under("n", "")) == "" {
			t.Error("the new key opens what the old one sealed")
		}
		rotated.Service.Sweep(t.Context())
		if got := problem(under("n", "")); got != "" {
			t.Errorf("under the new key: got %q", got)
		}
		if problem(g.Accounts) == "" {
			t.Error("the old key still opens it")
		}
	})
}
