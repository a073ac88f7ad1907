package record

// What stands in a sort key, of which the greatest comes first, where a record has nothing to be sorted by:
// less than all that others have.
const (
	// among prices in thousandths that are negated, so that the lowest comes first
	NoPrice  int64 = -9_200_000_000_000_000_000
	Unranked int64 = -1 // among what is never negative
)
