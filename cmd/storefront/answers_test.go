package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"testing"

	"storefront/internal/app"
	"storefront/internal/database/store/storetest"
	"storefront/internal/demo"
)

// changing matches what differs between two imports of one bundle.
var changing = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|"updatedAt":"[^"]*"`)

// answers requests every page of every list of the demo shops and every record in them. It returns path,
// status and body of each answer, sorted, without ids and the time of the import.
func answers(t testing.TB, s settings) (all []string) {
	t.Helper()
	opened := storetest.Open(t, s["DATABASE_URL"])
	service, err := app.New(opened, slog.New(slog.NewTextHandler(io.Discard, nil)), app.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(path string) []byte {
		w := httptest.NewRecorder()
		service.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v1/tenants/"+path, nil))
		body := w.Body.Bytes()
		all = append(all, changing.ReplaceAllString(fmt.Sprintf("%s: %d %s", path, w.Code, body), "…"))
		return body
	}
	for _, d := range demo.Bundles() {
		for _, path := range []string{"", "/website/business-info", "/website/sliders", "/website/category-groups",
			"/website/brand-groups",
			"/store-specials", "/categories", "/categories?entityType=blog", "/categories?entityType=portfolio"} {
			ask(d.Domain + path)
		}
		for list, below := range map[string][]string{
			"/products": {"", "/variations", "/technical-info"}, "/user-products": {"", "/technical-info"},
			"/blogs": {""}, "/portfolios": {""},
			"/store-items": nil,
		} {
			for number := 1; ; number++ {
				var page struct {
					Items []struct{ Slug string }
					Total int
				}
				err := json.Unmarshal(ask(fmt.Sprintf("%s%s?pageSize=100&page=%d", d.Domain, list, number)), &page)
				if err != nil {
					t.Fatal(err)
				}
				for i, item := range page.Items {
					if below != nil && i%5 == 0 {
						for _, more := range below {
							ask(d.Domain + list + "/" + url.PathEscape(item.Slug) + more)
						}
					}
				}
				if number*100 >= page.Total {
					break
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

// firstDifference returns the place where two texts begin to differ, with a few characters before it.
func firstDifference(a, b string) int {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return max(0, at-40)
}
