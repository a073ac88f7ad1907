package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/request"
	"storefront/internal/shop/staff"
)

// creates makes a brand by a program, with an Idempotency-Key.
func (i *installation) creates(t testing.TB, token, shop, slug string) (code string) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": `mutation { createBrand(businessId: "` + shop + `",
		slug: "` + slug + `", input: {name: "B", nameFa: "ب"}) { id } }`})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(string(body)))
	for name, value := range map[string]string{"Content-Type": "application/json", "Authorization": "Bearer " + token,
		"Idempotency-Key": "of-" + slug} {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	i.ServeHTTP(w, r)
	var answer struct {
		Errors []struct{ Extensions struct{ Code string } }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if len(answer.Errors) == 0 {
		return ""
	}
	return answer.Errors[0].Extensions.Code
}

// TestProgramsMoveWithTheirShop moves a shop whose program continues at the target. Its repeated requests are
// not done again, and both audit logs name it.
func TestProgramsMoveWithTheirShop(t *testing.T) {
	eachTarget(t, func(t *testing.T, from, to *installation) {
		shop := from.shopID(t)
		business := uuid.MustParse(shop)
		tokens := staff.Tokens{Store: from.store.Client, Clock: time.Now}
		token, _, err := tokens.CreateToken(request.WithStaff(t.Context(), request.Staff{Business: business}), business,
			staff.NewToken{Name: "Till\x1b", Permissions: []staff.Permission{staff.EditCatalog}})
		if err != nil {
			t.Fatal(err)
		}
		if code := from.creates(t, token, shop, "made-once"); code != "" {
			t.Fatal(code)
		}
		file := filepath.Join(t.TempDir(), "shop.jsonl")
		from.succeed(t, "shop", "export", "-now", machineShop, file)
		if code := from.creates(t, token, shop, "late"); code != "SHOP_CLOSED" {
			t.Errorf("where the shop was: %q", code)
		}
		if code := to.creates(t, token, shop, "early"); code != "UNAUTHENTICATED" {
			t.Errorf("before the shop is there: %q", code)
		}
		to.succeed(t, "shop", "import", file)
		if code := to.creates(t, token, shop, "made-once"); code != "CONFLICT" {
			t.Errorf("sent again: %q", code)
		}
		if code := to.creates(t, token, shop, "made-here"); code != "" {
			t.Errorf("at the target: %q", code)
		}
		from.succeed(t, "shop", "unlock", machineShop) // a locked shop shows nothing
		for at, want := range map[*installation]int{from: 1, to: 2} {
			rows := table(t, "accessToken.lastCharacters accessToken.name", at.succeed(t, "graphql", "-domain",
				machineShop, "-table",
				`{ auditLogConnection(action: "createBrand") { nodes { accessToken { lastCharacters name } } } }`))
			if len(rows) != want || rows[0][1] != "Till\uFFFD" || rows[0][0] != token[len(token)-4:] {
				t.Errorf("got %q, want %d by the program", rows, want)
			}
		}
	})
}
