package language

import (
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	for header, want := range map[string]Language{
		"": English, "en": English, "en-GB": English, "de": English, "de, fr;q=0.3": English,
		"und": English, "x-own": English,
		"fa": Farsi, "fa-IR": Farsi, "FA-ir": Farsi, "fa-AF": Farsi, "prs": Farsi, "prs-AF": Farsi,
		"per": Farsi, "fas": Farsi, "pes": Farsi,
		"fa-Arab-IR": Farsi, "fa-IR-x-own": Farsi,

		// neighbours in script or region are other languages
		"ar": English, "ckb": English, "ps": English, "ur": English, "tg": English, "az": English,
		"ur, fa;q=0.1": Farsi, "ar, fa;q=0.1": Farsi,

		"en, fa;q=0.9": English, "fa, en;q=0.9": Farsi, "en;q=0.8, fa": Farsi,
		"en;q=0.123, fa;q=0.124": Farsi, "de, fa;q=0.001": Farsi,
		"fa, en": Farsi, "en, fa": English, "en;q=0.5,fa;q=0.5": English, "fa;q=0.5,en;q=0.5": Farsi,
		"fa;q=1.000, en;q=1.":         Farsi,
		" fa ; q=0.5 ,\ten\t;\tq=0.4": Farsi, "fa;Q=0.5": Farsi, "fa,,": Farsi, ",": English,

		// refused languages, and wildcards
		"fa;q=0": English, "fa;q=0.000": English, "fa;q=0, en;q=0": English, "en;q=0": English,
		"en;q=0, fa;q=0.1": Farsi,
		"*":                English, "*;q=0": English, "en;q=0, *": Farsi, "fa;q=0, *": English, "*, en;q=0.5": Farsi,
		"*;q=0.1, fa;q=0.2": Farsi, "*;q=0.3, fa;q=0.2": English,

		// entries that cannot be parsed are ignored
		"fa;q=2": English, "fa;q=-1": English, "fa;q=abc": English, "fa;q=0.1234": English,
		"fa;q=": English, "fa;q=NaN": English, "fa;q=0x1": English,
		"fa;level=1": English, "fa;q=0.5;q=0.6": English, "fa\x00": English, "f\u0430": English,
		"fa fa": English, "\xff": English,
		"xx, fa": Farsi, "de;q=abc, fa": Farsi, "much-too-long-for-a-tag, fa": Farsi,
		"*;q=2, fa;q=0.1": Farsi,
	} {
		if got := Choose(header); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}

func TestChooseReadsNoLongHeader(t *testing.T) {
	longest := strings.Repeat("de,", (maxHeader-2)/3) + "fa"
	if len(longest) != maxHeader || Choose(longest) != Farsi || Choose(" "+longest) != English {
		t.Errorf("%d bytes: %s, and %s with one more", len(longest), Choose(longest), Choose(" "+longest))
	}
}

func FuzzChoose(f *testing.F) {
	for _, header := range []string{"", "fa-IR,fa;q=0.9,en-US;q=0.8,en;q=0.7", "*;q=0.5, de", "en;q=0",
		";;q=1,-,--", "fa-u-nu-latn", "i-klingon"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if got := Choose(header); got != English && got != Farsi {
			t.Errorf("%q: got %q", header, got)
		}
		if len(header) > maxHeader-len("fa, ") {
			return
		}
		// the first entry with the highest weight is chosen
		if got := Choose("fa, " + header); got != Farsi {
			t.Errorf("%q after fa: got %s", header, got)
		}
		if got := Choose("en, " + header); got != English {
			t.Errorf("%q after en: got %s", header, got)
		}
		// other languages change nothing
		if got, want := Choose("de, "+header), Choose(header); got != want {
			t.Errorf("%q after de: got %s, want %s as without it", header, got, want)
		}
	})
}

// BenchmarkChoose parses typical headers of browsers, and the most expensive header that is read.
func BenchmarkChoose(b *testing.B) {
	for name, header := range map[string]string{
		"browser": "fa-IR,fa;q=0.9,en-US;q=0.8,en;q=0.7", "worst": strings.Repeat("de,", maxHeader/3),
		"refused": strings.Repeat("fa,", 10000),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Choose(header)
			}
		})
	}
}
