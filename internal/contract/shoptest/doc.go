// Package shoptest starts the service for the contract tests and uses it over HTTP, on a real database of
// each kind. Place is the service. API is one of its two interfaces, REST or GraphQL, with the headers of a
// client. Shopper, Crew and Worker are customers and staff. Steps are compared with golden answers in the
// testdata of the test's own package.
package shoptest
