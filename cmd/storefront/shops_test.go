package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/accesstoken"
	"storefront/ent/user"
	"storefront/internal/platform/password"
	"storefront/internal/record"
)

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

		// The source is closed for requests by the shop's domain and by its id.
		at := installed(t, from.settings["DATABASE_URL"]) // a server that has not cached the open shop
		tokens := map[*installation]string{from: token, at: at.signedIn(t, mover, moverPassword)}
		for _, path := range []string{"tenants/" + machineShop, "tenants/" + machineShop + "/products",
			"businesses/" + shop + "/cart", "businesses/" + shop + "/orders"} {
			here := from
			if strings.HasSuffix(path, "/cart") { // a server may have cached the open shop within the last second
				here = at
			}
			status, header, text := here.ask("GET", "/api/v1/"+path, tokens[here], nil)
			if status != http.StatusServiceUnavailable || !strings.Contains(text, `"SHOP_CLOSED"`) ||
				header.Get("Retry-After") != "60" {
				t.Errorf("%s at the closed shop: %d, %q, %s", path, status, header.Get("Retry-After"), text)
			}
		}
		from.refuse(t, []string{"import", write(t, "bundle.json", closedBundle)}, "locked")
		from.refuse(t, []string{"graphql", "-domain", machineShop, "{ staffShop { name } }"}, "SHOP_CLOSED")
		from.refuse(t, []string{"staff", "remove", machineShop, mover}, "closed")
		if now := from.shown(t, "paperlane.example"); now != others {
			t.Error("another shop of the source answers otherwise")
		}

		told := to.succeed(t, "shop", "import", file)
		if !strings.Contains(told, machineShop+" is tenant "+shop+", open, checked") ||
			!strings.Contains(told, " 65 persons new here, 0 known here") {
			t.Errorf("the import says %s", told)
		}
		if now := to.shown(t, machineShop); now != shown {
			at := firstDifference(now, shown)
			t.Errorf("the shop answers otherwise: got %.200s, want %.200s", now[at:], shown[at:])
		}
		if now := to.shown(t, "small.example"); now != there {
			t.Error("another shop of the target answers otherwise")
		}
		status, _, said := to.ask("POST", "/api/v1/auth/login", "",
			map[string]any{"cellNumber": mover, "password": moverPassword})
		if status != http.StatusUnauthorized {
			t.Errorf("the password of the source: %d %s, want 401", status, said)
		}
		to.withPassword(t, moverPassword) // as after a code
		token = to.signedIn(t, mover, moverPassword)
		if now, _ := to.ordersOf(t, shop, token); now != orders {
			t.Errorf("the customer sees other orders: got %.300s, want %.300s", now, orders)
		}
		for _, entry := range []string{"addStaff", "addWebhook", "moveShop", "importShop"} {
			if log := to.succeed(t, "graphql", "-domain", machineShop, auditLog); !strings.Contains(log, entry) {
				t.Errorf("the audit log lacks %s:\n%s", entry, log)
			}
		}
		to.refuse(t, []string{"shop", "import", file}, "here already")
		from.refuse(t, []string{"shop", "import", file}, "here already")

		number := to.buys(t, shop, token)
		if slices.Contains(numbers, number) || number == "" {
			t.Errorf("the next order has the number %q; there were %v", number, numbers)
		}
		from.succeed(t, "shop", "unlock", machineShop)
		if now := from.shown(t, machineShop); now != shown {
			t.Error("the shop that was unlocked answers otherwise")
		}
	})
}

// TestShopMovesWhole compares the exports of the source and the target.
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

// buys orders the first variant on sale in the machine shop, and returns the number of the order.
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

