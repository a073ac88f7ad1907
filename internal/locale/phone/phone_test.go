package phone_test

import (
	"testing"

	"storefront/internal/locale/phone"
)

func TestNormalize(t *testing.T) {
	for typed, want := range map[string]string{
		"09121234567":                   "+989121234567",
		"9121234567":                    "+989121234567",
		"9891234567":                    "+989891234567", // the "9 alone" form
		"989123456789":                  "+989123456789",
		"+989121234567":                 "+989121234567",
		"00989121234567":                "+989121234567",
		"+98 0912 123 4567":             "+989121234567",
		"۰۹۱۲-۱۲۳-۴۵۶۷":                 "+989121234567",
		"\u202a0912 1234567":            "+989121234567",
		"\u061c0912\u20111234567\u2060": "+989121234567",
		"0912\u202f123\u20134567":       "+989121234567",
		"+982188776655":                 "+982188776655",
		"+14155550123":                  "+14155550123",
		"+1 (415) 555-0123":             "+14155550123",
		"02188776655":                   "",
		"+98912":                        "",
		"+1234":                         "",
		"14155550123":                   "",
		"tel:+989121234567":             "",
		"":                              "",
		"+1234567890123456789":          "",
	} {
		got, ok := phone.Normalize(typed)
		if ok != (want != "") || ok && got != want {
			t.Errorf("Normalize(%q) = %q, %v; want %q", typed, got, ok, want)
		}
	}
}

func TestIsIn(t *testing.T) {
	for text, want := range map[string]bool{
		"09121234567": true, "0912 123 4567": true, "۰۹۱۲-۱۲۳-۴۵۶۷": true, "+98 912 123 4567": true,
		"9121234567": true, "tel: 0912-123-4567 (home)": true, "0912/123/4567": true,
		"021-88776655 / 09121234567": true,
		"02188776655 09121234567":    true, "09121234567 یا ۰۲۱۸۸۷۷۶۶۵۵": true, "0912\u200e123\u200f4567": true,
		"09351234567-09121234567": true, "0912-123-4567-0935-123-4567": true, "۰９１２１２３４５６７": true,
		"": false, "021-88776655": false, "0912 123 456": false, "0912 123 45678": false, "1 09121234568": false,
		"+1 912 123 4567": false, "109121234567": false, "call me": false, "+98 912 123 4568": false,
	} {
		if got := phone.IsIn(text, "+989121234567"); got != want {
			t.Errorf("IsIn(%q) = %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]bool{
		"call +1 (415) 555-0123": true, "+982188776655": false, "415 555 0123": false,
	} {
		if got := phone.IsIn(text, "+14155550123"); got != want {
			t.Errorf("IsIn(%q) = %v, want %v", text, got, want)
		}
	}
}

func FuzzNormalize(f *testing.F) {
	f.Add("۰۹۱۲۱۲۳۴۵۶۷")
	f.Fuzz(func(t *testing.T, typed string) {
		if once, ok := phone.Normalize(typed); ok {
			if twice, ok := phone.Normalize(once); !ok || twice != once {
				t.Errorf("Normalize(%q): got %q, %v when normalized again, want %q", typed, twice, ok, once)
			}
		}
	})
}
