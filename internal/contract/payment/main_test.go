package payment_test

import (
	"testing"

	"storefront/internal/testkit/testdb/isolation"
)

// TestMain refuses statements on a shop's tables that do not name the shop.
func TestMain(m *testing.M) { isolation.Main(m, "internal/contract/payment") }
