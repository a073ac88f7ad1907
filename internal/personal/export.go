package personal

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/address"
	"storefront/ent/cart"
	"storefront/ent/cartitem"
	"storefront/ent/comment"
	"storefront/ent/contactsubmission"
	"storefront/ent/expertreview"
	"storefront/ent/favorite"
	"storefront/ent/membership"
	"storefront/ent/order"
	"storefront/ent/session"
	"storefront/ent/signinaddress"
	"storefront/ent/tenant"
	"storefront/ent/userproduct"
	"storefront/internal/money"
	"storefront/internal/record"
	"storefront/internal/tenancy"
)

// Export is what the service, or one shop, holds on a customer, to be written as JSON.
type Export struct {
	Customer        Customer        `json:"customer"`
	Addresses       []Address       `json:"addresses,omitempty"`
	Sessions        []Session       `json:"sessions,omitempty"`
	SignInAddresses []SignInAddress `json:"signInAddresses,omitempty"`
	Shops           []Shop          `json:"shops"`
}

type (
	// Customer is the account.
	Customer struct {
		ID             uuid.UUID `json:"id"`
		CellNumber     string    `json:"cellNumber"`
		CellVerified   bool      `json:"cellVerified"`
		FirstName      *string   `json:"firstName"`
		LastName       *string   `json:"lastName"`
		Email          *string   `json:"email"`
		RegisteredFrom *string   `json:"registeredFrom,omitempty"`
		CreatedAt      time.Time `json:"createdAt"`
	}
	// Address is one of the account's.
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
	}
	// SignInAddress is where the customer has signed in from.
	SignInAddress struct {
		Address string    `json:"address"`
		LastAt  time.Time `json:"lastAt"`
	}
	// Shop is what one shop holds.
	Shop struct {
		Domain      string     `json:"domain"`
		MemberSince *time.Time `json:"memberSince"`
		Orders      []Order    `json:"orders"`
		Cart        []CartLine `json:"cart"`
		Favorites   []Favorite `json:"favorites"`
		Listings    []Listing  `json:"listings"`
		Comments    []Comment  `json:"comments"`
		Reviews     []Review   `json:"reviews"`
		Messages    []Message  `json:"messages"`
	}
	// Order is one of the customer's.
	Order struct {
		OrderNumber     string                 `json:"orderNumber"`
		CreatedAt       time.Time              `json:"createdAt"`
		Status          record.OrderStatus     `json:"status"`
		Total           money.Amount           `json:"total"`
		PriceCurrency   string                 `json:"priceCurrency"`
		ShippingAddress record.ShippingAddress `json:"shippingAddress"`
		CustomerNotes   *string                `json:"customerNotes"`
		Items           []OrderItem            `json:"items"`
		Payments        []Payment              `json:"payments"`
		History         []Step                 `json:"history"`
	}
	// OrderItem is a line of an order.
	OrderItem struct {
		Sku       string       `json:"sku"`
		TitleFa   string       `json:"titleFa"`
		TitleEn   *string      `json:"titleEn"`
		Quantity  int          `json:"quantity"`
		LineTotal money.Amount `json:"lineTotal"`
	}
	// Payment is what the customer said of paying.
	Payment struct {
		Type              record.PaymentType   `json:"type"`
		Status            record.PaymentStatus `json:"status"`
		Amount            money.Amount         `json:"amount"`
		TransferAccount   *string              `json:"transferAccount"`
		TransferRefNumber *string              `json:"transferRefNumber"`
		Notes             *string              `json:"notes"`
	}
	// Step is a step of an order's history.
	Step struct {
		Status record.OrderStatus `json:"status"`
		At     time.Time          `json:"at"`
		Note   *string            `json:"note"`
	}
	// CartLine is a line of a cart.
	CartLine struct {
		Sku      string `json:"sku"`
		Quantity int    `json:"quantity"`
	}
	// Favorite is a product that the customer keeps.
	Favorite struct {
		Product   string    `json:"product"` // its slug
		CreatedAt time.Time `json:"createdAt"`
	}
	// Listing is a thing that the customer offers.
	Listing struct {
		Slug        string    `json:"slug"`
		TitleFa     string    `json:"titleFa"`
		TitleEn     *string   `json:"titleEn"`
		Description *string   `json:"description"`
		Status      string    `json:"status"`
		CreatedAt   time.Time `json:"createdAt"`
	}
	// Comment is the customer's word on a record.
	Comment struct {
		AuthorName string            `json:"authorName"`
		Text       string            `json:"text"`
		Status     record.Moderation `json:"status"`
		CreatedAt  time.Time         `json:"createdAt"`
	}
	// Review is the customer's opinion of a product.
	Review struct {
		AuthorName     string            `json:"authorName"`
		Rate           int               `json:"rate"`
		PositivePoints []string          `json:"positivePoints"`
		NegativePoints []string          `json:"negativePoints"`
		Text           string            `json:"text"`
		Status         record.Moderation `json:"status"`
		CreatedAt      time.Time         `json:"createdAt"`
	}
	// Message is one to the business.
	Message struct {
		Title      string    `json:"title"`
		Name       string    `json:"name"`
		Email      *string   `json:"email"`
		CellNumber *string   `json:"cellNumber"`
		Text       string    `json:"text"`
		CreatedAt  time.Time `json:"createdAt"`
	}
)

