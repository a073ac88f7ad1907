package api_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os/exec"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestGraphQLAudit runs the audits of the npm package graphql-http, which check the GraphQL over HTTP
// specification: its MUST, SHOULD and MAY rules.
func TestGraphQLAudit(t *testing.T) {
	const audits = 61
	installAudit(t)
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		done := map[string]bool{}
		for _, line := range audit(t, p, "audit.mjs") {
			var result struct{ ID, Name, Status, Reason string }
			if err := json.Unmarshal(line, &result); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			done[result.ID] = true
			if result.Status != "ok" {
				t.Errorf("%s %s: %s: %s", result.Status, result.ID, result.Name, result.Reason)
			}
		}
		if len(done) != audits {
			t.Errorf("%d audits were done, want %d", len(done), audits)
		}
	})
}

// TestGraphQLTools checks that the introspection queries of common tools, which are very long, are
// answered.
func TestGraphQLTools(t *testing.T) {
	const tools = 4
	installAudit(t)
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		lines := audit(t, p, "introspect.mjs")
		for _, line := range lines {
			var built struct{ Types int }
			if err := json.Unmarshal(line, &built); err != nil || built.Types < 60 {
				t.Errorf("got %s", line)
			}
		}
		if len(lines) != tools {
			t.Errorf("%d tools, want %d", len(lines), tools)
		}
	})
}

func installAudit(t *testing.T) {
	t.Helper()
	install(t, "audit")
}

// install installs the packages of a folder.
func install(t *testing.T, folder string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "../../../scripts/npm-ci", folder).
		CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// audit runs a program of the folder audit against the service's GraphQL, and returns the JSON values it prints.
func audit(t *testing.T, p *shoptest.Place, program string) []json.RawMessage {
	return node(t, p, "audit", program)
}

// node runs a program of a folder against the service's GraphQL, and returns the JSON values it prints.
func node(t *testing.T, p *shoptest.Place, folder, program string, arguments ...string) []json.RawMessage {
	t.Helper()
	return runNode(t, folder, append([]string{program, p.URL + "/graphql"}, arguments...)...)
}

// runAudit runs a program of the folder audit, and returns the JSON values it prints.
func runAudit(t *testing.T, args ...string) []json.RawMessage {
	t.Helper()
	return runNode(t, "audit", args...)
}

// runNode runs a program of a folder, and returns the JSON values it prints.
func runNode(t *testing.T, folder string, args ...string) (lines []json.RawMessage) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "node", args...)
	command.Dir = folder
	var failed bytes.Buffer
	command.Stderr = &failed
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s%s", err, out, failed.Bytes())
	}
	for printed := json.NewDecoder(bytes.NewReader(out)); ; {
		var line json.RawMessage
		if err := printed.Decode(&line); err == io.EOF {
			return lines
		} else if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		lines = append(lines, line)
	}
}
