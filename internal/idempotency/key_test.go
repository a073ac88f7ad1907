package idempotency

import (
	"strings"
	"testing"
)

func FuzzParseKey(f *testing.F) {
	for _, seed := range []string{"a", "", " ", "a b", "é", "\x00", "~!", strings.Repeat("k", 255), strings.Repeat("k", 256)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		key, err := ParseKey([]string{header})
		visible := len(header) >= 1 && len(header) <= 255
		for _, c := range []byte(header) {
			visible = visible && c >= 0x21 && c <= 0x7e
		}
		if (err == nil) != visible || err == nil && key != header || err != nil && key != "" {
			t.Errorf("%q: %q, %v", header, key, err)
		}
	})
}
