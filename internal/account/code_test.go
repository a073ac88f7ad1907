package account

import (
	"net/netip"
	"regexp"
	"testing"

	"storefront/ent"
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
			t.Fatalf("%q", code)
		}
		for place, digit := range code {
			counts[place][digit-'0']++
		}
	}
	for place := range counts {
		for digit, n := range counts[place] {
			if n < codes/10-600 || n > codes/10+600 { // eight deviations
				t.Errorf("%d stands %d times at place %d", digit, n, place)
			}
		}
	}
}

func TestMessageWith(t *testing.T) {
	if got := (*shop)(nil).messageWith("123456"); got != "کد تأیید شما: 123456" {
		t.Errorf("%q", got)
	}
	tools := &shop{&ent.Tenant{Name: "Tools", NameFa: "ابزار", Domain: "tools.example"}}
	if got := tools.messageWith("123456"); got != "کد تأیید شما در ابزار: 123456\n\n@tools.example #123456" {
		t.Errorf("%q", got)
	}
}

// TestMAC checks that what is stored of a code differs for each cell and key.
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

func TestNetwork(t *testing.T) {
	for address, want := range map[string]string{
		"203.0.113.7": "203.0.113.7", "::ffff:203.0.113.7": "203.0.113.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
		"2001:db8:1:2::": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64", "::1": "::/64",
	} {
		if got := network(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s is in %s, want %s", address, got, want)
		}
	}
	_ = network(netip.Addr{}) // an unknown address must not panic
}
