package main

import (
	"path/filepath"
	"testing"
	"time"

	"storefront/cmd/bench/load"
	"storefront/cmd/internal/stage"
	"storefront/internal/testdb"
)

// TestPagesAreAlike reads the pages of a shop with all kinds of content in each way, also under load, and
// checks that the data are the same and complete.
func TestPagesAreAlike(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		importFile(t, database, filepath.Join("..", "..", paperlane.file))
		server := &stage.Server{Addr: listening(t, serviceOver(t, database))}
		for _, p := range paperlane.pages(t.Context(), server) {
			sizes := p.compareWays(t.Context(), server)
			if sizes[byPost] != sizes[byHash] || sizes[byPost] < 5000 || sizes[byREST] < 5000 {
				t.Errorf("%s page: %d bytes", p.name, sizes)
			}
			for way, requests := range p.requests() {
				if result, err := load.Run(t.Context(), server.Addr, requests, 2, time.Second/4); err != nil ||
					len(result.Latencies) < 2 {
					t.Errorf("%s page, way %d: %d, %v", p.name, way, len(result.Latencies), err)
				}
			}
		}
	})
}
