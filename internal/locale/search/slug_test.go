package search

import (
	"strings"
	"testing"
)

func TestSlug(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"mixed", "دستگاه تراش CNC مدل ۲۰۰", "دستگاه-تراش-cnc-مدل-200"},
		{"Arabic letters", "كتاب\u200cخانه ملي", "کتاب-خانه-ملی"},
		{"alef maksura", "علىٰ", "علی"},
		{"alef keeps its madda", "آب", "آب"},
		{"composed from its parts", "ا\u0653ب", "آب"},
		{"marks and tatweel", "مُدَرِّســـه", "مدرسه"},
		{"Arabic digits", "٠١٢", "012"},
		{"full-width digits", "ａ１２", "ａ12"},
		{"digits of other scripts", "१२९\U0001D7D8\U0001D7FF", "12909"},
		{"letters that nobody sees", "a\u1160\u3164b\u115f\uffa0", "ab"},
		{"nothing to be seen", "\u3164\u1160", ""},
		{"direction marks", "\u202bفارسی\u202c\u200f", "فارسی"},
		{"Latin keeps its accents", "Café ÉLAN", "café-élan"},
		{"squeezed and trimmed", "--a -_% b!!", "a-b"},
		{"superscript is no digit", "m²", "m"},
		{"invalid UTF-8", "a\xffb", "ab"},
		{"nothing usable", " ?\u200c! ", ""},
		{"empty", "", ""},
		{"cut to its limit", strings.Repeat("پ", 300), strings.Repeat("پ", slugLimit)},
		{"cut before a hyphen", strings.Repeat("a", 99) + " b", strings.Repeat("a", 99)},
		{"a hyphen counts", strings.Repeat("a", 98) + " bc", strings.Repeat("a", 98) + "-b"},
		{"Hangul parts that meet once a mark is gone", "\u1100\u0335\u1161", "\uAC00"},
	} {
		if got := Slug(c.in); got != c.want {
			t.Errorf("%s: Slug(%+q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func FuzzSlug(f *testing.F) {
	f.Add("كتاب\u200cخانه ملي ۲۰۰")
	f.Add("\u1100\u0335\u1161\u11a8")
	f.Add(strings.Repeat("\u1161", 120))
	f.Fuzz(func(t *testing.T, s string) { checkSlug(t, s) })
}

func BenchmarkSlug(b *testing.B) {
	for name, text := range map[string]string{
		"title": "دستگاه تراش CNC مدل ۲۰۰",
		"slug":  "دستگاه-تراش-cnc-مدل-200",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Slug(text)
			}
		})
	}
}
