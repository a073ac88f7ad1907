package plan

import (
	"context"
	"fmt"
	"time"

	"storefront/internal/content/document"
	"storefront/internal/content/stored"
	"storefront/internal/database/tenancy"
)

// takers are the functions that read elements, by section. The section "variants" has products of which only
// variants are changed.
var takers = map[string]func(p *Planner, ctx context.Context, batch []*document.Object) error{
	"tenant": (*Planner).takeTenant, "profile": (*Planner).takeProfile, "brands": (*Planner).takeBrands,
	"categories": (*Planner).takeCategories, "products": (*Planner).takeProducts,
	"userProducts": (*Planner).takeUserProducts, "blogs": (*Planner).takeBlogs,
	"portfolios": (*Planner).takePortfolios, "sliders": (*Planner).takeSliders,
	"categoryGroups": (*Planner).takeCategoryGroups, "brandGroups": (*Planner).takeBrandGroups,
	"specials": (*Planner).takeSpecials, "deliveryMethods": (*Planner).takeDeliveryMethods,
	"taxRates":      (*Planner).takeTaxRates,
	"comments":      (*Planner).takeComments,
	"expertReviews": (*Planner).takeReviews, "variants": (*Planner).takeProducts,
}

// Plan plans the changes for some elements of a section. It adds their faults; a unit with faults must not be written.
// Elements of a section that others refer to must be planned before those. After the last ones Finish is called.
func (p *Planner) Plan(ctx context.Context, section string, elements []*document.Node) (*stored.Unit, error) {
	ctx = tenancy.In(ctx, p.Shop)
	p.unit, p.section = new(stored.Unit), section
	if p.indexes == nil {
		p.indexes, p.at = map[string]*index{}, time.Now().UTC().Truncate(time.Microsecond)
	}
	if p.categories == nil {
		var err error
		if p.categories, err = LoadCategories(ctx, p.Client); err != nil {
			return nil, err
		}
		p.Unfinished = p.categories.areMoving()
	}
	objects := p.objects(elements)
	if p.Terms.Edit {
		if err := p.loadUploads(ctx, elements); err != nil {
			return nil, err
		}
	}
	if len(objects) > 0 {
		if err := takers[section](p, ctx, objects); err != nil {
			return nil, fmt.Errorf("plan %s: %w", section, err)
		}
	}
	return p.unit, nil
}
