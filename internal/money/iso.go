package money

// tomanRials is how many rials a toman is.
const tomanRials = 10

// ISO returns the same amount in a currency of ISO 4217, for readers who know no other: toman as rials.
func (a Amount) ISO() Amount {
	if a.Currency == "IRT" {
		return Amount{a.Minor * tomanRials, "IRR"} // of at most Max: nothing overflows
	}
	return a
}

// Toman returns the amount in whole tomans, of which a part of one counts as one; false: it is in another currency than
// those of Iran.
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
