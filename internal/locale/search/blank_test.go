package search_test

import (
	"testing"

	"storefront/internal/locale/search"
)

func TestIsBlank(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, " \t\r\n": true, "\u00a0\u2003\u3000": true, "\u200b\u200c\u200d\u2060\ufeff": true,
		"\u200e\u202b\u2066": true, "\u00ad": true, "\u034f": true, "\u115f\u1160\u3164\uffa0": true,
		"\u2800": true, "\ufe0f": true, "\U000e0100\U000e0041": true, "\u2028\u2029": true, "\x01": true,
		"a": false, " ی ": false, "می\u200cروم": false, "❤\ufe0f": false, ".": false, "\u0301": false,
	} {
		if got := search.IsBlank(text); got != want {
			t.Errorf("IsBlank(%q): got %v, want %v", text, got, want)
		}
	}
}
