package uploads

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFewUploads uploads a few small files on each kind of database, without a bound on memory, and checks the
// status of each.
func TestFewUploads(t *testing.T) {
	server := filepath.Join(t.TempDir(), "storefront")
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-o", server, "storefront/cmd/storefront").
		CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	var out strings.Builder
	err := Trial.Run(t.Context(), []string{"-server", server, "-shops", "2", "-clients", "2", "-rounds", "1",
		"-most", "0", "-large", "5"}, &out)
	t.Log(out.String())
	if err != nil {
		t.Error(err)
	}
	if n := strings.Count(out.String(), "a large PNG"); n != 2 {
		t.Errorf("it shows %d times what became of a large PNG, want it for each database", n)
	}
}
