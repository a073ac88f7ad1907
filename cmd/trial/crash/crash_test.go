package crash

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNothingIsLost lets the server crash a few times on each kind of database. `make crash` does so many
// times, and lets PostgreSQL crash too.
func TestNothingIsLost(t *testing.T) {
	server := filepath.Join(t.TempDir(), "storefront")
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-o", server, "storefront/cmd/storefront").
		CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	t.Setenv("TEST_POSTGRES_CRASH", "") // other tests use that server
	var out strings.Builder
	if err := Trial.Run(t.Context(), []string{"-kills", "3", "-hangups", "80", "-server", server}, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	t.Log(out.String())
}
