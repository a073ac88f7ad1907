package money

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"testing/quick"
	"time"
)

func TestExponent(t *testing.T) {
	for currency, want := range map[string]int{
		"IRR": 0, "IRT": 0, "JPY": 0, "USD": 2, "EUR": 2, "AED": 2, "TRY": 2, "KWD": 3, "IQD": 3, "OMR": 3,
	} {
		if got, ok := Exponent(currency); !ok || got != want {
			t.Errorf("%s has %d decimals (known: %v), want %d", currency, got, ok, want)
		}
	}
	for _, code := range []string{"", "usd", "US", "USD ", "CLF", "UYW", "XAU", "XXX", "IRHT", "DEM", "HRK"} {
		if _, ok := Exponent(code); ok {
			t.Errorf("%q is taken for a currency", code)
		}
	}
}

func TestCurrencyCodes(t *testing.T) {
	listed := 0
	for _, codes := range []string{withoutDecimals, withTwo, withThree} {
		listed += len(strings.Fields(codes))
	}
	if listed != len(exponents) {
		t.Errorf("got %d different codes, want %d", len(exponents), listed)
	}
	for code := range exponents {
		if len(code) != 3 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			t.Errorf("%q is no code", code)
		}
	}
}

func TestAmountString(t *testing.T) {
	for want, amount := range map[string]Amount{
		"12.50":                {1250, "USD"},
		"0.05":                 {5, "USD"},
		"0.00":                 {0, "EUR"},
		"-0.05":                {-5, "USD"},
		"1250000":              {1250000, "IRT"},
		"0":                    {0, "IRR"},
		"1.005":                {1005, "KWD"},
		"7":                    {7, "a code nobody knows"},
		"90071992547409.91":    {Max, "USD"},
		"-9223372036854775808": {math.MinInt64, "IRR"},
	} {
		if got := amount.String(); got != want {
			t.Errorf("%+v prints as %s, want %s", [2]any{amount.Minor, amount.Currency}, got, want)
		}
	}
	if got := string(Amount{1250, "USD"}.AppendJSON([]byte(`{"price":`))); got != `{"price":12.50` {
		t.Errorf("appended: got %s", got)
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text, currency string
		want           int64
	}{
		{"12.5", "USD", 1250},
		{"12.50", "USD", 1250},
		{"12.500000", "USD", 1250},
		{"0.01", "USD", 1},
		{"0", "USD", 0},
		{"-0.0e5", "USD", 0},
		{"0e999999999999999999999", "USD", 0},
		{"1.2e3", "IRT", 1200},
		{"1.2E+3", "IRT", 1200},
		{"1200e-2", "IRT", 12},
		{"1" + strings.Repeat("0", 5000) + "e-5000", "IRT", 1},
		{"0." + strings.Repeat("0", 4999) + "1e5000", "IRT", 1},
		{"5.0", "IRT", 5},
		{"1.005", "KWD", 1005},
		{"9007199254740991", "IRR", Max},
		{"90071992547409.91", "USD", Max},
	} {
		if got, err := Parse(c.text, c.currency); err != nil || got != c.want {
			t.Errorf("%.40s %s is %d, %v; want %d", c.text, c.currency, got, err, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ text, currency, want string }{
		{"1.5", "IRT", "has more decimals than IRT allows"},
		{"1.005", "USD", "has more decimals than USD allows"},
		{"1e-3", "USD", "has more decimals than USD allows"},
		{"1e-999999999999999999999", "USD", "has more decimals than USD allows"},
		{"-1", "USD", "must not be negative"},
		{"-1e-400", "USD", "must not be negative"},
		{"9007199254740992", "IRT", "must not be above 9007199254740991 IRT"},
		{"90071992547409.92", "USD", "must not be above 90071992547409.91 USD"},
		{"9223372036854775808", "IRT", "must not be above 9007199254740991 IRT"},
		{"1e999999999999999999999", "IRT", "must not be above 9007199254740991 IRT"},
		{"1", "CLF", "is in a currency that is not known"},
		{"1", "", "is in a currency that is not known"},
	} {
		if _, err := Parse(c.text, c.currency); err == nil || err.Error() != c.want {
			t.Errorf("%s %s: %v, want %q", c.text, c.currency, err, c.want)
		}
	}
	for _, text := range notNumbers {
		if n, err := Parse(text, "USD"); err == nil || err.Error() != "must be a number" {
			t.Errorf("%q is read as %d, %v", text, n, err)
		}
	}
}

var notNumbers = []string{
	"", " ", "-", "+1", ".5", "5.", "01", "00", "1 ", " 1", "1e", "1e+", "1e1.5", "1ee1", "1.2.3", "--1", "0x10",
	"1_000",
	"1,000", "NaN", "Infinity", "null", `"1"`, "۱۲", "1e۲", "1\x00",
}

func TestMilli(t *testing.T) {
	for _, c := range []struct {
		minor    int64
		currency string
		want     int64
	}{
		{1250, "USD", 12500}, {1005, "KWD", 1005}, {7, "IRT", 7000}, {Max, "IRR", Max * 1000},
	} {
		if got := Milli(c.minor, c.currency); got != c.want {
			t.Errorf("%d of %s is %d thousandths, want %d", c.minor, c.currency, got, c.want)
		}
	}
}

func TestParseMilli(t *testing.T) {
	for _, c := range []struct {
		text     string
		down, up int64
	}{
		{"0", 0, 0},
		{"-0", 0, 0},
		{"12.5", 12500, 12500},
		{"0.001", 1, 1},
		{"0.0001", 0, 1},
		{"0.0019", 1, 2},
		{"1e-999999999", 0, 1},
		{"1e999999999", math.MaxInt64, math.MaxInt64},
		{"1e999999999999999999999", math.MaxInt64, math.MaxInt64},
		{"9223372036854775.806", math.MaxInt64 - 1, math.MaxInt64 - 1},
		{"9223372036854775.8061", math.MaxInt64 - 1, math.MaxInt64},
		{"9223372036854775.8071", math.MaxInt64, math.MaxInt64},
		{"9223372036854775.808", math.MaxInt64, math.MaxInt64},
	} {
		for up, want := range map[bool]int64{false: c.down, true: c.up} {
			if got, err := ParseMilli(c.text, up); err != nil || got != want {
				t.Errorf("%s, up %v: %d, %v; want %d", c.text, up, got, err, want)
			}
		}
	}
	for _, text := range append(notNumbers, "-1", "-0.0001", "-1e-999999999") {
		if n, err := ParseMilli(text, true); err == nil {
			t.Errorf("%q is read as %d", text, n)
		}
	}
}

func TestCompare(t *testing.T) {
	ascending := []string{
		"-1e999999999", "-2", "-1.10", "-1.0999999999999999999999", "-1e-324", "-1e-999999999", "0",
		"1e-999999999", "1e-324", "0.09999999999999999999999", "1e-1", "9007199254740992.9",
		"9007199254740993", "9007199254740993.0000000001", "1e16",
		"1e400", "1.5e400", "1e999999999",
	}
	for i, a := range ascending {
		for j, b := range ascending {
			if got := Compare(a, b); got != cmp.Compare(i, j) {
				t.Errorf("%s and %s: %d, want %d", a, b, got, cmp.Compare(i, j))
			}
		}
	}
	for _, zero := range []string{"-0", "0.000", "-0e5", "0e-999999999"} {
		if Compare(zero, "0") != 0 || Compare("0", zero) != 0 {
			t.Errorf("%s is not 0", zero)
		}
	}
	if Compare("1.50", "15e-1") != 0 {
		t.Error("1.50 is not 15e-1")
	}
}

func FuzzCompare(f *testing.F) {
	for _, text := range append(notNumbers, "12.5", "-0.0001", "-1e-324", "1e400", "9007199254740993") {
		f.Add(text, "0")
		f.Add("-12.50", text)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		got := Compare(a, b)
		if back := Compare(b, a); got != -back {
			t.Errorf("Compare(%s, %s): got %d the other way round, want %d", a, b, back, -got)
		}
		_, err := readSigned(a)
		_, errB := readSigned(b)
		one, ok := rational(a)
		other, okB := rational(b)
		if err == nil && errB == nil && ok && okB && got != one.Cmp(other) {
			t.Errorf("%s and %s: %d, want %d", a, b, got, one.Cmp(other))
		}
	})
}

func TestHugeExponentsAreCheap(t *testing.T) {
	start := time.Now()
	allocated := testing.AllocsPerRun(1000, func() {
		for _, text := range []string{"1e999999999", "1e-999999999", "1e" + strings.Repeat("9", 1000)} {
			ParseMilli(text, true)
			Parse(text, "USD")
			Compare(text, "-1e-999999999")
		}
	})
	if spent := time.Since(start); allocated > 100 || spent > 5*time.Second {
		t.Errorf("%v allocations, %v for a thousand rounds", allocated, spent)
	}
}

func TestWhatPrintsIsParsed(t *testing.T) {
	for currency := range exponents {
		back := func(n uint64) bool {
			minor := int64(n % (Max + 1))
			got, err := Parse(Amount{minor, currency}.String(), currency)
			return err == nil && got == minor
		}
		if err := quick.Check(back, nil); err != nil {
			t.Errorf("%s: %v", currency, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"12.50", "1.2e3", "1200e-2", "9007199254740991", "0.001", "-0"} {
		f.Add(text, "USD")
		f.Add(text, "IRT")
		f.Add(text, "KWD")
	}
	f.Fuzz(func(t *testing.T, text, currency string) {
		minor, err := Parse(text, currency)
		if err != nil {
			return
		}
		if minor < 0 || minor > Max {
			t.Fatalf("%s %s is %d, out of range", text, currency, minor)
		}
		printed := Amount{minor, currency}.String()
		if again, err := Parse(printed, currency); err != nil || again != minor {
			t.Errorf("%s %s: got %d, %v when %s, as it prints, is read; want %d", text, currency,
				again, err, printed, minor)
		}
		if value, ok := rational(text); ok && value.Cmp(mustRational(t, printed)) != 0 {
			t.Errorf("%s %s is printed as %s", text, currency, printed)
		}
	})
}

func FuzzParseMilli(f *testing.F) {
	for _, text := range append(notNumbers, "12.5", "0.0001", "1e-9", "9223372036854775.8061", "1e999999999") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		down, err := ParseMilli(text, false)
		up, errUp := ParseMilli(text, true)
		if (err == nil) != (errUp == nil) {
			t.Fatalf("%q: down %v, up %v", text, err, errUp)
		}
		if err != nil {
			return
		}
		if down < 0 || up < down || up-down > 1 {
			t.Errorf("%s is %d to %d", text, down, up)
		}
		for _, milli := range []int64{down, up} {
			printed := string(appendDecimal(nil, milli, 3))
			for _, round := range []bool{false, true} {
				if again, err := ParseMilli(printed, round); err != nil || again != milli {
					t.Errorf("%s: got %d, %v when %s, as it prints, is read; want %d", text, again, err, printed, milli)
				}
			}
		}
		value, ok := rational(text)
		if !ok || up == math.MaxInt64 {
			return
		}
		value.Mul(value, big.NewRat(1000, 1))
		if value.Cmp(big.NewRat(down, 1)) < 0 || value.Cmp(big.NewRat(up, 1)) > 0 || value.IsInt() && up != down {
			t.Errorf("%s is %s thousandths, read as %d to %d", text, value, down, up)
		}
	})
}

// rational returns the value of an accepted number as computed by math/big; ok is false if it is too long
// for that.
func rational(text string) (*big.Rat, bool) {
	if _, exponent, ok := strings.Cut(strings.ToLower(text), "e"); ok {
		if n, err := strconv.Atoi(exponent); err != nil || n < -500 || n > 500 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}

func mustRational(t *testing.T, text string) *big.Rat {
	t.Helper()
	value, ok := rational(text)
	if !ok {
		t.Fatalf("%s is no number", text)
	}
	return value
}

func BenchmarkAppendJSON(b *testing.B) {
	buffer := make([]byte, 0, 64)
	b.ReportAllocs()
	for b.Loop() {
		Amount{1250000, "USD"}.AppendJSON(buffer)
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Parse("12500.50", "USD")
	}
}
