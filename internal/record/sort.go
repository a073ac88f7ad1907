package record

// The values in sort keys, which are sorted from the greatest down, of records without anything to sort by:
// less than those of all other records.
const (
	// NoPrice is for prices in thousandths, which are negated so that the lowest comes first.
	NoPrice  int64 = -9_200_000_000_000_000_000
	Unranked int64 = -1 // for values that are never negative
)

// ProductSort is the order of a list of products, and StoreItemSort that of a list of variants on sale. Without one of
// these the newest come first.
type (
	ProductSort   string
	StoreItemSort string
)

// The orders of public lists.
const (
	SortPriceAsc  = "price_asc"
	SortPriceDesc = "price_desc"
	SortRating    = "rating"
	SortTitle     = "title"
	SortDiscount  = "discount"
	SortRelevance = "relevance" // for a search, the best matches first
)
