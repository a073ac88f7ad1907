package exec

import (
	"storefront/graph/plan"
	"storefront/internal/api"
	"storefront/internal/locale/money"
)

// The scalars of the schema as plans write them. Their marshalers in package model write the same.
var (
	plannedID     = plan.Leaf(api.AppendID)
	plannedTime   = plan.Leaf(api.AppendTime)
	plannedAmount = plan.Leaf(func(b []byte, a money.Amount) []byte { return a.AppendJSON(b) })
	plannedJSON   = plan.Checked(api.AppendJSON)
)

// arguments reads the arguments of fields.
var arguments executionContext
