package personal

import (
	"time"

	"github.com/google/uuid"

	"storefront/internal/money"
	"storefront/internal/record"
)

// Export is what the service, or one shop, stores about a customer, to be written as JSON.
type Export struct {
	Customer        Customer        `json:"customer"`
	Addresses       []Address       `json:"addresses,omitempty"`
	Sessions        []Session       `json:"sessions,omitempty"`
	SecondFactor    *SecondFactor   `json:"secondFactor,omitempty"`
	Workplaces      []Workplace     `json:"workplaces,omitempty"`
	Invitations     []Invitation    `json:"invitations,omitempty"`
	SignInAddresses []SignInAddress `json:"signInAddresses,omitempty"`
	Shops           []Shop          `json:"shops"`
}

type (
	// Customer is the account.
	Customer struct {
		ID             uuid.UUID  `json:"id"`
		CellNumber     string     `json:"cellNumber"`
		CellVerified   bool       `json:"cellVerified"`
		Vouched        bool       `json:"vouched"`
		FirstName      *string    `json:"firstName"`
		LastName       *string    `json:"lastName"`
		Email          *string    `json:"email"`
		RegisteredFrom *string    `json:"registeredFrom,omitempty"`
		CreatedAt      time.Time  `json:"createdAt"`
		ClosedAt       *time.Time `json:"closedAt"`
	}
	// Address is an address of the account.
	Address struct {
		Label      *string   `json:"label"`
		Province   string    `json:"province"`
		City       string    `json:"city"`
		Address    string    `json:"address"`
		PostalCode *string   `json:"postalCode"`
		Landline   *string   `json:"landline"`
		CreatedAt  time.Time `json:"createdAt"`
	}
	// Session is a sign-in.
	Session struct {
		BeganAt   time.Time  `json:"beganAt"`
		ExpiresAt time.Time  `json:"expiresAt"`
		EndedAt   *time.Time `json:"endedAt"`
		Client    *string    `json:"client"`
		Network   *string    `json:"network"`
		ProvenAt  *time.Time `json:"provenAt"`
	}
	// SecondFactor is the second factor of the account.
	SecondFactor struct {
		CreatedAt   time.Time  `json:"createdAt"`
		ConfirmedAt *time.Time `json:"confirmedAt"` // null: it is not active
	}
	// SignInAddress is an IP address from which the customer has signed in.
	SignInAddress struct {
		Address string    `json:"address"`
		LastAt  time.Time `json:"lastAt"`
	}
	// Workplace is where the customer works.
	Workplace struct {
		BusinessID *uuid.UUID       `json:"businessId"` // null: the service itself
		Role       record.StaffRole `json:"role"`
		CreatedAt  time.Time        `json:"createdAt"`
	}
	// Invitation is an invitation to work for a shop.
	Invitation struct {
		BusinessID uuid.UUID           `json:"businessId"`
		CellNumber string              `json:"cellNumber"`
		Role       record.StaffRole    `json:"role"`
		Sms        *record.NoticeState `json:"sms"` // the outcome of the SMS about it
		SmsAt      *time.Time          `json:"smsAt"`
		CreatedAt  time.Time           `json:"createdAt"`
		ExpiresAt  time.Time           `json:"expiresAt"`
	}
	// Shop is what one shop stores.
	Shop struct {
		id          uuid.UUID
		Domain      string     `json:"domain"`
		MemberSince *time.Time `json:"memberSince"`
		Orders      []Order    `json:"orders"`
		Cart        []CartLine `json:"cart"`
		Favorites   []Favorite `json:"favorites"`
		Listings    []Listing  `json:"listings"`
		Comments    []Comment  `json:"comments"`
		Reviews     []Review   `json:"reviews"`
		Messages    []Message  `json:"messages"`
		Uploads     []Upload   `json:"uploads"`
	}
	// Order is an order of the customer.
	Order struct {
		OrderNumber     string                 `json:"orderNumber"`
		CreatedAt       time.Time              `json:"createdAt"`
		Status          record.OrderStatus     `json:"status"`
		TotalQuantity   int                    `json:"totalQuantity"`
		Subtotal        money.Amount           `json:"subtotal"`
		Discount        money.Amount           `json:"discount"`
		Total           money.Amount           `json:"total"`
		PriceCurrency   string                 `json:"priceCurrency"`
		ShippingAddress record.ShippingAddress `json:"shippingAddress"`
		CustomerNotes   *string                `json:"customerNotes"`
		Items           []OrderItem            `json:"items"`
		Payments        []Payment              `json:"payments"`
		Receipts        []Receipt              `json:"receipts"`
		History         []Step                 `json:"history"`
	}
	// OrderItem is a line of an order.
	OrderItem struct {
		Sku         string                 `json:"sku"`
		ProductSlug string                 `json:"productSlug"`
		TitleFa     string                 `json:"titleFa"`
		TitleEn     *string                `json:"titleEn"`
		Options     []record.VariantOption `json:"options"`
		ImageURL    *string                `json:"imageUrl"`
		Quantity    int                    `json:"quantity"`
		UnitPrice   money.Amount           `json:"unitPrice"`
		LineTotal   money.Amount           `json:"lineTotal"`
	}
	// Payment is how the customer paid, and the shop's notes about it.
	Payment struct {
		Type              record.PaymentType   `json:"type"`
		Status            record.PaymentStatus `json:"status"`
		Amount            money.Amount         `json:"amount"`
		PosType           *string              `json:"posType"`
		TransferAccount   *string              `json:"transferAccount"`
		TransferRefNumber *string              `json:"transferRefNumber"`
		GatewayType       *string              `json:"gatewayType"`
		Notes             *string              `json:"notes"`
		Reference         *string              `json:"reference"`
		MarkedAt          *time.Time           `json:"markedAt"`
	}
	// Receipt is an image that shows a transfer. The customer sees it at the order's payment.
	Receipt struct {
		ID        uuid.UUID `json:"id"`
		Size      int64     `json:"size"` // bytes
		Width     int       `json:"width"`
		Height    int       `json:"height"`
		CreatedAt time.Time `json:"createdAt"`
	}
	// Step is a step of an order's history.
	Step struct {
		Status record.OrderStatus `json:"status"`
		At     time.Time          `json:"at"`
		Note   *string            `json:"note"`
	}
	// CartLine is a line of a cart.
	CartLine struct {
		Sku          string       `json:"sku"`
		Quantity     int          `json:"quantity"`
		SeenPrice    money.Amount `json:"seenPrice"` // for one unit, when the line was last written
		SeenCurrency string       `json:"seenCurrency"`
		CreatedAt    time.Time    `json:"createdAt"`
	}
	// Favorite is a product that the customer keeps.
	Favorite struct {
		Product   string    `json:"product"` // its slug
		CreatedAt time.Time `json:"createdAt"`
	}
	// Listing is a listing of the customer. Category and places are slugs.
	Listing struct {
		Slug            string           `json:"slug"`
		TitleFa         string           `json:"titleFa"`
		TitleEn         *string          `json:"titleEn"`
		Description     *string          `json:"description"`
		DescriptionFa   *string          `json:"descriptionFa"`
		Price           *money.Amount    `json:"price"`
		PriceCurrency   string           `json:"priceCurrency"`
		Condition       record.Condition `json:"condition"`
		Images          []record.Media   `json:"images"`
		Category        *string          `json:"category"`
		Values          record.Values    `json:"values"`
		DeliveryNotes   *string          `json:"deliveryNotes"`
		TechnicalNotes  *string          `json:"technicalNotes"`
		Country         *string          `json:"country"`
		Province        *string          `json:"province"`
		City            *string          `json:"city"`
		Status          string           `json:"status"`
		RejectionReason *string          `json:"rejectionReason"`
		Promoted        bool             `json:"promoted"`
		PublishedAt     time.Time        `json:"publishedAt"`
		CreatedAt       time.Time        `json:"createdAt"`
	}
	// Upload is an image that the customer has uploaded for listings.
	Upload struct {
		Address          string    `json:"address"`
		Name             *string   `json:"name"`
		Kind             string    `json:"kind"`
		Size             int64     `json:"size"` // bytes
		Width            int       `json:"width"`
		Height           int       `json:"height"`
		PlaceholderColor *string   `json:"placeholderColor"`
		AltFa            *string   `json:"altFa"`
		AltEn            *string   `json:"altEn"`
		CreatedAt        time.Time `json:"createdAt"`
	}
	// Comment is the customer's comment on a record.
	Comment struct {
		EntityType      record.EntityType `json:"entityType"`
		EntityID        uuid.UUID         `json:"entityId"`
		AuthorName      string            `json:"authorName"`
		AuthorEmail     *string           `json:"authorEmail"`
		Text            string            `json:"text"`
		Status          record.Moderation `json:"status"`
		RejectionReason *string           `json:"rejectionReason"`
		Reply           *string           `json:"reply"` // the shop's
		RepliedAt       *time.Time        `json:"repliedAt"`
		CreatedAt       time.Time         `json:"createdAt"`
	}
	// Review is the customer's opinion of a product.
	Review struct {
		Product         string            `json:"product"` // its slug
		AuthorName      string            `json:"authorName"`
		AuthorEmail     *string           `json:"authorEmail"`
		Rate            int               `json:"rate"`
		PositivePoints  []string          `json:"positivePoints"`
		NegativePoints  []string          `json:"negativePoints"`
		Text            string            `json:"text"`
		Status          record.Moderation `json:"status"`
		RejectionReason *string           `json:"rejectionReason"`
		Reply           *string           `json:"reply"` // the shop's
		RepliedAt       *time.Time        `json:"repliedAt"`
		CreatedAt       time.Time         `json:"createdAt"`
	}
	// Message is a message to the business.
	Message struct {
		Title      string              `json:"title"`
		Name       string              `json:"name"`
		Email      *string             `json:"email"`
		CellNumber *string             `json:"cellNumber"`
		Text       string              `json:"text"`
		HandledAt  *time.Time          `json:"handledAt"` // when the shop marked it as done
		Reply      *string             `json:"reply"`
		RepliedAt  *time.Time          `json:"repliedAt"`
		ReplyState *record.NoticeState `json:"replyState"`
		CreatedAt  time.Time           `json:"createdAt"`
	}
)
