package account

import (
	"regexp"
	"testing"

	"storefront/ent"
	"storefront/internal/locale/language"
)

// TestNewCode checks that codes have six digits, leading zeros included, and that every digit is equally
// likely.
func TestNewCode(t *testing.T) {
	form := regexp.MustCompile(`^[0-9]{6}$`)
	const codes = 60_000
	var counts [6][10]int
	for range codes {
		code := newCode()
		if !form.MatchString(code) {
			t.Fatalf("got %q", code)
		}
		for place, digit := range code {
			counts[place][digit-'0']++
		}
	}
	for place := range counts {
		for digit, n := range counts[place] {
			if n < codes/10-600 || n > codes/10+600 { // eight standard deviations
				t.Errorf("%d stands %d times at place %d", digit, n, place)
			}
		}
	}
}

func TestMessageWith(t *testing.T) {
	tools := &shop{&ent.Tenant{Name: "Tools", NameFa: "ابزار", Domain: "tools.ir"}, "tools.example"}
	plain := &shop{&ent.Tenant{Name: "Mugs", NameFa: "Mugs", Domain: "mugs.ir"}, "mugs.example"}
	for _, one := range []struct {
		shop *shop
		in   language.Language
		want string
	}{
		{nil, language.Farsi, "کد تأیید شما: 123456"},
		{nil, language.English, "Your code: 123456"},
		{tools, language.Farsi, "کد تأیید شما در ابزار: 123456\n\n@tools.example #123456"},
		{tools, language.English, "123456 is your code at Tools (ابزار)\n\n@tools.example #123456"},
		{plain, language.English, "123456 is your code at Mugs\n\n@mugs.example #123456"},
	} {
		if got := one.shop.messageWith("123456", one.in); got != one.want {
			t.Errorf("%q, want %q", got, one.want)
		}
	}
}

// TestMAC checks that the stored MAC of a code differs for each cell and key.
func TestMAC(t *testing.T) {
	one, other := &Service{codeKey: []byte("one")}, &Service{codeKey: []byte("other")}
	seen := map[string]bool{}
	for _, s := range []*Service{one, other} {
		for _, cell := range []string{"+989121234567", "+989121234568"} {
			for _, code := range []string{"123456", "123457"} {
				seen[string(s.mac(cell, code))] = true
			}
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d of 8 are different", len(seen))
	}
	if string(one.mac("+98912", "1234567")) == string(one.mac("+989121", "234567")) {
		t.Error("cell and code flow into one another")
	}
}
