package stored

import (
	"storefront/ent/blog"
	"storefront/ent/brand"
	"storefront/ent/brandgroup"
	"storefront/ent/businessprofile"
	"storefront/ent/category"
	"storefront/ent/categorygroup"
	"storefront/ent/comment"
	"storefront/ent/deliverymethod"
	"storefront/ent/expertreview"
	"storefront/ent/listing"
	"storefront/ent/portfolio"
	"storefront/ent/product"
	"storefront/ent/slider"
	"storefront/ent/storespecial"
	"storefront/ent/taxrate"
	"storefront/ent/userproduct"
	"storefront/ent/variant"
)

// The tables that bundles are written to. The columns named here, and the fixed ones, are not overwritten.
var (
	ProfileTable  = tableOf(businessprofile.Table, businessprofile.Columns)
	BrandTable    = tableOf(brand.Table, brand.Columns)
	CategoryTable = tableOf(category.Table, category.Columns, category.FieldEntityType, category.FieldMoving,
		category.FieldMoves)
	// The derived columns of a product depend on variants and reviews that may not be in the file:
	// internal/content/derive updates them.
	ProductTable = tableOf(product.Table, product.Columns, product.FieldPriceMin, product.FieldPriceMax,
		product.FieldPriceCurrency, product.FieldInStore, product.FieldRatingSum, product.FieldRatingCount,
		product.FieldSortCheap, product.FieldSortDear, product.FieldSortRating, product.FieldSortTitle)
	VariantTable = tableOf(variant.Table, variant.Columns)
	// The stock is not overwritten if the file does not give it, since customers change it meanwhile.
	UncountedTable      = tableOf(variant.Table, variant.Columns, variant.FieldStock)
	userProductTable    = tableOf(userproduct.Table, userproduct.Columns)
	BlogTable           = tableOf(blog.Table, blog.Columns)
	PortfolioTable      = tableOf(portfolio.Table, portfolio.Columns)
	sliderTable         = tableOf(slider.Table, slider.Columns)
	categoryGroupTable  = tableOf(categorygroup.Table, categorygroup.Columns)
	brandGroupTable     = tableOf(brandgroup.Table, brandgroup.Columns)
	storeSpecialTable   = tableOf(storespecial.Table, storespecial.Columns)
	deliveryMethodTable = tableOf(deliverymethod.Table, deliverymethod.Columns)
	taxRateTable        = tableOf(taxrate.Table, taxrate.Columns)
	CommentTable        = tableOf(comment.Table, comment.Columns, comment.FieldEntityType, comment.FieldEntityID)
	ExpertReviewTable   = tableOf(expertreview.Table, expertreview.Columns, expertreview.FieldProductID)

	// listings are only added.
	listings = tableOf(listing.Table, []string{listing.FieldTenantID, listing.FieldKind, listing.FieldFacet,
		listing.FieldPublishedAt, listing.FieldEntityID})
)

// Tables returns the names of the tables that a bundle's records are written to.
func Tables() (names []string) {
	for _, t := range []*Table{ProfileTable, BrandTable, CategoryTable, ProductTable, VariantTable,
		userProductTable, BlogTable, PortfolioTable, sliderTable, categoryGroupTable, brandGroupTable,
		storeSpecialTable, deliveryMethodTable, taxRateTable, CommentTable, ExpertReviewTable, listings} {
		names = append(names, t.name)
	}
	return names
}
