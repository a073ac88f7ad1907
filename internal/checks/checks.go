// Package checks holds no code of the service: its tests read the source and hold what the compiler cannot see. Which
// package may import which stands in imports_test.go; that every message has its Farsi, in messages_test.go; that money
// is never a float, in money_test.go.
package checks
