package record

import (
	"slices"
	"strings"
)

// SlugKind is a kind of records that have slugs of their own, as the table of slugs that they had before says it.
type SlugKind string

const (
	SlugProduct     SlugKind = "product"
	SlugUserProduct SlugKind = "userProduct"
	SlugBlog        SlugKind = "blog"
	SlugPortfolio   SlugKind = "portfolio"
	SlugBrand       SlugKind = "brand"
)

// SlugCategory is the kind of categories of a type.
func SlugCategory(of EntityType) SlugKind { return SlugKind("category " + string(of)) }

// Category returns the type of categories that k is the kind of; false for another kind.
func (k SlugKind) Category() (EntityType, bool) {
	of, ok := strings.CutPrefix(string(k), "category ")
	return EntityType(of), ok && slices.Contains(EntityType("").Values(), of)
}
