package exec

import (
	"storefront/graph/model"
	"storefront/graph/plan"
	"storefront/internal/money"
)

// The scalars of the schema as plans write them. Their marshalers in package model write the same.
var (
	plannedID     = plan.Leaf(model.AppendID)
	plannedTime   = plan.Leaf(model.AppendTime)
	plannedAmount = plan.Leaf(func(b []byte, a money.Amount) []byte { return a.AppendJSON(b) })
	plannedJSON   = plan.Checked(model.AppendJSON)
)

// arguments reads the arguments of fields.
var arguments executionContext
