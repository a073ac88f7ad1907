package graph

import (
	"context"
	"log/slog"
	"math"
	"runtime"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"

	"storefront/graph/exec"
	"storefront/graph/plan"
)

// TestWeightOfPlans checks that the plans of a document take no more memory than the document cache assumes,
// and not much less.
func TestWeightOfPlans(t *testing.T) {
	const document = `{ tenant(domain: "shop.example") { products {
		total page pageSize
		items { ...card description images { mediaId url alt } seo { title description }
			variations { id key values { id key label } } variants { ...variant }
			related(first: 4) { ...card } category { id name itemCount } brand { id slug name }
			comments { id authorName text status createdAt } }
	} } }
	fragment card on Product { id slug titleFa titleEn summary imageUrl tags price maxPrice priceCurrency inStock
		ratingAverage ratingCount publishedAt categoryId categorySlug categoryName categoryNameFa }
	fragment variant on Variant { id productId sku price compareAtPrice discountPercent priceCurrency inStock
		options { key name value } imageUrl }`
	const fields = 4 + 18 + 2*1 + 3 + 1 + 2 + 2 + 3 + 3 + 1 + 10 + 3 + 1 + 18 + 1 + 3 + 1 + 3 + 1 + 5
	table := exec.PlannedFields(new(Resolver).root())
	parsed, errs := gqlparser.LoadQueryWithRules(exec.PublicSchema(), document, nil)
	if errs != nil {
		t.Fatal(errs)
	}
	tenant := parsed.Operations[0].SelectionSet
	value := func(context.Context) (any, error) { return "no page of products", nil } // a value that no plan can write
	makePlans := func(most int) *plan.Plans {
		op := &graphql.OperationContext{Doc: parsed, Operation: parsed.Operations[0]}
		ctx := graphql.WithOperationContext(t.Context(), op)
		shop := graphql.CollectFields(op, tenant, []string{"Query"})[0]
		products := graphql.CollectFields(op, shop.Selections, []string{"Tenant"})[0]
		ctx = graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: "Tenant", Field: products})
		plans := plan.New(table, most, slog.New(slog.DiscardHandler))
		if _, err := plans.Resolve(ctx, value, nil); err != nil {
			t.Fatal(err)
		}
		return plans
	}
	const n = 200
	held := make([]*plan.Plans, n)
	before := heapInUse()
	for i := range held {
		held[i] = makePlans(math.MaxInt)
	}
	taken := (heapInUse() - before) / n / fields
	if taken > plan.FieldBytes || taken < plan.FieldBytes/4 {
		t.Errorf("a field takes %d bytes, and weighs %d", taken, plan.FieldBytes)
	}
	runtime.KeepAlive(held)
}

// heapInUse returns what is in use, in bytes.
func heapInUse() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
