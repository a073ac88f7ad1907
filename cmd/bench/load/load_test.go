package load_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"storefront/cmd/bench/load"
)

// TestOnceSendsEachOnce checks that a run without a time sends each request once.
func TestOnceSendsEachOnce(t *testing.T) {
	var mu sync.Mutex
	got := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		got[r.URL.Path]++
		fmt.Fprint(w, "yes")
	}))
	defer server.Close()
	var targets []string
	for i := range 101 {
		targets = append(targets, fmt.Sprintf("/%d", i))
	}
	result, err := load.Run(t.Context(), strings.TrimPrefix(server.URL, "http://"), load.Get(targets), 16, 0)
	if err != nil || result.Count != len(targets) || len(got) != len(targets) {
		t.Errorf("%d answers to %d targets, %v", result.Count, len(got), err)
	}
}
