package graph

import (
	"storefront/graph/plan"
	"storefront/internal/money"
)

// The scalars of the schema, as plans write them; their marshalers in scalars.go write the same.
var (
	plannedID     = plan.Leaf(appendID)
	plannedTime   = plan.Leaf(appendTime)
	plannedAmount = plan.Leaf(func(b []byte, a money.Amount) []byte { return a.AppendJSON(b) })
	plannedJSON   = plan.Checked(appendJSON)
)

// arguments reads the arguments of fields.
var arguments executionContext
