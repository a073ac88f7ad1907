package money

import "strings"

// The active currencies of ISO 4217 (list one, 2026) by their decimals, and IRT, the toman (10 rial), which
// shops and payment gateways also use. IRR has two decimals officially, but none have been used for decades,
// so here both have none. Metals, test codes and codes without defined decimals (XAU, XDR, XTS, XXX) are not
// valid currencies of a price.
const (
	withoutDecimals = `
		BIF CLP DJF GNF IRR IRT ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF`
	withTwo = `
		AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY
		COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS
		INR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN
		NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN
		SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`
	withThree = `
		BHD IQD JOD KWD LYD OMR TND`
)

var exponents = func() map[string]int {
	decimals := map[string]int{}
	for n, codes := range map[int]string{0: withoutDecimals, 2: withTwo, 3: withThree} {
		for code := range strings.FieldsSeq(codes) {
			decimals[code] = n
		}
	}
	return decimals
}()

// Exponent returns the number of decimals of a currency, 0 to 3, and false for an unknown code. Codes are
// upper case. The units of account CLF and UYW are unknown: nobody pays in them (they are indexes, settled
// in CLP and UYU), and their four decimals would not fit Milli, by which amounts of all currencies compare.
func Exponent(currency string) (int, bool) {
	decimals, ok := exponents[currency]
	return decimals, ok
}

// tomanRials is how many rials are a toman.
const tomanRials = 10

// ISO returns the same amount in a currency of ISO 4217, for systems that accept no other: tomans become
// rials.
func (a Amount) ISO() Amount {
	if a.Currency == "IRT" {
		return Amount{a.Minor * tomanRials, "IRR"} // Minor is at most Max, so this does not overflow
	}
	return a
}

// In returns the same amount in another currency of Iran, and false if that has a fraction or is in none.
func (a Amount) In(currency string) (Amount, bool) {
	switch {
	case a.Currency == currency:
		return a, true
	case a.Currency == "IRT" && currency == "IRR":
		return a.ISO(), true
	case a.Currency == "IRR" && currency == "IRT":
		return Amount{a.Minor / tomanRials, "IRT"}, a.Minor%tomanRials == 0
	}
	return Amount{}, false
}

// Toman returns the amount in tomans, rounded up, and false if it is not in a currency of Iran.
func (a Amount) Toman() (tomans int64, ok bool) {
	switch a.Currency {
	case "IRT":
		return a.Minor, true
	case "IRR":
		return (a.Minor + tomanRials - 1) / tomanRials, true
	default:
		return 0, false
	}
}
