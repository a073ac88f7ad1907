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
	"storefront/ent/migrate"
	"storefront/ent/portfolio"
	"storefront/ent/product"
	"storefront/ent/slider"
	"storefront/ent/storespecial"
	"storefront/ent/userproduct"
	"storefront/ent/variant"
)

// The tables that bundles are written to, and the columns that an update leaves alone beside the fixed ones.
var (
	profileTable  = tableOf(migrate.BusinessProfilesTable, businessprofile.Columns)
	brandTable    = tableOf(migrate.BrandsTable, brand.Columns)
	categoryTable = tableOf(migrate.CategoriesTable, category.Columns, category.FieldEntityType, category.FieldMoving,
		category.FieldMoves)
	// What is derived of a product depends on variants and reviews that the file may not have: internal/derive
	// brings it up to date.
	productTable = tableOf(migrate.ProductsTable, product.Columns, product.FieldPriceMin, product.FieldPriceMax,
		product.FieldPriceCurrency, product.FieldInStore, product.FieldRatingSum, product.FieldRatingCount,
		product.FieldSortCheap, product.FieldSortDear, product.FieldSortRating, product.FieldSortTitle)
	variantTable = tableOf(migrate.VariantsTable, variant.Columns)
	// A stock that the file does not give is what customers leave of it meanwhile.
	uncountedTable     = tableOf(migrate.VariantsTable, variant.Columns, variant.FieldStock)
	userProductTable   = tableOf(migrate.UserProductsTable, userproduct.Columns)
	blogTable          = tableOf(migrate.BlogsTable, blog.Columns)
	portfolioTable     = tableOf(migrate.PortfoliosTable, portfolio.Columns)
	sliderTable        = tableOf(migrate.SlidersTable, slider.Columns)
	categoryGroupTable = tableOf(migrate.CategoryGroupsTable, categorygroup.Columns)
	brandGroupTable    = tableOf(migrate.BrandGroupsTable, brandgroup.Columns)
	storeSpecialTable  = tableOf(migrate.StoreSpecialsTable, storespecial.Columns)
	commentTable       = tableOf(migrate.CommentsTable, comment.Columns, comment.FieldEntityType, comment.FieldEntityID)
	expertReviewTable  = tableOf(migrate.ExpertReviewsTable, expertreview.Columns, expertreview.FieldProductID)

	// listings are only added.
	listings = tableOf(migrate.ListingsTable, []string{listing.FieldTenantID, listing.FieldKind, listing.FieldFacet,
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
