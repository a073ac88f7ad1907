package money

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// TestMain is the program of the stand-ins, too, which the trial starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == Gateway.Name {
		stage.Main(Gateway.Name, os.Args[2:], Gateway.Run)
		return
	}
	os.Exit(m.Run())
}

// TestPlantsFit checks that each fault can still be planted: its texts are in the service.
func TestPlantsFit(t *testing.T) {
	for _, p := range append(plants, wrongClock(1)) {
		if err := must.Run(func() { p.in("../../..") }); err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
	}
}

// TestBooksHold lets a few orders be paid on each kind of database. `make money` has many, kills what it can, and meets
// each fault of the gateways.
func TestBooksHold(t *testing.T) {
	server := filepath.Join(t.TempDir(), "storefront")
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-o", server, "storefront/cmd/storefront").
		CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	for _, kind := range stage.Databases {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			if err := Trial.Run(t.Context(), []string{"-only", kind, "-small", "-lives", "20", "-workers", "8", "-pace",
				"2400", "-server", server}, &out); err != nil {
				t.Fatalf("%v\n%s", err, out.String())
			}
			t.Log(out.String())
		})
	}
}
