package money

import "strings"

// Words is an amount as people read it: "1,250,000 toman".
type Words Amount

// units are the names of the currencies that have no sign or code in use.
var units = map[string][2]string{"IRT": {"toman", "تومان"}, "IRR": {"rial", "ریال"}}

// String returns the amount in English.
func (w Words) String() string { return w.grouped() + " " + w.unit(0) }

// Farsi returns the amount in Farsi.
func (w Words) Farsi() string { return Persian(w.grouped()) + " " + w.unit(1) }

func (w Words) unit(language int) string {
	if names, ok := units[w.Currency]; ok {
		return names[language]
	}
	return w.Currency
}

// grouped returns the number with a comma after each three digits from the point.
func (w Words) grouped() string {
	whole, fraction, _ := strings.Cut(Amount(w).String(), ".")
	digits := strings.TrimPrefix(whole, "-")
	text := whole[:len(whole)-len(digits)]
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			text += ","
		}
		text += string(digit)
	}
	if fraction != "" {
		text += "." + fraction
	}
	return text
}

var persian = strings.NewReplacer("0", "۰", "1", "۱", "2", "۲", "3", "۳", "4", "۴",
	"5", "۵", "6", "۶", "7", "۷", "8", "۸", "9", "۹", ",", "٬", ".", "٫")

// Persian returns a number with Persian digits and separators.
func Persian(number string) string { return persian.Replace(number) }
