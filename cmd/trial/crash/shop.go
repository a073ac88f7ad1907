package crash

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	domain  = "crash.example"
	plenty  = 24        // variants that never run out
	scarce  = 4         // variants that do, so that checkouts fail and cancelled orders matter
	much    = 1_000_000 // stock of the first
	little  = 60        // stock of the others
	perCart = 3         // units of one variant that a client adds at most
)

// shop is the shop as its customers know it.
type shop struct {
	business string   // id
	variants []string // ids
	skus     []string // of the variants
}

// enter finds the shop, for a customer who has registered with it.
func enter(ctx context.Context, d *door, business string) (shop, error) {
	s := shop{business: business}
	var listed struct{ Items []struct{ ID, Sku string } }
	if err := d.call(ctx, http.MethodGet, "/api/v1/tenants/"+domain+"/store-items?pageSize=100", "", nil,
		&listed); err != nil {
		return s, err
	}
	for _, v := range listed.Items {
		s.variants, s.skus = append(s.variants, v.ID), append(s.skus, v.Sku)
	}
	if len(s.variants) != plenty+scarce {
		return s, fmt.Errorf("the shop has %d variants on sale", len(s.variants))
	}
	return s, nil
}

// plentiful is the shop with the variants alone that never run out.
func (s shop) plentiful() shop {
	few := shop{business: s.business}
	for n, sku := range s.skus {
		if number, err := strconv.Atoi(strings.TrimPrefix(sku, "V-")); err == nil && number < plenty {
			few.variants, few.skus = append(few.variants, s.variants[n]), append(few.skus, sku)
		}
	}
	return few
}

// register makes the account of a customer, signs the door in with it and gives the id of the shop.
func register(ctx context.Context, d *door, n int) (business string, err error) {
	body := fmt.Appendf(nil, `{"cellNumber": "+98912%07d", "password": "a password of %[1]d",
		"firstName": "Sara", "lastName": "Karimi", "domain": %q}`, n, domain)
	var in struct {
		AccessToken        string
		RegisteredBusiness struct{ ID string }
	}
	err = d.call(ctx, http.MethodPost, "/api/v1/auth/register", "", body, &in)
	d.token = in.AccessToken
	return in.RegisteredBusiness.ID, err
}

// writeShop writes the shop's bundle: one product for each variant.
func writeShop(file string) error {
	var products []any
	for i := range plenty + scarce {
		stock := much
		if i >= plenty {
			stock = little
		}
		products = append(products, map[string]any{
			"slug": fmt.Sprintf("product-%d", i), "titleFa": fmt.Sprintf("کالای %d", i),
			"publishedAt": time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
			"variants": []any{map[string]any{"sku": fmt.Sprintf("V-%d", i), "price": 1000 + 7*i,
				"priceCurrency": "IRT", "stock": stock}},
		})
	}
	text, err := json.Marshal(map[string]any{
		"format": "storefront-bundle/1",
		"tenant": map[string]any{"domain": domain, "slug": "crash", "name": "Crash", "nameFa": "فروشگاه",
			"defaultLocale": "fa"},
		"products": products,
	})
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}
