package order

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
)

// TestIBANsAreKept writes 300 valid IBANs in all the ways in which people write them.
func TestIBANsAreKept(t *testing.T) {
	farsi := strings.NewReplacer("0", "۰", "1", "۱", "2", "۲", "3", "۳", "4", "۴", "5", "۵", "6", "۶", "7", "۷",
		"8", "۸", "9", "۹")
	for i := range 300 {
		account := fmt.Sprintf("%03d%019d", 10+i%60, int64(i)*123_456_789_012_347)
		check, _ := new(big.Int).SetString(account+"182700", 10) // IR is 18 and 27
		digits := fmt.Sprintf("%02d%s", 98-check.Mod(check, big.NewInt(97)).Int64(), account)
		grouped := ""
		for n, digit := range digits {
			if n > 0 && n%4 == 2 {
				grouped += " "
			}
			grouped += string(digit)
		}
		for _, note := range []string{
			"IR" + digits, "ir " + digits, "IR" + grouped, "Refund to IR-" + strings.ReplaceAll(grouped, " ", "-"),
			"واریز به IR" + farsi.Replace(grouped), "شبا: " + grouped,
			"شبا" + farsi.Replace(digits), "Sheba " + grouped,
		} {
			if got := withoutCards(&note); *got != note {
				t.Errorf("%q became %q", note, *got)
			}
		}
	}
}

// TestCardsBesideDomainsAreMasked checks that a domain that ends with .ir, and IR itself, protect no card number.
func TestCardsBesideDomainsAreMasked(t *testing.T) {
	for note, want := range map[string]string{
		"ali@mail.ir 6037997512345670":       "ali@mail.ir ****5670",
		"ali@mail.ir: 6037-9975-1234-5670":   "ali@mail.ir: ****5670",
		"https://shop.ir 6037997512345670":   "https://shop.ir ****5670",
		"IR 6037997512345670":                "IR ****5670",
		"شبا 6037997512345670":               "شبا ****5670",
		"my-ir 6037 9975 1234 5670 tomorrow": "my-ir ****5670 tomorrow",
	} {
		if got := withoutCards(&note); *got != want {
			t.Errorf("%q became %q, want %q", note, *got, want)
		}
	}
}
