package shoptest

import "sync"

// Together calls f with 0 to n-1 concurrently and returns the results.
func Together[T any](n int, f func(i int) T) []T {
	results := make([]T, n)
	begin := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-begin
			results[i] = f(i)
		})
	}
	close(begin)
	all.Wait()
	return results
}

// Tallied returns how often each result occurs.
func Tallied(outcomes []string) map[string]int {
	counts := map[string]int{}
	for _, one := range outcomes {
		counts[one]++
	}
	return counts
}

// Sides returns the REST and GraphQL APIs of each instance.
func Sides(instances ...*Accounts) (all []API) {
	for _, a := range instances {
		all = append(all, a.REST(), a.GraphQL())
	}
	return all
}
