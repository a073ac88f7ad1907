package idempotency

import (
	"strings"
	"testing"

	"storefront/internal/fault"
)

func FuzzParseKey(f *testing.F) {
	for _, seed := range []string{
		"a", "", " ", "a b", "é", "\x00", "~!", strings.Repeat("k", 255), strings.Repeat("k", 256),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		var bad fault.Fields
		key := ParseKey([]string{header}, &bad)
		visible := len(header) >= 1 && len(header) <= 255
		for _, c := range []byte(header) {
			visible = visible && c >= 0x21 && c <= 0x7e
		}
		if (len(bad) == 0) != visible || visible && key != header || !visible && key != "" {
			t.Errorf("%q: %q, %v", header, key, bad)
		}
	})
}