// TestShopMovesToKnownPersons moves a shop to an installation where one of its customers has an account. One that
// nobody has proved loses every way in, but not its contents.
func TestShopMovesToKnownPersons(t *testing.T) {
	for name, vouched := range map[string]bool{"proven here": true, "not proven here": false} {
		t.Run(name, func(t *testing.T) {
			eachTarget(t, func(t *testing.T, from, to *installation) {
				from.withPassword(t, moverPassword)
				token := from.signedIn(t, mover, moverPassword)
				shop := from.shopID(t)
				orders, _ := from.ordersOf(t, shop, token)
				here, err := to.store.Client.User.Create().SetCellNumber(mover).SetFirstName("Known").
					SetVouched(vouched).Save(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				to.withPassword(t, "the one of here")
				stays := to.signedIn(t, mover, "the one of here")
				err = to.store.Client.Authenticator.Create().SetUserID(here.ID).SetSecret([]byte("s")).Exec(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				file := filepath.Join(t.TempDir(), "shop.jsonl")
				from.succeed(t, "shop", "export", "-now", machineShop, file)
				if told := to.succeed(t, "shop", "import", file); !strings.Contains(told, ", 1 known here") {
					t.Errorf("the import says %s", told)
				}
				status, _, text := to.ask("GET", "/api/v1/auth/me", stays, nil)
				want := map[bool]int{true: http.StatusOK, false: http.StatusUnauthorized}[vouched]
				if status != want {
					t.Errorf("the session of before: %d %s, want %d", status, text, want)
				}
				now, err := to.store.Client.User.Get(t.Context(), here.ID)
				if err != nil || *now.FirstName != "Known" || now.Vouched != vouched {
					t.Fatalf("the account is %+v (%v)", now, err)
				}
				factors, err := to.store.Client.Authenticator.Query().Count(t.Context())
				if (now.PasswordHash != nil) != vouched || (factors == 1) != vouched || err != nil {
					t.Errorf("got a password %t and %d second factors (%v), want both: %t", now.PasswordHash != nil,
						factors, err, vouched)
				}
				to.withPassword(t, "the one of here")
				if now, _ := to.ordersOf(t, shop, to.signedIn(t, mover, "the one of here")); now != orders {
					t.Errorf("the customer sees other orders: got %.300s, want %.300s", now, orders)
				}
			})
		})
	}
}

// TestShopMovesWhereNoSMSAreSent moves a shop to an installation without codes, where its owner's number has an
// account that anybody may have made.
func TestShopMovesWhereNoSMSAreSent(t *testing.T) {
	eachTarget(t, func(t *testing.T, from, to *installation) {
		const editor = "+989120000002"
		from.succeed(t, "staff", "add", "-unproven", machineShop, mover, "owner")
		from.succeed(t, "staff", "add", "-unproven", machineShop, editor, "editor")
		file := filepath.Join(t.TempDir(), "shop.jsonl")
		from.succeed(t, "shop", "export", "-now", machineShop, file)
		if err := to.store.Client.User.Create().SetCellNumber(mover).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		to.withPassword(t, "the one of here")
		to.refuse(t, []string{"shop", "import", "-without-codes", file}, "where no SMS are sent")
		to.refuse(t, []string{"staff", "password", "small.example", mover}, "an SMS code reaches")
		to.settings["SMS_PROVIDER"] = "none"
		to.refuse(t, []string{"shop", "import", file}, "no SMS are sent", "-without-codes", "staff password")
		told := to.succeed(t, "shop", "import", "-without-codes", file)
		for _, cell := range []string{mover, editor} {
			if want := "storefront staff password " + machineShop + " " + cell + "\n"; !strings.Contains(told, want) {
				t.Errorf("the import says %s, want %s in it", told, want)
			}
		}
		to.signedIn(t, mover, "the one of here") // who may be anybody, and has no role
		if list := to.succeed(t, "staff", "list", machineShop); strings.Contains(list, mover) ||
			!strings.Contains(list, editor) {
			t.Errorf("got the staff %s, want the editor alone", list)
		}
		to.Handler = serviceOver(t, to.store, password.Recommended) // the cost of the command
		for _, cell := range []string{mover, editor} {
			for range 2 { // a second one takes the place of the first
				words := strings.Split(strings.TrimSpace(to.succeed(t, "staff", "password", machineShop, cell)), "\n")
				to.signedIn(t, cell, words[len(words)-1])
			}
		}
		if list := to.succeed(t, "staff", "list", machineShop); !strings.Contains(list, mover+"  owner") {
			t.Errorf("got the staff %s, want its owner in it", list)
		}
		status, _, text := to.ask("POST", "/api/v1/auth/login", "",
			map[string]any{"cellNumber": mover, "password": "the one of here"})
		if status != http.StatusUnauthorized {
			t.Errorf("the password of before: %d %s, want 401", status, text)
		}
		to.refuse(t, []string{"staff", "password", machineShop, "+989120000003"}, "no such member of staff")
		to.refuse(t, []string{"staff", "password", machineShop, "+989129999999"}, "no account")
		to.refuse(t, []string{"staff", "password", mover}, "staff password DOMAIN CELL")
	})
}

// TestShopFileHasNoMoreOfAPerson searches a file for what an account has and no shop may carry away.
func TestShopFileHasNoMoreOfAPerson(t *testing.T) {
	eachTarget(t, func(t *testing.T, from, to *installation) {
		from.withPassword(t, moverPassword)
		ctx, store := t.Context(), from.store.Client
		who, err := store.User.Query().Where(user.CellNumber(mover)).Only(ctx)
		if err != nil {
			t.Fatal(err)
		}
		operator, err := store.User.Create().SetCellNumber("+989129990001").SetFirstName("zq-operator").Save(ctx)
		if err != nil {
			t.Fatal(err)
		}
		linked, err := store.User.Create().SetCellNumber("+989129990002").SetFirstName("zq-linked").Save(ctx)
		if err != nil {
			t.Fatal(err)
		}
		former, err := store.User.Create().SetCellNumber("+989129990003").SetFirstName("Former").Save(ctx)
		if err != nil {
			t.Fatal(err)
		}
		shop := uuid.MustParse(from.shopID(t))
		_, err = store.ExecContext(ctx, "UPDATE memberships SET pending_until = NULL WHERE business_id = $1", shop)
		for _, err := range []error{
			err,
			store.User.UpdateOneID(who.ID).SetEmail("zq-email@mail.example").SetSearchText("zq-email").Exec(ctx),
			store.Address.Create().SetUserID(who.ID).SetProvince("P").SetCity("C").SetAddress("zq-home").Exec(ctx),
			store.StaffMember.Create().SetUserID(operator.ID).SetRole(record.Operator).Exec(ctx),
			store.AccessToken.Create().SetBusinessID(shop).SetName("P").SetHash([]byte("h")).SetLastCharacters("l").
				SetPermissions([]string{}).SetCreatedBy(operator.ID).Exec(ctx),
			store.Membership.Create().SetUserID(linked.ID).SetBusinessID(shop).SetPendingUntil(time.Now()).Exec(ctx),
			store.AuditEntry.Create().SetBusinessID(shop).SetAction("removeStaff").SetKind("staffMember").
				SetCustomerID(former.ID).Exec(ctx),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		text := from.succeed(t, "shop", "export", "-now", machineShop, "-")
		for _, word := range []string{"zq-", "argon2", `"idempotency_keys"`, operator.ID.String(), linked.ID.String()} {
			if strings.Contains(text, word) {
				t.Errorf("the file has %s", word)
			}
		}
		to.succeed(t, "shop", "import", write(t, "shop.jsonl", text))
		n, err := to.store.Client.AccessToken.Query().Where(accesstoken.BusinessID(shop)).Count(ctx)
		if n != 1 || err != nil {
			t.Errorf("%d access tokens came (%v), want 1, of nobody", n, err)
		}
		if _, err := to.store.Client.User.Get(ctx, former.ID); err != nil {
			t.Errorf("who has left the staff cannot be erased: %v", err)
		}
		found, err := to.store.Client.User.Query().Where(user.CellNumber(mover)).Only(ctx)
		if err != nil || found.SearchText == "" || found.Email != nil || found.Vouched || found.CellVerified {
			t.Errorf("the customer came as %+v (%v)", found, err)
		}
	})
}

// TestShopStaysOpenWithoutAFile exports a shop to a path that cannot be written.
func TestShopStaysOpenWithoutAFile(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		s.succeed(t, "tenant", "add", "lamps.example", "Lamps", "چراغ")
		s.refuse(t, []string{"shop", "export", "-now", "lamps.example", filepath.Join(t.TempDir(), "none", "f")},
			"none")
		if out := s.succeed(t, "shop", "unlock", "lamps.example"); out != "lamps.example is unlocked already\n" {
			t.Errorf("got %q", out)
		}
	})
}

// TestShopMeetsAnotherAccount moves a shop with a customer whose id belongs to another person at the target.
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
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database, "SMS_PROVIDER", "log")
		s.succeed(t, "tenant", "add", "lamps.example", "Lamps", "چراغ")
		for _, state := range []string{"locked", "locked already"} {
			if out := s.succeed(t, "shop", "lock", "lamps.example"); out != "lamps.example is "+state+"\n" {
				t.Errorf("lock: %q", out)
			}
		}
		for _, state := range []string{"unlocked", "unlocked already"} {
			if out := s.succeed(t, "shop", "unlock", "lamps.example"); out != "lamps.example is "+state+"\n" {
				t.Errorf("open: %q", out)
			}
		}
		for _, args := range [][]string{
			{"shop"}, {"shop", "lock"}, {"shop", "export", "lamps.example"}, {"shop", "sell", "x"},
		} {
			s.refuse(t, args, "say what to do")
		}
		s.refuse(t, []string{"shop", "lock", "none.example"}, "no tenant none.example")
		s.refuse(t, []string{"shop", "export", "none.example", "-"}, "no tenant none.example")
		s.refuse(t, []string{"shop", "import", filepath.Join(t.TempDir(), "none")}, "none")
		out := s.succeed(t, "shop", "export", "-now", "lamps.example", "-")
		if !strings.HasPrefix(out, `{"format":"storefront-shop/1"`) || !strings.Contains(out, "\n{\"end\":") {
			t.Errorf("a file on standard output: %.200s", out)
		}
	})
}
