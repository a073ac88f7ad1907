package search

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// pair is a line of testdata/persian_fold_pairs.csv.
type pair struct{ id, input, fold, compact string }

func readPairs(t testing.TB) []pair {
	t.Helper()
	file, err := os.Open("testdata/persian_fold_pairs.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var pairs []pair
	for _, line := range lines[1:] {
		input, err := strconv.Unquote(`"` + line[1] + `"`)
		if err != nil {
			t.Fatalf("%s: %v", line[0], err)
		}
		pairs = append(pairs, pair{id: line[0], input: input, fold: line[2], compact: line[3]})
	}
	return pairs
}

func TestFoldPairs(t *testing.T) {
	for _, p := range readPairs(t) {
		if got := Fold(p.input); got != p.fold {
			t.Errorf("%s: Fold(%+q) = %q, want %q", p.id, p.input, got, p.fold)
		}
		if got := Compact(p.input); got != p.compact {
			t.Errorf("%s: Compact(%+q) = %q, want %q", p.id, p.input, got, p.compact)
		}
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"no letters", " %_\x00-« » ", ""},
		{"invalid UTF-8 is dropped", "a\xd8b\xff", "ab"},
		{"pattern characters separate", "50%_off", "50 off"},
		{"thousands", "1,234,567.89", "1234567.89"},
		{"a sign needs a digit on both sides", ".5 5. a.5 5.a 1.,2 1,,2", "5 5 a 5 5 a 1 2 1 2"},
		{"a space ends a number", "1, 2 .3", "1 2 3"},
		{"an invisible character does not", "1\u200c,\u200f2", "12"},
		{"Arabic comma", "۱،۲", "12"},
		{"every ye", "ي ى ې ے ۍ ێ ۓ ئ", "ی ی ی ی ی ی ی ی"},
		{"every kaf", "ك ڪ ګ", "ک ک ک"},
		{"every he", "ة ھ ہ ۃ ە ۂ", "ه ه ه ه ه ه"},
		{"every alef", "آ أ إ ٱ ٲ ٳ ٵ", "ا ا ا ا ا ا ا"},
		{"rial sign", "۱۲۰ ﷼", "120 ریال"},
		{"superscript is a number", "m²", "m2"},
		{"dotted capital I", "İzmir", "izmir"},
		{"sharp s", "Straße STRASSE STRAẞE", "strasse strasse strasse"},
		{"final sigma", "ΟΔΟΣ οδός", "οδοσ οδοσ"},
	} {
		if got := Fold(c.in); got != c.want {
			t.Errorf("%s: Fold(%+q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

// TestTag folds tags, whose signs are part of them.
func TestTag(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{" C# ", "c#"}, {"C++", "c++"}, {"C＋＋", "c++"}, {".NET", ".net"}, {"R&D", "r&d"}, {"Node.js", "node.js"},
		{"❤️", "❤"}, {"۱۰۰٪", "100%"}, {"1,200.5", "1200.5"}, {"2. 5", "2. 5"},
		{"ضد-آب", "ضد اب"}, {"«كتاب» (نو)", "کتاب نو"}, {"snake_case", "snake case"},
		{"a,b;c", "a b c"}, {" - ", ""}, {"men’s", "men s"}, {"men's", "men s"},
	} {
		if got := Tag(c.in); got != c.want || Tag(got) != got {
			t.Errorf("Tag(%+q) = %+q, want %+q; again %+q", c.in, got, c.want, Tag(got))
		}
	}
}

func TestPieces(t *testing.T) {
	if got := Pieces(" \u200c- "); got != nil {
		t.Errorf("a query without words gives %q, want nil", got)
	}
	if got := Pieces("فرز، دستگاه ۱٫۵"); !slices.Equal(got, []string{"فرز", "دستگاه", "1.5"}) {
		t.Errorf("got %q", got)
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		text, query string
		found       bool
	}{
		{"کتاب\u200cخانه ملی", "کتابخانه", true},
		{"کتاب\u200cخانه ملی", "کتاب خانه", true},
		{"دستگاه فرز سی\u200cان\u200cسی", "سی ان سی", true},
		{"دستگاه فرز", "فرز دستگاه", true},
		{"پیچ ۱۲", "12", true},
		{"آب میوه گیری", "ابمیوه", true},
		{"کتاب", "کتابخانه", false},
		{"کتاب", "", true},
	} {
		stored, found := Compact(c.text), true
		for _, piece := range Pieces(c.query) {
			found = found && strings.Contains(stored, piece)
		}
		if found != c.found {
			t.Errorf("%q in %q: %v, want %v", c.query, c.text, found, c.found)
		}
	}
}

// TestFoldAndSlugEveryCharacter checks every single character; the fuzz tests check combinations.
func TestFoldAndSlugEveryCharacter(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		checkFold(t, string(r))
		checkSlug(t, string(r))
	}
}

func checkFold(t *testing.T, s string) {
	t.Helper()
	folded := Fold(s)
	if again := Fold(folded); again != folded {
		t.Errorf("Fold(%+q): got %+q when folded again, want %+q", s, again, folded)
	}
	if tag := Tag(s); Tag(tag) != tag {
		t.Errorf("Tag(%+q): got %+q of the tag itself, want %+q", s, Tag(tag), tag)
	}
	for i, r := range folded {
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r):
		case r == '.' && i > 0 && isDigit(rune(folded[i-1])) && i+1 < len(folded) && isDigit(rune(folded[i+1])):
		case r == ' ' && i > 0 && folded[i-1] != ' ' && i+1 < len(folded):
		default:
			t.Errorf("Fold(%+q) = %+q holds %+q at %d", s, folded, r, i)
		}
	}
}

func checkSlug(t *testing.T, s string) {
	t.Helper()
	slug := Slug(s)
	if again := Slug(slug); again != slug {
		t.Errorf("Slug(%+q): got %+q of the slug itself, want %+q", s, again, slug)
	}
	if n := utf8.RuneCountInString(slug); n > slugLimit {
		t.Errorf("Slug(%+q) has %d code points", s, n)
	}
	for _, word := range strings.Split(slug, "-") {
		if word == "" && slug != "" {
			t.Errorf("Slug(%+q) = %+q has an empty word", s, slug)
		}
		for _, r := range word {
			if !unicode.IsLetter(r) && !isDigit(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) {
				t.Errorf("Slug(%+q) = %+q holds %+q", s, slug, r)
			}
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, p := range readPairs(f) {
		f.Add(p.input, "1,")
	}
	f.Add("1.", ".2\xd8")
	f.Fuzz(func(t *testing.T, a, b string) {
		checkFold(t, a)
		checkFold(t, a+b)
		if got, want := Compact(a+" "+b), Compact(a)+Compact(b); got != want {
			t.Errorf("Compact(%+q+space+%+q) = %+q, want %+q", a, b, got, want)
		}
		if got, want := strings.Join(Pieces(a), " "), Fold(a); got != want {
			t.Errorf("Pieces(%+q) join to %+q, want %+q", a, got, want)
		}
	})
}

func BenchmarkFold(b *testing.B) {
	for name, text := range map[string]string{
		"persian": "دستگاه تراش \u200cCNC مدل ۱۲٬۵۰۰ ساخت كتاب\u200cخانهٔ ملي",
		"english": "Lathe, CNC model D-155 with 1,250 rpm and a digital display",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Fold(text)
			}
		})
	}
}
