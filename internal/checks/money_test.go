package checks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMoneyIsNoFloat checks that the packages that calculate with amounts use no floats.
func TestMoneyIsNoFloat(t *testing.T) {
	for _, dir := range []string{"internal/locale/money", "internal/sale/cart", "internal/sale/order"} {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, files, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for number, line := range strings.Split(string(text), "\n") {
				code, _, _ := strings.Cut(line, "//")
				if strings.Contains(strings.ToLower(code), "float") {
					t.Errorf("%s:%d: %s", file, number+1, line)
				}
			}
		}
	}
}
