package hostname

import (
	"strings"
	"testing"
)

func TestNormalize(t *testing.T) {
	long := strings.Repeat(strings.Repeat("a", 62)+".", 4)
	for raw, want := range map[string]string{
		"shop.ir":                           "shop.ir",
		"Shop.IR":                           "shop.ir",
		"shop.ir.":                          "shop.ir",
		"www.shop.ir":                       "www.shop.ir",
		"localhost":                         "localhost",
		"1shop.ir":                          "1shop.ir",
		"my-shop.co.uk":                     "my-shop.co.uk",
		"فروشگاه.ایران":                     "xn--mgbtj4c7ad63e.xn--mgba3a4f16a",
		"xn--mgbtj4c7ad63e.XN--mgba3a4f16a": "xn--mgbtj4c7ad63e.xn--mgba3a4f16a",
		"bücher.example":                    "xn--bcher-kva.example",
		"BÜCHER.example":                    "xn--bcher-kva.example",
		"straße.de":                         "xn--strae-oqa.de",
		"ｓｈｏｐ．ｉｒ":                           "shop.ir",
		"shop。ir":                           "shop.ir",
		long + "b":                          long + "b",
		strings.Repeat("a", 63) + ".ir":     strings.Repeat("a", 63) + ".ir",
	} {
		if got, ok := Normalize(raw); !ok || got != want {
			t.Errorf("%q is %q, %v; want %q", raw, got, ok, want)
		}
	}
}

func TestNormalizeRefuses(t *testing.T) {
	for _, raw := range []string{
		"", ".", "..", "shop.ir..", ".shop.ir", "shop..ir", "shop.ir。", "http://shop.ir",
		"shop.ir:443", "shop.ir/", "a@shop.ir",
		"my_shop.ir", "my shop.ir", " shop.ir", "shop.ir\n", "shop\x00.ir", "shop.ir\xff", "-shop.ir",
		"shop-.ir", "ab--cd.ir",
		"*.ir", "%73hop.ir", "127.0.0.1", "[::1]", "::1", "2130706433", "xn--", "xn--.ir", "xn--a.ir",
		"xn--shop-.ir", "xn--\u0627.ir",
		"\u200c.ir", "shop\u2024ir/", "شاپ1a.ir", "1شاپ.ir", "\u0301a.ir", "a\uFFFD.ir", "a\u0378.ir",
		"\u0378",
		strings.Repeat("a", 64) + ".ir", strings.Repeat(strings.Repeat("a", 62)+".", 4) + "bc",
		strings.Repeat("پ", 60) + ".ir", strings.Repeat("a.", 500) + "ir",
	} {
		if got, ok := Normalize(raw); ok {
			t.Errorf("%q is taken for %q", raw, got)
		}
	}
}

func TestCheckTenant(t *testing.T) {
	for domain, want := range map[string]string{
		"shop.ir":              "",
		"shop.co.ir":           "",
		"api.ir":               "",
		"www.ir":               "",
		"apishop.ir":           "",
		"shop.api.ir":          "",
		"xn--mgbtj4c7ad63e.ir": "",
		"Shop.ir":              "must be written as shop.ir",
		"shop.ir.":             "must be written as shop.ir",
		"فروشگاه.ir":           "must be written as xn--mgbtj4c7ad63e.ir",
		"localhost":            "must have a dot",
		"":                     "must be a host name, without a scheme or a port",
		"http://shop.ir":       "must be a host name, without a scheme or a port",
		"shop.ir:80":           "must be a host name, without a scheme or a port",
		"my_shop.ir":           "must be a host name, without a scheme or a port",
		"10.0.0.1":             "must be a host name, without a scheme or a port",
		"www.shop.ir":          "must not begin with www., which is an address of shop.ir",
		"api.shop.ir":          "must not begin with api., which is an address of shop.ir",
		"customer.shop.co.ir":  "must not begin with customer., which is an address of shop.co.ir",
		"business.shop.ir":     "must not begin with business., which is an address of shop.ir",
	} {
		got := ""
		if err := CheckTenant(domain); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", domain, got, want)
		}
	}
}

func FuzzNormalize(f *testing.F) {
	for _, raw := range []string{
		"Shop.IR.", "فروشگاه.ایران", "xn--mgbtj4c7ad63e.ir", "xn--a-.ir", "straße.de", "ｘn--a.ir", "1.1.1.1",
	} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		name, ok := Normalize(raw)
		if !ok {
			if CheckTenant(raw) == nil {
				t.Errorf("%q is no host name but a tenant's", raw)
			}
			return
		}
		if again, ok := Normalize(name); !ok || again != name {
			t.Errorf("Normalize(%q) = %q: got %q, %v when normalized again, want the same", raw, name, again, ok)
		}
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" || name == "" || len(name) > nameLimit {
			t.Errorf("%q is %q", raw, name)
		}
		if CheckTenant(raw) == nil && raw != name {
			t.Errorf("%q is stored as it is, but looked up as %q", raw, name)
		}
	})
}

func BenchmarkNormalize(b *testing.B) {
	for name, raw := range map[string]string{"ascii": "shop.example.ir", "unicode": "فروشگاه.ایران"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Normalize(raw)
			}
		})
	}
}