// ExportAt returns what a shop holds on a customer of its own; NOT_FOUND for anyone else.
func ExportAt(ctx context.Context, store *ent.Client, shop, id uuid.UUID) (*Export, error) {
	who, err := customerOf(ctx, store, shop, id)
	if err != nil {
		return nil, err
	}
	out := &Export{Customer: asCustomer(who), Shops: []Shop{}}
	out.Customer.RegisteredFrom = nil // of the service
	return out, out.addShop(ctx, store, shop, id, signature{who.CellNumber, deref(who.Email)})
}

// ExportAccount returns what the service holds on an account. What is signed with the e-mail address is not among it, since
// nobody has proved that it is theirs; what is signed with the number is, if that is proven.
func ExportAccount(ctx context.Context, store *ent.Client, id uuid.UUID) (*Export, error) {
	who, err := store.User.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	out := &Export{Customer: asCustomer(who), Shops: []Shop{}}
	var under signature
	if who.CellVerified {
		under.cell = who.CellNumber
	}
	homes, err := store.Address.Query().Where(address.UserID(id)).Order(address.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range homes {
		out.Addresses = append(out.Addresses,
			Address{a.Label, a.Province, a.City, a.Address, a.PostalCode, a.Landline, a.CreatedAt.UTC()})
	}
	sessions, err := store.Session.Query().Where(session.UserID(id)).Order(session.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range sessions {
		out.Sessions = append(out.Sessions, Session{s.CreatedAt.UTC(), s.ExpiresAt.UTC(), s.EndedAt})
	}
	from, err := store.SignInAddress.Query().Where(signinaddress.UserID(id)).Order(signinaddress.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range from {
		out.SignInAddresses = append(out.SignInAddresses, SignInAddress{a.Address, a.LastAt.UTC()})
	}
	shops, err := shopsOf(ctx, store, id)
	for _, shop := range shops {
		if err := out.addShop(ctx, store, shop, id, under); err != nil {
			return nil, err
		}
	}
	return out, err
}

func asCustomer(who *ent.User) Customer {
	return Customer{who.ID, who.CellNumber, who.CellVerified, who.FirstName, who.LastName, who.Email, who.RegisteredFrom,
		who.CreatedAt.UTC()}
}

// addShop adds what one shop holds.
func (e *Export) addShop(ctx context.Context, store *ent.Client, id, who uuid.UUID, under signature) error {
	ctx = tenancy.In(ctx, id)
	of, err := store.Tenant.Query().Where(tenant.ID(id)).Select(tenant.FieldDomain).Only(ctx)
	if err != nil {
		return err
	}
	out := Shop{Domain: of.Domain, Orders: []Order{}, Cart: []CartLine{}, Favorites: []Favorite{}, Listings: []Listing{},
		Comments: []Comment{}, Reviews: []Review{}, Messages: []Message{}}
	link, err := store.Membership.Query().
		Where(membership.UserID(who), membership.BusinessID(id), membership.PendingUntilIsNil()).Only(ctx)
	if err == nil {
		out.MemberSince = new(link.CreatedAt.UTC())
	} else if !ent.IsNotFound(err) {
		return err
	}
	for _, add := range []func(context.Context, *ent.Client, uuid.UUID, signature) error{
		out.addOrders, out.addKept, out.addListings, out.addOpinions, out.addMessages,
	} {
		if err := add(ctx, store, who, under); err != nil {
			return err
		}
	}
	e.Shops = append(e.Shops, out)
	return nil
}

func (s *Shop) addOrders(ctx context.Context, store *ent.Client, who uuid.UUID, _ signature) error {
	found, err := store.Order.Query().Where(order.UserID(who)).WithItems().WithPayments().WithEvents().
		Order(order.ByCreatedAt(), order.ByID()).All(ctx)
	for _, o := range found {
		amount := func(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: o.PriceCurrency} }
		one := Order{OrderNumber: o.OrderNumber, CreatedAt: o.CreatedAt.UTC(), Status: o.Status, Total: amount(o.Total),
			PriceCurrency: o.PriceCurrency, ShippingAddress: o.ShippingAddress, CustomerNotes: o.CustomerNotes}
		for _, i := range o.Edges.Items {
			one.Items = append(one.Items, OrderItem{i.Sku, i.TitleFa, i.TitleEn, i.Quantity, amount(i.LineTotal)})
		}
		for _, p := range o.Edges.Payments {
			one.Payments = append(one.Payments,
				Payment{p.Type, p.Status, amount(p.Amount), p.TransferAccount, p.TransferRefNumber, p.Notes})
		}
		for _, h := range o.Edges.Events {
			one.History = append(one.History, Step{h.Status, h.At.UTC(), h.Note})
		}
		s.Orders = append(s.Orders, one)
	}
	return err
}

// addKept adds the cart and the favorites.
func (s *Shop) addKept(ctx context.Context, store *ent.Client, who uuid.UUID, _ signature) error {
	lines, err := store.CartItem.Query().Where(cartitem.HasCartWith(cart.UserID(who))).WithVariant().
		Order(cartitem.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, l := range lines {
		s.Cart = append(s.Cart, CartLine{l.Edges.Variant.Sku, l.Quantity})
	}
	kept, err := store.Favorite.Query().Where(favorite.UserID(who)).WithProduct().Order(favorite.ByID()).All(ctx)
	for _, f := range kept {
		s.Favorites = append(s.Favorites, Favorite{f.Edges.Product.Slug, f.CreatedAt.UTC()})
	}
	return err
}

func (s *Shop) addListings(ctx context.Context, store *ent.Client, who uuid.UUID, _ signature) error {
	found, err := store.UserProduct.Query().Where(userproduct.UserID(who)).Order(userproduct.ByID()).All(ctx)
	for _, l := range found {
		s.Listings = append(s.Listings,
			Listing{l.Slug, l.TitleFa, l.TitleEn, l.Description, string(l.Status), l.CreatedAt.UTC()})
	}
	return err
}

// addOpinions adds the comments and reviews under the e-mail address.
func (s *Shop) addOpinions(ctx context.Context, store *ent.Client, _ uuid.UUID, under signature) error {
	if under.email == "" {
		return nil
	}
	comments, err := store.Comment.Query().Where(byEmail(under.email)).Order(comment.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, c := range comments {
		s.Comments = append(s.Comments, Comment{c.AuthorName, c.Text, c.Status, c.CreatedAt.UTC()})
	}
	reviews, err := store.ExpertReview.Query().Where(byEmail(under.email)).Order(expertreview.ByID()).All(ctx)
	for _, r := range reviews {
		s.Reviews = append(s.Reviews,
			Review{r.AuthorName, r.Rate, r.PositivePoints, r.NegativePoints, r.Text, r.Status, r.CreatedAt.UTC()})
	}
	return err
}

func (s *Shop) addMessages(ctx context.Context, store *ent.Client, _ uuid.UUID, under signature) error {
	ids, err := messagesOf(ctx, store, under)
	if err != nil || len(ids) == 0 {
		return err
	}
	found, err := store.ContactSubmission.Query().Where(contactsubmission.IDIn(ids...)).
		Order(contactsubmission.ByID()).All(ctx)
	for _, m := range found {
		s.Messages = append(s.Messages, Message{m.Title, m.Name, m.Email, m.CellNumber, m.Text, m.CreatedAt.UTC()})
	}
	return err
}
