// Package money counts in whole numbers: an amount is an int64 of its currency's smallest unit (cents, or
// tomans) and is never a float on its way from a JSON number to the database and back.
package money

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Max is the largest amount, in the smallest unit: the last integer that every JSON client reads exactly.
const Max = 1<<53 - 1

// Amount is a number of the smallest units of a currency. A currency that Exponent does not know has no
// decimals.
type Amount struct {
	Minor    int64
	Currency string
}

// String returns the amount as a plain decimal number with all decimals of its currency and without its
// name: 12.50.
func (a Amount) String() string { return string(a.AppendJSON(nil)) }

// AppendJSON appends the result of String, which is a JSON number, to b.
func (a Amount) AppendJSON(b []byte) []byte {
	decimals, _ := Exponent(a.Currency)
	return appendDecimal(b, a.Minor, decimals)
}

// MarshalJSON writes the amount as the API does.
func (a Amount) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

// Decimals returns the number of decimals of the currency.
func (a Amount) Decimals() int {
	decimals, _ := Exponent(a.Currency)
	return decimals
}

// MinorText returns the number of smallest units as text.
func (a Amount) MinorText() string { return strconv.FormatInt(a.Minor, 10) }

// Times returns n times an amount of 0 to Max; ok is false if that is above Max.
func Times(minor int64, n int) (product int64, ok bool) {
	if n > 0 && minor > Max/int64(n) {
		return 0, false
	}
	return minor * int64(n), true
}

// Plus adds two amounts of 0 to Max; ok is false if the sum is above Max.
func Plus(a, b int64) (sum int64, ok bool) { return a + b, a+b <= Max }

// appendDecimal appends n / 10^decimals to b, with all of its decimals.
func appendDecimal(b []byte, n int64, decimals int) []byte {
	magnitude := uint64(n)
	if n < 0 {
		b = append(b, '-')
		magnitude = -magnitude
	}
	unit := uint64(pow10(decimals))
	b = strconv.AppendUint(b, magnitude/unit, 10)
	if decimals == 0 {
		return b
	}
	start := len(b)
	// its leading 1 keeps the zeros and makes room for the point
	b = strconv.AppendUint(b, unit+magnitude%unit, 10)
	b[start] = '.'
	return b
}

// Parse reads a JSON number in a currency's unit (12.5 and 1.25e1 USD are 1250 cents) exactly. It returns 0
// to Max of the smallest unit. Its errors complete a sentence that begins with a member's name: "must not be
// negative".
func Parse(text, currency string) (int64, error) {
	decimals, ok := Exponent(currency)
	if !ok {
		return 0, errors.New("is in a currency that is not known")
	}
	number, err := read(text)
	if err != nil {
		return 0, err
	}
	minor, exact := number.scaled(decimals)
	switch {
	case minor > Max:
		return 0, fmt.Errorf("must not be above %s %s", Amount{Max, currency}, currency)
	case !exact:
		return 0, fmt.Errorf("has more decimals than %s allows", currency)
	}
	return minor, nil
}

// Milli returns an amount (at most Max of the smallest unit, so nothing overflows) in thousandths of the
// currency's unit. No currency has finer ones, so amounts compare by number across currencies.
func Milli(minor int64, currency string) int64 {
	decimals, _ := Exponent(currency)
	return minor * pow10(3-decimals)
}

// OfMilli returns the amount of so many thousandths of a currency's unit: the inverse of Milli.
func OfMilli(milli int64, currency string) Amount {
	return Amount{Minor: milli / Milli(1, currency), Currency: currency}
}

// ParseMilli reads a JSON number as thousandths, for comparison with Milli. Finer fractions are rounded up
// or down; a number above the largest int64 becomes that, which is above every amount. Its errors complete a
// sentence that begins with a parameter's name.
func ParseMilli(text string, up bool) (int64, error) {
	number, err := read(text)
	if err != nil {
		return 0, err
	}
	milli, exact := number.scaled(3)
	if !exact && up && milli < math.MaxInt64 {
		milli++
	}
	return milli, nil
}

// Compare compares two JSON numbers exactly, whatever their signs and exponents, as cmp.Compare does. A text
// that is not a number counts as 0.
func Compare(a, b string) int {
	one, _ := readSigned(a)
	other, _ := readSigned(b)
	switch sign := one.sign(); {
	case sign != other.sign():
		return cmp.Compare(sign, other.sign())
	case sign > 0:
		return one.compareSize(other)
	case sign < 0:
		return other.compareSize(one)
	}
	return 0
}

// decimal is the number digits × 10^power, with a sign. The digits have no zero at either end, and 0 has none at all.
type decimal struct {
	negative bool
	digits   string
	power    int
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// compareSize compares two numbers that are not 0, without their signs.
func (d decimal) compareSize(other decimal) int {
	whole, others := len(d.digits)+d.power, len(other.digits)+other.power // digits in front of the point
	return cmp.Or(cmp.Compare(whole, others), cmp.Compare(d.digits, other.digits))
}

var errNotNumber = errors.New("must be a number")

// read parses a number that is not negative.
func read(text string) (decimal, error) {
	number, err := readSigned(text)
	if err == nil && number.sign() < 0 {
		err = errors.New("must not be negative")
	}
	return number, err
}

// jsonNumber is the grammar of RFC 8259, section 6: sign, whole part, fraction, exponent.
var jsonNumber = regexp.MustCompile(`^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$`)

// readSigned parses a number. Its time depends on the length of the text, never on the exponent.
func readSigned(text string) (decimal, error) {
	parts := jsonNumber.FindStringSubmatch(text)
	if parts == nil {
		return decimal{}, errNotNumber
	}
	sign, whole, fraction := parts[1], parts[2], parts[3]
	// No text has enough digits to bring a number with a farther exponent back into range.
	const farthest = 1 << 30
	exponent, _ := strconv.Atoi(parts[4]) // an absent exponent is 0; one out of range becomes the nearest in range
	exponent = min(max(exponent, -farthest), farthest)
	significant := strings.TrimLeft(whole+fraction, "0")
	digits := strings.TrimRight(significant, "0")
	return decimal{sign != "" && digits != "", digits, exponent - len(fraction) + len(significant) - len(digits)}, nil
}

// scaled returns d × 10^places without its fraction, and whether it had none. Numbers above the largest
// int64 become that.
func (d decimal) scaled(places int) (n int64, exact bool) {
	power := d.power + places
	kept := len(d.digits) + power // digits in front of the point
	switch {
	case d.digits == "":
		return 0, true
	case kept <= 0:
		return 0, false
	case kept > 19:
		return math.MaxInt64, power >= 0
	}
	text := d.digits + strings.Repeat("0", max(power, 0))
	n, err := strconv.ParseInt(text[:kept], 10, 64)
	if err != nil { // 19 digits fail by their range only
		n = math.MaxInt64
	}
	return n, power >= 0
}

// pow10 returns 10^n for n from 0 to 3.
func pow10(n int) int64 { return [...]int64{1, 10, 100, 1000}[n] }
