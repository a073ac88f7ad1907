// Package shoptest starts the service for the contract tests and speaks to it as its users do: over HTTP, on a real
// database of each kind. Place is the service, Door one of its two interfaces as one client uses it, Shopper, Crew and
// Worker are customers and staff; steps are compared with golden answers in the testdata of the test's own package.
package shoptest
