// Package api holds the types that resolvers take and return, apart from those of package ent: the inputs,
// payloads and enums that gqlgen generates from schema.graphql (models_gen.go), objects written by hand
// (objects.go), and the scalars.
package api

import (
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/element"
	"storefront/internal/record"
	"storefront/internal/request"
)

// ShopOrderArguments are the arguments of shopOrdersConnection that choose orders.
type ShopOrderArguments struct {
	OrderNumber, CellNumber *string
	Status                  *record.OrderStatus
	PaymentStatus           *record.PaymentStatus
	RefundDue               *bool
	Disputed                *bool
	From, Until             *time.Time
}

// ShopPaymentArguments are the arguments of shopPaymentsConnection that choose payments.
type ShopPaymentArguments struct {
	Gateway           *string
	AccountID         *uuid.UUID
	FirstDay, LastDay *string // YYYY-MM-DD
}

// StaffVariantArguments are the arguments of staffVariantsConnection that choose variants.
type StaffVariantArguments struct {
	MaxStock *int
	Low      *bool
	Name     *string
	Skus     []string // nil: any
}

// RegisteredUser is an account as a registration shows it. For a pending link it shows only the cell number.
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

// LinkPending is a registration that awaits verification of the cell number.
type LinkPending struct {
	Registered
	VerificationRequired bool
	Message              Message
}

// IsRegisterPayload makes Registered a member of the union RegisterPayload.
func (Registered) IsRegisterPayload() {}

// Node is a record that can be read by its nodeId, such as an *ent.Product.
type Node any

// StaffListing is a listing as staff see it. Not all staff may see its customer.
type StaffListing struct {
	Version     string
	Status      ListingStatus
	Listing     *ent.UserProduct
	OtherValues []*element.TechnicalAnswer
	Customer    *ent.User
	By          request.Staff
}

// Staff returns the calling member of staff, whose permissions decide whether the customer is shown.
func (l *StaffListing) Staff() request.Staff { return l.By }

// ShopPayment is a payment that a shop has received. It was read with its order.
type ShopPayment struct {
	*ent.Payment
	OrderNumber string
	Account     *ent.GatewayAccount // nil: the customer declared it
	Day         string              // YYYY-MM-DD, of the shop's time zone
}

// ShopOrder is an order as the shop sees it.
type ShopOrder struct {
	Order    *ent.Order
	Customer *ent.User
}

// BusinessInfo is the profile of a business; one without a profile still has its names.
type BusinessInfo struct {
	Name, NameFa string
	*ent.BusinessProfile
}

// Variation is a property that distinguishes a product's variants, with the variants on sale for each of its
// values.
type Variation struct {
	record.Variation
	Values []*VariationValue
}

// VariationValue is one value of a variation and the variants on sale that have it.
type VariationValue struct {
	record.VariationValue
	InStock    bool
	VariantIds []uuid.UUID
}
