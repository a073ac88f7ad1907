package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"storefront/ent/user"
	"storefront/internal/app"
	"storefront/internal/bundle"
	"storefront/internal/derive"
	"storefront/internal/password"
	"storefront/internal/shopfile"
	"storefront/internal/store"
	"storefront/internal/tenancy"
	"storefront/internal/testdb"
)

// installation is a service over a database, which a test asks by HTTP.
type installation struct {
	settings
	store *store.Store
	http.Handler
}

// installed opens the service over a database.
func installed(t testing.TB, database string) *installation {
	t.Helper()
	opened, err := store.Open(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	service, err := app.New(opened, slog.New(slog.NewTextHandler(io.Discard, nil)),
		app.Options{CacheSize: 1 << 20, PasswordCost: cheapPasswords})
	if err != nil {
		t.Fatal(err)
	}
	return &installation{on(database), opened, service}
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

// shown are public answers of a shop, as they are.
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

// signedIn signs the customer in.
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

// shopID is the id of the machine shop.
func (i *installation) shopID(t testing.TB) string {
	t.Helper()
	_, _, text := i.ask("GET", "/api/v1/tenants/"+machineShop, "", nil)
	var shop struct{ ID string }
	if err := json.Unmarshal([]byte(text), &shop); err != nil || shop.ID == "" {
		t.Fatalf("the shop: %s", text)
	}
	return shop.ID
}

// ordersOf are the orders of a customer.
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

// settled gives the machine shop what the demo lacks: staff with their entries of the audit log, and a webhook.
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

// lines are those of a file, without what a move itself changes: the header, the checksum, the shop's row and the
// entries of the audit log that tell of moves. JSON is as Go writes it.
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
				f(t, installed(t, copyOf(t, withOrders, source)), installed(t, copyOf(t, small, target)))
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
var small = testdb.NewTemplate(func(ctx context.Context, url string) error {
	s, err := store.Open(ctx, url)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Migrate(ctx); err != nil {
		return err
	}
	_, err = bundle.Import(ctx, s, bundle.Bytes([]byte(smallBundle)), nil)
	return err
})

func TestShopMoves(t *testing.T) {
	eachWay(t, func(t *testing.T, from, to *installation) {
		from.withPassword(t, moverPassword)
		token := from.signedIn(t, mover, moverPassword)
		shop := from.shopID(t)
		from.settled(t, shop, token)
		shown, others := from.shown(t, machineShop), from.shown(t, "paperlane.example")
		there := to.shown(t, "small.example")
		orders, numbers := from.ordersOf(t, shop, token)
		file := filepath.Join(t.TempDir(), "shop.jsonl")
		from.succeed(t, "shop", "export", "-now", machineShop, file)

		// The source is closed for what names the shop by its domain and by its id.
		at := installed(t, from.settings["DATABASE_URL"]) // one that has not seen it open
		tokens := map[*installation]string{from: token, at: at.signedIn(t, mover, moverPassword)}
		for _, path := range []string{"tenants/" + machineShop, "tenants/" + machineShop + "/products",
			"businesses/" + shop + "/cart", "businesses/" + shop + "/orders"} {
			here := from
			if strings.HasSuffix(path, "/cart") { // one that has seen it open within the last second may not know
				here = at
			}
			status, header, text := here.ask("GET", "/api/v1/"+path, tokens[here], nil)
			if status != http.StatusServiceUnavailable || !strings.Contains(text, `"SHOP_CLOSED"`) ||
				header.Get("Retry-After") != "60" {
				t.Errorf("%s at the closed shop: %d, %q, %s", path, status, header.Get("Retry-After"), text)
			}
		}
		from.refuse(t, []string{"import", write(t, "bundle.json", closedBundle)}, "closed")
		from.refuse(t, []string{"order", "move", machineShop, numbers[0], "delivered"}, "closed")
		from.refuse(t, []string{"staff", "remove", machineShop, mover}, "closed")
		if now := from.shown(t, "paperlane.example"); now != others {
			t.Error("another shop of the source answers otherwise")
		}

		told := to.succeed(t, "shop", "import", file)
		if !strings.Contains(told, machineShop+" is tenant "+shop+", open, checked") ||
			!strings.Contains(told, " 60 persons new here, 0 known here") {
			t.Errorf("the import says %s", told)
		}
		if now := to.shown(t, machineShop); now != shown {
			at := firstDifference(now, shown)
			t.Errorf("the shop answers otherwise: got %.200s, want %.200s", now[at:], shown[at:])
		}
		if now := to.shown(t, "small.example"); now != there {
			t.Error("another shop of the target answers otherwise")
		}
		token = to.signedIn(t, mover, moverPassword)
		if now, _ := to.ordersOf(t, shop, token); now != orders {
			t.Errorf("the customer sees other orders: got %.300s, want %.300s", now, orders)
		}
		for _, entry := range []string{"addStaff", "addWebhook", "closeShop", "importShop"} {
			if log := to.succeed(t, "audit", machineShop); !strings.Contains(log, entry) {
				t.Errorf("the audit log lacks %s:\n%s", entry, log)
			}
		}
		to.refuse(t, []string{"shop", "import", file}, "here already")
		from.refuse(t, []string{"shop", "import", file}, "here already")

		number := to.buys(t, shop, token)
		if slices.Contains(numbers, number) || number == "" {
			t.Errorf("the next order has the number %q; there were %v", number, numbers)
		}
		from.succeed(t, "shop", "open", machineShop)
		if now := from.shown(t, machineShop); now != shown {
			t.Error("the shop that was opened again answers otherwise")
		}
	})
}

// TestShopMovesWhole compares what the source and the target write out.
func TestShopMovesWhole(t *testing.T) {
	eachWay(t, func(t *testing.T, from, to *installation) {
		first, second := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "second")
		from.succeed(t, "shop", "export", "-now", machineShop, first)
		to.succeed(t, "shop", "import", first)
		to.succeed(t, "shop", "export", "-now", machineShop, second)
		want, got := lines(t, first), lines(t, second)
		if len(got) < 1000 || len(got) != len(want) {
			t.Fatalf("got %d lines, want %d", len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("line %d:\ngot  %.300s\nwant %.300s", i, got[i], want[i])
			}
		}
	})
}

// buys buys the first thing on sale in the machine shop, and returns the number of the order.
func (i *installation) buys(t testing.TB, shop, token string) (number string) {
	t.Helper()
	_, _, text := i.ask("GET", "/api/v1/tenants/"+machineShop+"/store-items?pageSize=100", "", nil)
	var list struct {
		Items []struct {
			ID            string
			StockQuantity *int
			InStock       bool
		}
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	base := "/api/v1/businesses/" + shop + "/cart"
	if status, _, text := i.ask("DELETE", base, token, nil); status != http.StatusOK {
		t.Fatalf("empty the cart: %d %s", status, text)
	}
	for _, item := range list.Items {
		line := map[string]any{"storeItemVariantId": item.ID, "quantity": 1}
		status, _, _ := i.ask("POST", base+"/items", token, line)
		if status == http.StatusCreated {
			break
		}
	}
	status, _, text := i.ask("POST", base+"/checkout", token, map[string]any{
		"shippingAddress": map[string]any{"province": "Tehran", "city": "Tehran", "address": "12 Enghelab Street"},
		"payment":         map[string]any{"type": "cash"},
	})
	var made struct {
		OrderNumber string
		Order       struct{ OrderNumber string }
	}
	if err := json.Unmarshal([]byte(text), &made); err != nil || status != http.StatusCreated {
		t.Fatalf("check out: %d %s", status, text)
	}
	return made.OrderNumber + made.Order.OrderNumber
}

// TestShopFileIsRefused imports files that are cut off, changed or of another version: nothing is written.
func TestShopFileIsRefused(t *testing.T) {
	eachTarget(t, func(t *testing.T, from, to *installation) {
		file := filepath.Join(t.TempDir(), "shop.jsonl")
		from.succeed(t, "shop", "export", "-now", machineShop, file)
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(whole)
		end := strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n") + 1
		for name, c := range map[string]struct{ text, words string }{
			"empty":    {"", "cut off"},
			"header":   {text[:strings.Index(text, "\n")+1], "cut off"},
			"half":     {text[:len(text)/2], "cut off"},
			"no end":   {text[:end], "cut off"},
			"last":     {strings.TrimSuffix(text, "\n"), "cut off"},
			"changed":  {strings.Replace(text, "+989120000002", "+989120000999", 1), "cut off or damaged"},
			"longer":   {text + "[]\n", "behind its end"},
			"bundle":   {smallBundle, "no file of"},
			"migrated": {strings.Replace(text, `"migration":"2026`, `"migration":"2027`, 1), "same version"},
			"figures":  {strings.Replace(text, `"products":`, `"products":1`, 1), "nothing is kept: rows of products"},
		} {
			t.Run(name, func(t *testing.T) {
				to.refuse(t, []string{"shop", "import", write(t, "shop.jsonl", c.text)}, c.words)
			})
		}
		if list := to.succeed(t, "tenant", "list"); strings.Contains(list, machineShop) {
			t.Errorf("a file that was refused left a shop:\n%s", list)
		}
		if n, err := to.store.Client.User.Query().Count(t.Context()); err != nil || n != 0 {
			t.Errorf("files that were refused left %d accounts (%v)", n, err)
		}
		to.succeed(t, "tenant", "add", machineShop, "Another", "دیگر")
		to.refuse(t, []string{"shop", "import", file}, "another shop with the domain")
	})
}

// TestShopMovesToKnownPersons moves a shop to an installation that knows one of its customers.
func TestShopMovesToKnownPersons(t *testing.T) {
	for name, c := range map[string]struct {
		vouched, vouchedHere bool
		flags                []string
		refused              string
		password             string // that signs in afterwards
	}{
		"proven in both places":  {vouched: true, vouchedHere: true, password: "the one of here"},
		"proven by the file":     {vouched: true, password: moverPassword},
		"not proven by the file": {vouchedHere: true, refused: "-unproven"},
		"taken by the operator":  {vouchedHere: true, flags: []string{"-unproven"}, password: "the one of here"},
	} {
		t.Run(name, func(t *testing.T) {
			eachTarget(t, func(t *testing.T, from, to *installation) {
				from.withPassword(t, moverPassword)
				token := from.signedIn(t, mover, moverPassword)
				shop := from.shopID(t)
				orders, _ := from.ordersOf(t, shop, token)
				from.vouched(t, c.vouched)
				here, err := to.store.Client.User.Create().SetCellNumber(mover).SetFirstName("Known").
					SetVouched(c.vouchedHere).Save(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				to.withPassword(t, "the one of here")
				stays := to.signedIn(t, mover, "the one of here")
				file := filepath.Join(t.TempDir(), "shop.jsonl")
				from.succeed(t, "shop", "export", "-now", machineShop, file)
				args := append(append([]string{"shop", "import"}, c.flags...), file)
				if c.refused != "" {
					to.refuse(t, args, c.refused, "1 persons")
					return
				}
				if told := to.succeed(t, args...); !strings.Contains(told, "59 persons new here, 1 known here") {
					t.Errorf("the import says %s", told)
				}
				if now, _ := to.ordersOf(t, shop, to.signedIn(t, mover, c.password)); now != orders {
					t.Errorf("the customer sees other orders: got %.300s, want %.300s", now, orders)
				}
				if _, err := to.store.Client.User.Get(t.Context(), here.ID); err != nil {
					t.Errorf("the account is another one: %v", err)
				}
				status, _, text := to.ask("GET", "/api/v1/auth/me", stays, nil)
				want := map[bool]int{true: http.StatusOK, false: http.StatusUnauthorized}[c.vouchedHere]
				if status != want {
					t.Errorf("the session of before: %d %s, want %d", status, text, want)
				}
			})
		})
	}
}

func (i *installation) vouched(t testing.TB, is bool) {
	t.Helper()
	if err := i.store.Client.User.Update().Where(user.CellNumber(mover)).SetVouched(is).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestShopMeetsAnotherAccount moves a shop whose customer has the id of somebody else where it arrives.
func TestShopMeetsAnotherAccount(t *testing.T) {
	eachTarget(t, func(t *testing.T, from, to *installation) {
		who, err := from.store.Client.User.Query().Where(user.CellNumber(mover)).Only(t.Context())
		if err == nil {
			err = to.store.Client.User.Create().SetID(who.ID).SetCellNumber("+989129999999").Exec(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "shop.jsonl")
		from.succeed(t, "shop", "export", "-now", machineShop, file)
		to.refuse(t, []string{"shop", "import", file}, fmt.Sprint(who.ID), "another cell number")
	})
}

func TestShopWords(t *testing.T) {
	eachEmpty(t, func(t *testing.T, database string) {
		s := on(database)
		s.succeed(t, "tenant", "add", "lamps.example", "Lamps", "چراغ")
		for _, state := range []string{"closed", "closed already"} {
			if out := s.succeed(t, "shop", "close", "lamps.example"); out != "lamps.example is "+state+"\n" {
				t.Errorf("close: %q", out)
			}
		}
		for _, state := range []string{"open", "open already"} {
			if out := s.succeed(t, "shop", "open", "lamps.example"); out != "lamps.example is "+state+"\n" {
				t.Errorf("open: %q", out)
			}
		}
		for _, args := range [][]string{
			{"shop"}, {"shop", "close"}, {"shop", "export", "lamps.example"}, {"shop", "sell", "x"},
		} {
			s.refuse(t, args, "say what to do")
		}
		s.refuse(t, []string{"shop", "close", "none.example"}, "no tenant none.example")
		s.refuse(t, []string{"shop", "export", "none.example", "-"}, "no tenant none.example")
		s.refuse(t, []string{"shop", "import", filepath.Join(t.TempDir(), "none")}, "none")
		out := s.succeed(t, "shop", "export", "-now", "lamps.example", "-")
		if !strings.HasPrefix(out, `{"format":"storefront-shop/1"`) || !strings.Contains(out, "\n{\"end\":") {
			t.Errorf("a file on standard output: %.200s", out)
		}
	})
}

// forged is a file with other rows, whose figures and checksum are right nevertheless.
func forged(t testing.TB, text string, change func(table string, row []any) []any) string {
	t.Helper()
	var lines []string
	table := ""
	for line := range strings.Lines(text) {
		var section struct{ Table string }
		var row []any
		switch {
		case strings.HasPrefix(line, `{"end"`):
			sum := sha256.Sum256([]byte(strings.Join(lines, "")))
			at := strings.Index(line, `"sha256":"`) + len(`"sha256":"`)
			line = line[:at] + hex.EncodeToString(sum[:]) + line[at+64:]
		case json.Unmarshal([]byte(line), &section) == nil:
			table = section.Table
		case json.Unmarshal([]byte(line), &row) == nil:
			changed, err := json.Marshal(change(table, row))
			if err != nil {
				t.Fatal(err)
			}
			line = string(changed) + "\n"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "")
}

// TestShopFileOfAnEnemy imports files that would write more than their own shop: to another shop, to the service, or to
// persons and records that the file does not have.
func TestShopFileOfAnEnemy(t *testing.T) {
	eachTarget(t, func(t *testing.T, from, to *installation) {
		from.succeed(t, "staff", "add", "-unproven", machineShop, mover, "owner")
		shop := from.shopID(t)
		file := filepath.Join(t.TempDir(), "shop.jsonl")
		from.succeed(t, "shop", "export", "-now", machineShop, file)
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		victim, err := to.store.Client.Tenant.Query().Only(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		stranger, err := to.store.Client.User.Create().SetCellNumber("+989129999999").Save(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := to.store.Client.Category.Create().SetTenantID(victim.ID).SetEntityType("product").
			SetSlug("theirs").SetName("Theirs").SetNameFa("آنها").
			Save(derive.Alone(tenancy.In(t.Context(), victim.ID)))
		if err != nil {
			t.Fatal(err)
		}
		who, err := from.store.Client.User.Query().Where(user.CellNumber(mover)).Only(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		// swap writes another value for one, in the rows of one table.
		swap := func(of, was string, is any) func(string, []any) []any {
			return func(table string, row []any) []any {
				for i := range row {
					if table == of && row[i] == was {
						row[i] = is
					}
				}
				return row
			}
		}
		category, categories := "", map[any]bool{}
		forged(t, string(whole), func(table string, row []any) []any {
			if table == "categories" {
				categories[row[0]] = true
			}
			for _, value := range row {
				if table == "products" && value != nil && categories[value] {
					category = value.(string)
				}
			}
			return row
		})
		for name, c := range map[string]struct {
			change func(string, []any) []any
			words  string
		}{
			"operator":      {swap("staff_members", shop, nil), "not the shop of the file"},
			"another staff": {swap("staff_members", shop, victim.ID.String()), "not the shop of the file"},
			"log":           {swap("audit_entries", shop, nil), "not the shop of the file"},
			"person":        {swap("memberships", who.ID.String(), stranger.ID.String()), "no person of the file"},
			"category":      {swap("products", category, theirs.ID.String()), "another shop's"},
		} {
			t.Run(name, func(t *testing.T) {
				changed := forged(t, string(whole), c.change)
				if changed == forged(t, string(whole), func(_ string, row []any) []any { return row }) {
					t.Fatal("the file is not changed")
				}
				to.refuse(t, []string{"shop", "import", write(t, "shop.jsonl", changed)}, c.words)
			})
		}
	})
}

// TestShopFileGivesNoRoles moves a shop to an installation where an account that nobody has proved has a role.
func TestShopFileGivesNoRoles(t *testing.T) {
	eachTarget(t, func(t *testing.T, from, to *installation) {
		from.withPassword(t, moverPassword)
		from.vouched(t, true)
		if err := to.store.Client.User.Create().SetCellNumber(mover).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		to.withPassword(t, "the one of here")
		to.succeed(t, "staff", "add", "-unproven", "small.example", mover, "owner")
		file := filepath.Join(t.TempDir(), "shop.jsonl")
		from.succeed(t, "shop", "export", "-now", machineShop, file)
		to.refuse(t, []string{"shop", "import", file}, "-unproven", "1 persons")
		to.succeed(t, "shop", "import", "-unproven", file)
		to.signedIn(t, mover, "the one of here")
	})
}

// TestExportWaitsForImports exports a shop while a bundle is loaded into it.
func TestExportWaitsForImports(t *testing.T) {
	eachTarget(t, func(t *testing.T, _, to *installation) {
		shop, _, err := shopfile.Close(t.Context(), to.store.Client, "small.example")
		if err != nil {
			t.Fatal(err)
		}
		unlock, err := to.store.Lock(t.Context(), "import small.example")
		if err != nil {
			t.Fatal(err)
		}
		defer unlock()
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, stop)
		if _, err := shopfile.Export(ctx, to.store, shop.ID, io.Discard); !errors.Is(err, context.Canceled) {
			t.Errorf("the export does not wait: %v", err)
		}
	})
}
