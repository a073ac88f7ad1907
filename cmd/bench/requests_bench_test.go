package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"storefront/internal/testkit/testdb"
)

// BenchmarkRequests measures one request to the demo bookshop through the whole service without a network,
// like BenchmarkHandler for a generated shop: the lists of REST, and whole pages in GraphQL.
func BenchmarkRequests(b *testing.B) {
	for _, kind := range []struct {
		name string
		url  func(testing.TB) string
	}{{sqlite, testdb.SQLite}, {postgres, testdb.Postgres}} {
		b.Run(kind.name, func(b *testing.B) {
			url := kind.url(b)
			importFile(b, url, filepath.Join("..", "..", paperlane.file))
			service := serviceOver(b, url)
			for _, r := range requestsOf(b, service) {
				b.Run(r.name, func(b *testing.B) { r.run(b, service) })
			}
		})
	}
}

// benchRequest is a request to measure.
type benchRequest struct{ name, method, target, body string }

func requestsOf(b *testing.B, service http.Handler) []benchRequest {
	var categories struct {
		Items []struct{ ID, ParentID string }
	}
	read(b, service, paperlane.base()+"/categories", &categories)
	var listed struct{ Items []sold }
	read(b, service, paperlane.base()+"/products?inStore=true", &listed)
	base, slug := paperlane.base(), listed.Items[0].Slug
	return []benchRequest{
		{"list", "GET", base + "/products", ""},
		{"list-of-100", "GET", base + "/products?pageSize=100", ""},
		{"category", "GET", base + "/products?categoryId=" + categories.Items[0].ID, ""},
		{"search", "GET", base + "/products?name=the", ""},
		{"store-items", "GET", base + "/store-items?inStock=true", ""},
		{"detail", "GET", base + "/products/" + url.PathEscape(slug), ""},
		{"categories", "GET", base + "/categories", ""},
		{"home-page", "POST", "/graphql", pageBody("HomePage", map[string]string{"domain": paperlane.domain})},
		{"product-page", "POST", "/graphql",
			pageBody("ProductPage", map[string]string{"domain": paperlane.domain, "slug": slug})},
	}
}

// pageBody returns the body of a request for an operation of pages.graphql.
func pageBody(operation string, variables map[string]string) string {
	body, _ := json.Marshal(map[string]any{"query": document(operation), "variables": variables})
	return string(body)
}

// read reads the answer to a GET.
func read(b *testing.B, service http.Handler, target string, into any) {
	w := httptest.NewRecorder()
	service.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil || w.Code != http.StatusOK {
		b.Fatalf("%s: %d %s", target, w.Code, w.Body)
	}
}

func (r benchRequest) run(b *testing.B, service http.Handler) {
	b.ReportAllocs()
	for b.Loop() {
		request := httptest.NewRequest(r.method, r.target, strings.NewReader(r.body))
		if r.body != "" {
			request.Header.Set("Content-Type", "application/json")
		}
		w := httptest.NewRecorder()
		service.ServeHTTP(w, request)
		if w.Code != http.StatusOK || strings.HasPrefix(w.Body.String(), `{"errors"`) {
			b.Fatalf("%d %s", w.Code, w.Body)
		}
	}
}
