// Package convert converts slices and optional values.
package convert

// All returns the result of f for each item, such as the ids of records. It is never nil.
func All[T, R any](items []T, f func(T) R) []R {
	made := make([]R, len(items))
	for i, one := range items {
		made[i] = f(one)
	}
	return made
}

// ByKey returns the items by the keys that key gives, such as records by their ids.
func ByKey[K comparable, T any](items []T, key func(T) K) map[K]T {
	all := make(map[K]T, len(items))
	for _, item := range items {
		all[key(item)] = item
	}
	return all
}

// Value returns what a pointer points to, or the zero value for nil.
func Value[T any](pointer *T) (value T) {
	if pointer != nil {
		value = *pointer
	}
	return value
}
