package record

import (
	"slices"
	"strings"
)

// SlugKind is a kind of records that have slugs of their own, by its name in the table of former slugs.
type SlugKind string

// The kinds of slugs but those of categories, which SlugCategory returns.
const (
	SlugProduct     SlugKind = "product"
	SlugUserProduct SlugKind = "userProduct"
	SlugBlog        SlugKind = "blog"
	SlugPortfolio   SlugKind = "portfolio"
	SlugBrand       SlugKind = "brand"
)

// SlugCategory returns the kind of categories of an entity type.
func SlugCategory(of EntityType) SlugKind { return SlugKind("category " + string(of)) }

// Category returns the entity type if k is a kind of categories; else it reports false.
func (k SlugKind) Category() (EntityType, bool) {
	of, ok := strings.CutPrefix(string(k), "category ")
	return EntityType(of), ok && slices.Contains(EntityType("").Values(), of)
}
