package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"storefront/ent/user"
	"storefront/internal/app"
	"storefront/internal/content/bundle"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/platform/password"
	"storefront/internal/testkit/testdb"
)

// installation is a service over a database, for requests of a test.
type installation struct {
	settings
	store *store.Store
	http.Handler
}

// installed opens the service over a database.
func installed(t testing.TB, database string) *installation {
	t.Helper()
	opened := storetest.Open(t, database)
	return &installation{on(database), opened, serviceOver(t, opened, cheapPasswords)}
}

// serviceOver returns a service that reads passwords of a cost.
func serviceOver(t testing.TB, opened *store.Store, cost password.Cost) http.Handler {
	t.Helper()
	service, err := app.New(opened, slog.New(slog.NewTextHandler(io.Discard, nil)),
		app.Options{Settings: app.Settings{CacheSize: 1 << 20}, PasswordCost: cost})
	if err != nil {
		t.Fatal(err)
	}
	return service
}

// ask sends a request with the members of a body, and returns the answer.
func (i *installation) ask(method, path, token string, body any) (status int, header http.Header, text string) {
	sent, _ := json.Marshal(body)
	r := httptest.NewRequest(method, path, strings.NewReader(string(sent)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	i.ServeHTTP(w, r)
	return w.Code, w.Header(), w.Body.String()
}

// shown returns public answers of a shop.
func (i *installation) shown(t testing.TB, domain string) (all string) {
	t.Helper()
	for _, path := range []string{"", "/website/business-info", "/website/sliders", "/website/category-groups",
		"/website/brand-groups", "/store-specials", "/categories", "/categories?entityType=blog",
		"/products?pageSize=100", "/products?name=drill", "/user-products?pageSize=100", "/blogs", "/portfolios",
		"/store-items?pageSize=100"} {
		status, _, text := i.ask("GET", "/api/v1/tenants/"+domain+path, "", nil)
		if status != http.StatusOK {
			t.Fatalf("%s%s: %d %s", domain, path, status, text)
		}
		all += path + " " + text + "\n"
	}
	return all
}

// closedBundle is content of the machine shop.
const closedBundle = `{"format": "storefront-bundle/1", "tenant": {"domain": "` + machineShop + `"}}`

// cheapPasswords is the cost of the tests' password hashes.
var cheapPasswords = password.Cost{Memory: 64, Passes: 1}

const (
	mover         = "+989120000001" // a customer of every demo shop
	moverPassword = "correct horse battery"
)

// signedIn signs in the customer and returns the access token.
func (i *installation) signedIn(t testing.TB, cell, password string) (token string) {
	t.Helper()
	status, _, text := i.ask("POST", "/api/v1/auth/login", "", map[string]any{"cellNumber": cell, "password": password})
	var answer struct{ AccessToken string }
	if err := json.Unmarshal([]byte(text), &answer); err != nil || status != http.StatusOK {
		t.Fatalf("sign in as %s: %d %s", cell, status, text)
	}
	return answer.AccessToken
}

// withPassword gives the customer a password.
func (i *installation) withPassword(t testing.TB, words string) {
	t.Helper()
	hash, err := password.NewHasher(cheapPasswords).Hash(t.Context(), words)
	if err != nil {
		t.Fatal(err)
	}
	n, err := i.store.Client.User.Update().Where(user.CellNumber(mover)).SetPasswordHash(hash).Save(t.Context())
	if err != nil || n != 1 {
		t.Fatalf("%d accounts got a password (%v)", n, err)
	}
}

// shopID returns the id of the machine shop.
func (i *installation) shopID(t testing.TB) string {
	t.Helper()
	_, _, text := i.ask("GET", "/api/v1/tenants/"+machineShop, "", nil)
	var shop struct{ ID string }
	if err := json.Unmarshal([]byte(text), &shop); err != nil || shop.ID == "" {
		t.Fatalf("the shop: %s", text)
	}
	return shop.ID
}

// ordersOf returns the orders of a customer.
func (i *installation) ordersOf(t testing.TB, shop, token string) (text string, numbers []string) {
	t.Helper()
	status, _, text := i.ask("GET", "/api/v1/businesses/"+shop+"/orders?pageSize=100", token, nil)
	var list struct {
		Items []struct{ OrderNumber string }
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil || status != http.StatusOK {
		t.Fatalf("the orders: %d %s", status, text)
	}
	for _, one := range list.Items {
		numbers = append(numbers, one.OrderNumber)
	}
	return text, numbers
}

// settled adds to the machine shop what the demo lacks: staff with their entries of the audit log, and a
// webhook.
func (i *installation) settled(t testing.TB, shop, token string) {
	t.Helper()
	i.succeed(t, "staff", "add", machineShop, mover, "owner")
	_, _, text := i.ask("POST", "/graphql", token, map[string]any{
		"query": `mutation($shop: ID!) { addWebhook(businessId: $shop,
			input: { url: "https://hooks.shop.example/", events: [order_placed] }) { secret } }`,
		"variables": map[string]any{"shop": shop},
	})
	if !strings.Contains(text, "whsec_") {
		t.Fatalf("add a webhook: %s", text)
	}
}

// lines returns the lines of a file, without those that a move itself changes: the header, the checksum, the
// shop's row and the audit entries of moves. JSON is normalized.
func lines(t testing.TB, path string) (all []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v (%v), want 0600", info.Mode(), err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, `{"format"`) || strings.HasPrefix(line, `{"end"`) ||
			strings.Contains(line, `"`+machineShop+`"`) {
			continue
		}
		var row []any
		if json.Unmarshal([]byte(line), &row) != nil {
			all = append(all, line)
			continue
		}
		for j, value := range row {
			var inner any
			if text, is := value.(string); is && strings.ContainsAny(text[:min(1, len(text))], `{[`) &&
				json.Unmarshal([]byte(text), &inner) == nil {
				row[j] = inner
			}
		}
		written, _ := json.Marshal(row)
		all = append(all, string(written))
	}
	return all
}

// eachWay runs f with a database of the demo and one of another shop, for each pair of kinds of databases.
func eachWay(t *testing.T, f func(t *testing.T, from, to *installation)) {
	t.Helper()
	t.Parallel()
	each(t, []string{"sqlite", "postgres"}, []string{"sqlite", "postgres"}, f)
}

// eachTarget runs f with a target of each kind.
func eachTarget(t *testing.T, f func(t *testing.T, from, to *installation)) {
	t.Helper()
	t.Parallel()
	each(t, []string{"sqlite"}, []string{"sqlite", "postgres"}, f)
}

func each(t *testing.T, sources, targets []string, f func(t *testing.T, from, to *installation)) {
	t.Helper()
	for _, source := range sources {
		for _, target := range targets {
			if testing.Short() && source+target != "sqlitesqlite" {
				continue
			}
			t.Run(source+" to "+target, func(t *testing.T) {
				from, to := installed(t, copyOf(t, withOrders, source)), installed(t, copyOf(t, small, target))
				from.settings["SMS_PROVIDER"], to.settings["SMS_PROVIDER"] = "log", "log"
				f(t, from, to)
			})
		}
	}
}

func copyOf(t testing.TB, of *testdb.Template, kind string) (database string) {
	if kind == "sqlite" {
		return of.SQLite(t)
	}
	return of.Postgres(t)
}

// small is a database with another shop.
var small = storetest.NewTemplate(func(ctx context.Context, s *store.Store) error {
	_, err := bundle.Import(ctx, s, bundle.Bytes([]byte(smallBundle)), nil)
	return err
})
