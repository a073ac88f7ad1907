package contract_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os/exec"
	"testing"
)

// TestGraphQLAudit holds the service against the GraphQL over HTTP specification, by the audits of the npm package
// graphql-http: what it demands, what it recommends and what it only allows.
func TestGraphQLAudit(t *testing.T) {
	const audits = 61
	install := exec.CommandContext(t.Context(), "../../scripts/npm-ci", "audit")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	eachWire(t, func(t *testing.T, p *place) {
		audit := exec.CommandContext(t.Context(), "node", "audit.mjs", p.url+"/graphql")
		audit.Dir = "audit"
		var failed bytes.Buffer
		audit.Stderr = &failed
		out, err := audit.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, failed.Bytes())
		}
		done := map[string]bool{}
		for lines := json.NewDecoder(bytes.NewReader(out)); ; {
			var result struct{ ID, Name, Status, Reason string }
			if err := lines.Decode(&result); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			done[result.ID] = true
			if result.Status != "ok" {
				t.Errorf("%s %s: %s: %s", result.Status, result.ID, result.Name, result.Reason)
			}
		}
		if len(done) != audits {
			t.Errorf("%d audits were done, want %d: %s", len(done), audits, out)
		}
	})
}
