package crawl

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

// TestPageMarks checks that marks are read back, and that other texts are refused.
func TestPageMarks(t *testing.T) {
	now := PageMark{time.Date(2026, 11, 15, 12, 0, 0, 123456000, time.UTC), uuid.New()}
	for _, m := range []PageMark{firstMark, lastMark, now} {
		if got, ok := parsePageMark(m.String()); !ok || got != m {
			t.Errorf("%s: got %v %t, want %v", m, got, ok, m)
		}
	}
	good := lastMark.String()
	for _, text := range []string{"", "0", good[1:], "0" + good, "-" + good[1:], "+" + good[1:], "F" + good[1:],
		"f" + good[1:], good[:47] + "g", "7" + good[1:]} {
		if got, ok := parsePageMark(text); ok {
			t.Errorf("%q: got %v, want none", text, got)
		}
	}
}
