package ratelimit_test

import (
	"testing"

	"storefront/internal/testkit/testdb/isolation"
)

// TestMain refuses statements that touch a shop's tables without saying of which shop.
func TestMain(m *testing.M) { isolation.Main(m, "internal/platform/ratelimit") }
