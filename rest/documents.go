package rest

import (
	"maps"

	"storefront/internal/fault"
)

// What follows is for package openapi, which describes the routes from what answers them.

// BodyVariable is the variable of an operation that takes the body itself.
const BodyVariable = input

// Operations is the text of operations.graphql.
func Operations() string { return operations }

// HasBody tells whether the route reads a body.
func (r Route) HasBody() bool { return r.hasBody() }

// StatusOf gives the HTTP status that the route answers a code with.
func (r Route) StatusOf(code fault.Code) int {
	if status, other := elsewhere[r.Operation][code]; other {
		return status
	}
	return Status(code)
}

// Statuses gives every code of the contract with its HTTP status.
func Statuses() map[fault.Code]int { return maps.Clone(statuses) }
