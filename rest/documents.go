package rest

import (
	"maps"

	"storefront/internal/fault"
)

// What follows is for package openapi, which describes the routes from what answers them.

// Operations is the text of operations.graphql.
func Operations() string { return operations }

// Statuses gives every code of the contract with its HTTP status.
func Statuses() map[fault.Code]int { return maps.Clone(statuses) }
