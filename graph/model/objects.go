// Package model holds what resolvers take and give that is no record of package ent: the inputs, payloads and enums
// that gqlgen generates of schema.graphql (models_gen.go), objects by hand (objects.go), and the scalars.
package model

import (
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/auth"
	"storefront/internal/record"
)

// RegisteredUser is an account as a registration shows it: of a pending link only the cell.
type RegisteredUser struct {
	ID           *uuid.UUID
	CellNumber   string
	CellVerified *bool
	FirstName    *string
	LastName     *string
	Email        *string
	CreatedAt    *time.Time
}

// Registered is a completed registration.
type Registered struct {
	User                      *RegisteredUser
	AccessToken, RefreshToken *string
	RegisteredBusiness        *ent.Tenant
	SignIn                    *SignInPayload
}

// LinkPending is a registration that waits for a proof of the cell.
type LinkPending struct {
	Registered
	VerificationRequired bool
	Message              Message
}

func (Registered) IsRegisterPayload() {}

// Node is a record that can be asked for again by its nodeId: a *ent.Product and the like.
type Node any

// StaffListing is a listing as staff see it, who may not all know its customer.
type StaffListing struct {
	Version     string
	Status      ListingStatus
	Listing     *ent.UserProduct
	OtherValues []*OtherValue
	Customer    *ent.User
	By          auth.Staff
}

func (l *StaffListing) Staff() auth.Staff { return l.By }

// ShopOrder is an order as the shop sees it.
type ShopOrder struct {
	Order    *ent.Order
	Customer *ent.User
}

// OpinionSubject is what a comment or review is about.
type OpinionSubject struct {
	EntityType record.EntityType
	ID         uuid.UUID
	Slug       string
	TitleFa    string
	TitleEn    *string
}

// BusinessInfo is the profile of a business; one without a profile still has its names.
type BusinessInfo struct {
	Name, NameFa string
	*ent.BusinessProfile
}

// Variation is a property that tells a product's variants apart, with what can be had of each choice.
type Variation struct {
	record.Variation
	Values []*VariationValue
}

// VariationValue is one choice of a variation and the variants on sale that have it.
type VariationValue struct {
	record.VariationValue
	InStock    bool
	VariantIds []uuid.UUID
}
