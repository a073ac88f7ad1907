package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"

	"storefront/internal/testkit/testdb"
)

// TestSearches checks that each search has matches and returns the facets that it asks for.
func TestSearches(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		addr := served(t, database)
		for _, s := range searches {
			requests := s.requests(shopOfTests, 7)
			response, err := http.Post("http://"+addr+"/graphql", "application/json",
				bytes.NewReader([]byte(requests[0].Body)))
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			var got struct {
				Data struct {
					Tenant struct {
						Products struct {
							Total  int
							Facets *struct{ Options []any }
						}
					}
				}
				Errors []any
			}
			if err := json.NewDecoder(response.Body).Decode(&got); err != nil {
				t.Fatal(err)
			}
			found := got.Data.Tenant.Products
			if len(got.Errors) > 0 || found.Total == 0 || s.fields != "" && len(found.Facets.Options) == 0 {
				t.Errorf("%s: %+v", s.name, got)
			}
		}
	})
}
