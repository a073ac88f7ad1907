// Package convert makes lists of lists.
package convert

// All returns what of makes of each item, such as the ids of records.
func All[T, R any](items []T, of func(T) R) []R {
	made := make([]R, len(items))
	for i, one := range items {
		made[i] = of(one)
	}
	return made
}
