package examples_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"testing"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
	"storefront/internal/media/blob"
)

// TestClientLibrary runs clients/js against the service: with two tabs, over a connection that loses answers after the
// service has done what was asked.
func TestClientLibrary(t *testing.T) {
	if output, err := exec.CommandContext(t.Context(), "../scripts/build-client").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	tests := exec.CommandContext(t.Context(), "npm", "test") // what needs no service
	tests.Dir = "../clients/js"
	if output, err := tests.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	shoptest.DemoShops.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		phones := shoptest.NewPhones()
		service, err := app.New(s, slog.New(slog.DiscardHandler),
			app.Options{Sender: phones, Media: blob.NewFolder(t.TempDir())})
		if err != nil {
			t.Fatal(err)
		}
		line := http.NewServeMux()
		line.HandleFunc("GET /code/{cell}", func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, phones.Code(t, r.PathValue("cell")))
		})
		line.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Lose-Answer") == "" {
				service.ServeHTTP(w, r)
				return
			}
			service.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler) // the connection is closed without a word
		})
		server := httptest.NewServer(line)
		defer server.Close()

		output, err := exec.CommandContext(t.Context(), "node", "../clients/js/test/service.mjs",
			server.URL).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		hasPlaced(t, s, output)
	})
}
