package bundle

import (
	"storefront/ent/blog"
	"storefront/ent/brand"
	"storefront/ent/brandgroup"
	"storefront/ent/businessprofile"
	"storefront/ent/category"
	"storefront/ent/categorygroup"
	"storefront/ent/comment"
	"storefront/ent/expertreview"
	"storefront/ent/listing"
	"storefront/ent/portfolio"
	"storefront/ent/product"
	"storefront/ent/slider"
	"storefront/ent/storespecial"
	"storefront/ent/userproduct"
	"storefront/ent/variant"
)

// The tables that bundles are written to, and the columns that an update leaves alone beside the fixed ones.
var (
	profileTable  = tableOf(businessprofile.Table, businessprofile.Columns)
	brandTable    = tableOf(brand.Table, brand.Columns)
	categoryTable = tableOf(category.Table, category.Columns, category.FieldEntityType, category.FieldMoving,
		category.FieldMoves)
	// What is derived of a product depends on variants and reviews that the file may not have: internal/derive
	// brings it up to date.
	productTable = tableOf(product.Table, product.Columns, product.FieldPriceMin, product.FieldPriceMax,
		product.FieldPriceCurrency, product.FieldInStore, product.FieldRatingSum, product.FieldRatingCount,
		product.FieldSortCheap, product.FieldSortDear, product.FieldSortRating, product.FieldSortTitle)
	variantTable = tableOf(variant.Table, variant.Columns)
	// A stock that the file does not give is what customers leave of it meanwhile.
	uncountedTable     = tableOf(variant.Table, variant.Columns, variant.FieldStock)
	userProductTable   = tableOf(userproduct.Table, userproduct.Columns)
	blogTable          = tableOf(blog.Table, blog.Columns)
	portfolioTable     = tableOf(portfolio.Table, portfolio.Columns)
	sliderTable        = tableOf(slider.Table, slider.Columns)
	categoryGroupTable = tableOf(categorygroup.Table, categorygroup.Columns)
	brandGroupTable    = tableOf(brandgroup.Table, brandgroup.Columns)
	storeSpecialTable  = tableOf(storespecial.Table, storespecial.Columns)
	commentTable       = tableOf(comment.Table, comment.Columns, comment.FieldEntityType, comment.FieldEntityID)
	expertReviewTable  = tableOf(expertreview.Table, expertreview.Columns, expertreview.FieldProductID)

	// listings are only added.
	listings = tableOf(listing.Table, []string{listing.FieldTenantID, listing.FieldKind, listing.FieldFacet,
		listing.FieldPublishedAt, listing.FieldEntityID})
)

// Tables returns the names of the tables that a bundle's records are written to.
func Tables() (names []string) {
	for _, t := range []*table{profileTable, brandTable, categoryTable, productTable, variantTable,
		userProductTable, blogTable, portfolioTable, sliderTable, categoryGroupTable, brandGroupTable,
		storeSpecialTable, commentTable, expertReviewTable, listings} {
		names = append(names, t.name)
	}
	return names
}
