package secondfactor

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestCodesOfTheStandard has the vectors of RFC 6238, appendix B, for SHA-1: the last six of their eight digits.
func TestCodesOfTheStandard(t *testing.T) {
	secret := []byte("12345678901234567890")
	for at, want := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037",
		20000000000: "353130",
	} {
		if got := codeAt(secret, stepOf(time.Unix(at, 0))); got != want {
			t.Errorf("at %d: got %s, want %s", at, got, want)
		}
	}
}

// TestCodesAreTakenForAMinuteAndAHalf checks that the clock of a phone may be off by one step, and no more.
func TestCodesAreTakenForAMinuteAndAHalf(t *testing.T) {
	secret, now := newSecret(), time.Unix(1_800_000_015, 0)
	for off := int64(-3); off <= 3; off++ {
		step, ok := matches(secret, codeAt(secret, stepOf(now)+off), now)
		if want := off >= -1 && off <= 1; ok != want || ok && step != stepOf(now)+off {
			t.Errorf("%d steps off: got %d, %t, want %t", off, step, ok, want)
		}
	}
}

// TestAddress checks that the secret and any names can be read back from an address.
func TestAddress(t *testing.T) {
	secret := newSecret()
	for _, issuer := range []string{"Lamp House", "چراغ‌خانه", "A+B & C/D?", "Me: you"} {
		got, err := url.Parse(address(secret, issuer, "+989121110001"))
		if err != nil {
			t.Fatal(err)
		}
		issuer = strings.ReplaceAll(issuer, ":", " ")
		if got.Scheme != "otpauth" || got.Host != "totp" || got.Path != "/"+issuer+":+989121110001" ||
			got.Query().Get("issuer") != issuer || got.Query().Get("secret") != encoding.EncodeToString(secret) {
			t.Errorf("%s: got %s", issuer, got)
		}
	}
}

func TestRecoveryCodes(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		code := newRecoveryCode()
		if !regexp.MustCompile(`^[a-z2-7]{4}(-[a-z2-7]{4}){3}$`).MatchString(code) || seen[code] || isOfApp(code) {
			t.Errorf("got %s", code)
		}
		seen[code] = true
	}
}
