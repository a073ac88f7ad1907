package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/gatewayaccount"
	"storefront/ent/tenant"
	"storefront/internal/database"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/message/notice"
	accounts "storefront/internal/sale/gatewayaccount"
)

const zibalAgain = "an owner must enter the payment gateway account zibal …4321 again\n"

// withAccount gives the shop with a domain an active account at a gateway, sealed under a key.
func withAccount(t testing.TB, s *store.Store, domain, key string) *ent.GatewayAccount {
	t.Helper()
	shop, err := s.Client.Tenant.Query().Where(tenant.Domain(domain)).Only(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	service, err := accountsIn(s, []byte(key), "")
	if err != nil {
		t.Fatal(err)
	}
	service.PublicURL, service.Notices = "https://api.example", new(notice.Service) // which sends none
	draft := accounts.Draft{Gateway: "zibal", Secrets: map[string]string{"merchant": "merchant-4321"}}
	made, err := service.Add(t.Context(), shop.ID, draft)
	if err == nil {
		made, err = service.Switch(t.Context(), shop.ID, made.ID, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// TestGatewayAccountsAreEnteredAgain lists accounts whose key is lost after an import and a restore, and seals those
// whose key is there under a new one.
func TestGatewayAccountsAreEnteredAgain(t *testing.T) {
	eachMigrated(t, func(t *testing.T, url string) {
		key := strings.Repeat("k", 32)
		s := on(url, "TOKEN_SIGNING_KEY", key)
		s.succeed(t, "tenant", "add", "shop.example", "Shop", "فروشگاه")
		opened := storetest.Open(t, url)
		withAccount(t, opened, "shop.example", key)
		file := write(t, "small.json", smallBundle)
		if out := s.succeed(t, "import", file); strings.Contains(out, "zibal") {
			t.Errorf("under its key: got %s", out)
		}
		exchanged := on(url, "TOKEN_SIGNING_KEY", strings.Repeat("n", 32), "TOKEN_SIGNING_KEY_OTHER", key)
		lost := on(url, "TOKEN_SIGNING_KEY", strings.Repeat("n", 32))
		if out := lost.succeed(t, "import", file); !strings.HasSuffix(out, "shop.example: "+zibalAgain) {
			t.Errorf("under another key: got %s", out)
		}
		if path, isFile := strings.CutPrefix(url, "sqlite://"); isFile {
			delete(s, "TOKEN_SIGNING_KEY")
			copied := filepath.Join(t.TempDir(), "copy.db")
			s.succeed(t, "backup", copied)
			there := on("sqlite://" + filepath.Join(t.TempDir(), filepath.Base(path)))
			if out := there.succeed(t, "restore", copied); !strings.HasSuffix(out, "shop.example: "+zibalAgain) {
				t.Errorf("restored without a key: got %s", out)
			}
			there["TOKEN_SIGNING_KEY"] = key
			if out := there.succeed(t, "restore", "-replace", copied); strings.Contains(out, "zibal") {
				t.Errorf("restored with its key: got %s", out)
			}
		}
		for _, want := range []string{"1 gateway", "0 gateway"} {
			if out := exchanged.succeed(t, "staff", "reseal"); !strings.Contains(out, want) {
				t.Errorf("sealed anew: got %s, want %s", out, want)
			}
		}
		if out := lost.succeed(t, "import", file); strings.Contains(out, "zibal") {
			t.Errorf("after it was sealed anew: got %s", out)
		}
	})
}

// TestGatewayAccountsMove moves a shop with an account, whose credentials stay, and with a payment that is under way.
func TestGatewayAccountsMove(t *testing.T) {
	eachTarget(t, func(t *testing.T, from, to *installation) {
		account := withAccount(t, from.store, machineShop, strings.Repeat("k", 32))
		values := database.Values{"account": account.ID, "shop": uuid.MustParse(from.shopID(t)), "no": false}
		are := func(status string) {
			set := database.Statement(`UPDATE payments SET gateway_account_id = $account, status = '` + status + `',
				look_at = created_at, counts = $no
				WHERE id = (SELECT id FROM payments WHERE tenant_id = $shop LIMIT 1)`)
			if _, err := set.Exec(t.Context(), from.store.Client.Raw(), values); err != nil {
				t.Fatal(err)
			}
		}
		are("expired") // which is only watched, and not awaited, as the dispute of another payment
		contested := database.Statement(`UPDATE payments SET gateway_account_id = $account, status = 'paid',
			refunded = 1, look_at = created_at
			WHERE gateway_account_id IS NULL AND tenant_id = $shop AND id = (SELECT max(id)
			FROM payments WHERE tenant_id = $shop AND gateway_account_id IS NULL)`)
		dispute := database.Statement(`INSERT INTO refunds (id, created_at, updated_at, tenant_id, order_id, payment_id,
			status, amount) SELECT id, created_at, updated_at, tenant_id, order_id, id, 'disputed', 1 FROM payments
			WHERE gateway_account_id = $account AND status = 'paid' AND tenant_id = $shop`)
		for _, set := range []database.Text{contested, dispute} {
			if _, err := set.Exec(t.Context(), from.store.Client.Raw(), values); err != nil {
				t.Fatal(err)
			}
		}
		from.succeed(t, "shop", "export", "-now", machineShop, filepath.Join(t.TempDir(), "first.jsonl"))
		are("sent")
		file := filepath.Join(t.TempDir(), "shop.jsonl")
		from.refuse(t, []string{"shop", "export", "-now", machineShop, file}, "-end-payments", "stays locked")
		from.succeed(t, "shop", "export", "-now", "-end-payments", machineShop, file)
		if out := to.succeed(t, "shop", "import", file); !strings.Contains(out, machineShop+": "+zibalAgain) {
			t.Errorf("got %s", out)
		}
		moved, err := to.store.Client.GatewayAccount.Query().Where(gatewayaccount.ID(account.ID)).
			Only(tenancy.In(t.Context(), account.TenantID))
		if err != nil || moved.Active || moved.Secrets != nil || moved.Last4 != "4321" {
			t.Errorf("the account came as %+v (%v)", moved, err)
		}
		left := 0
		_, err = database.Statement(`SELECT count(*) FROM payments WHERE status = 'expired' AND look_at IS NULL
			AND problem IS NOT NULL AND gateway_account_id = $account`).Row(t.Context(), to.store.Client.Raw(),
			database.Values{"account": account.ID}, &left)
		if err != nil || left != 1 {
			t.Errorf("%d payments were ended (%v), want 1", left, err)
		}
		_, err = database.Statement(`SELECT count(*) FROM payments WHERE status = 'paid' AND look_at IS NOT NULL
			AND gateway_account_id = $account`).Row(t.Context(), to.store.Client.Raw(),
			database.Values{"account": account.ID}, &left)
		if err != nil || left != 1 {
			t.Errorf("%d contested payments will be looked at (%v), want 1", left, err)
		}
	})
}
