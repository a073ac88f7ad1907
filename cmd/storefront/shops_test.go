package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"storefront/ent/user"
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
		from.refuse(t, []string{"import", write(t, "bundle.json", closedBundle)}, "closed")
		from.refuse(t, []string{"order", "move", machineShop, numbers[0], "delivered"}, "closed")
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
		token = to.signedIn(t, mover, moverPassword)
		if now, _ := to.ordersOf(t, shop, token); now != orders {
			t.Errorf("the customer sees other orders: got %.300s, want %.300s", now, orders)
		}
		for _, entry := range []string{"addStaff", "addWebhook", "moveShop", "importShop"} {
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

// TestShopMovesToKnownPersons moves a shop to an installation that knows one of its customers.
func TestShopMovesToKnownPersons(t *testing.T) {
	for name, c := range map[string]struct {
		vouched, vouchedHere bool
		flags                []string
		refused              string
		password             string // the password that signs in afterwards
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
				if told := to.succeed(t, args...); !strings.Contains(told, "64 persons new here, 1 known here") {
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
