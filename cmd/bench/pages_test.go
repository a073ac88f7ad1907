package main

import (
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"storefront/cmd/bench/load"
	"storefront/cmd/internal/stage"
	"storefront/internal/testkit/testdb"
)

// TestPagesAreAlike reads the pages of a shop with all kinds of content in each way, also under load, and
// checks that the data are the same and complete.
func TestPagesAreAlike(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		importFile(t, database, filepath.Join("..", "..", paperlane.file))
		server := &stage.Server{Addr: listening(t, serviceOver(t, database))}
		for _, p := range paperlane.pages(t.Context(), server) {
			p.compareWays(t.Context(), server)
			for way, requests := range p.requests() {
				size := 0
				for _, r := range requests {
					for _, one := range append([]load.Request{r}, r.Then...) {
						if one.Method == http.MethodGet {
							size += len(get(t.Context(), server, one.Target).Body)
						}
					}
				}
				if way != byPost && size/len(p.views) < 5000 { // the document is answered as its hash
					t.Errorf("%s page, way %d: %d bytes", p.name, way, size/len(p.views))
				}
				if result, err := load.Run(t.Context(), server.Addr, requests, 2, time.Second/4); err != nil ||
					len(result.Latencies) < 2 {
					t.Errorf("%s page, way %d: %d, %v", p.name, way, len(result.Latencies), err)
				}
			}
		}
	})
}
