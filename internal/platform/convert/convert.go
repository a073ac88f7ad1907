// Package convert converts slices.
package convert

// All returns the result of f for each item, such as the ids of records. It is never nil.
func All[T, R any](items []T, f func(T) R) []R {
	made := make([]R, len(items))
	for i, one := range items {
		made[i] = f(one)
	}
	return made
}
