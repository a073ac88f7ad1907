package graph

import (
	"testing"

	"storefront/internal/testkit/testdb/isolation"
)

// TestMain refuses statements that touch a shop's tables without naming the shop.
func TestMain(m *testing.M) { isolation.Main(m, "graph") }
