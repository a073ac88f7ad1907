package document

import "testing"

func TestIsOneLine(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "Sara Karimi": true, "می\u200cروم": true, "a\u00a0b": true,
		"a\nb": false, "a\rb": false, "a\tb": false, "a\x00": false, "a\u0085b": false,
		"a\u2028b": false, "a\u2029b": false, "a\x7f": false, "a\x1b[2J": false,
	} {
		if got := isOneLine(text); got != want {
			t.Errorf("isOneLine(%q) = %v", text, got)
		}
	}
}
