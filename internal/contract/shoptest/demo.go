package shoptest

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
)

// IsReal checks that no member of an answer is empty: `{}`, `null` or `[]`.
func (p *Place) IsReal(t *testing.T, status int, request string) {
	t.Helper()
	got := p.Ask(t, request)
	if got.Status != status {
		t.Errorf("%s: status %d, want %d: %s", request, got.Status, status, got.Body)
		return
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(got.Body, &members); err != nil || len(members) == 0 {
		t.Errorf("%s answers nothing: got %s", request, got.Body)
	}
	for name, member := range members {
		nothing := []string{"null", "[]", "{}", "0"}
		// a record may lack some of its own
		if len(members) <= 4 && slices.Contains(nothing, string(bytes.TrimSpace(member))) {
			t.Errorf("%s has no %s: got %s", request, name, got.Body)
		}
	}
}
