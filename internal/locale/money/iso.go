package money

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
