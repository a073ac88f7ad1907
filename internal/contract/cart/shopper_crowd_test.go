package cart_test

import "storefront/internal/contract/shoptest"

// outcomes counts replies by their code; those that succeeded are "".
func outcomes(replies []shoptest.Reply) map[string]int {
	counts := map[string]int{}
	for _, r := range replies {
		counts[r.Code]++
	}
	return counts
}
