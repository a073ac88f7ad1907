package personal

import (
	"cmp"
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/address"
	"storefront/ent/authenticator"
	"storefront/ent/cart"
	"storefront/ent/cartitem"
	"storefront/ent/comment"
	"storefront/ent/contactsubmission"
	"storefront/ent/expertreview"
	"storefront/ent/favorite"
	"storefront/ent/mediafile"
	"storefront/ent/membership"
	"storefront/ent/order"
	"storefront/ent/session"
	"storefront/ent/signinaddress"
	"storefront/ent/staffinvitation"
	"storefront/ent/staffmember"
	"storefront/ent/tenant"
	"storefront/ent/user"
	"storefront/ent/userproduct"
	"storefront/internal/audit"
	"storefront/internal/database"
	"storefront/internal/money"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
)

// ExportAt returns what a shop stores about one of its customers, and records the export in its audit log.
// It fails with NOT_FOUND if the account is not a customer of the shop.
func ExportAt(ctx context.Context, store *ent.Client, shop, id uuid.UUID) (*Export, error) {
	who, err := customerOf(ctx, store, shop, id)
	if err != nil {
		return nil, err
	}
	out := &Export{Customer: asCustomer(who), Shops: []Shop{}}
	out.Customer.RegisteredFrom = nil // known to the service, not the shop
	if err := out.addShop(ctx, store, shop, id, signature{who.CellNumber, trimmed(who.Email)}); err != nil {
		return nil, err
	}
	err = transaction.Run(ctx, store, func(tx *ent.Tx) error {
		if err := stillThere(ctx, tx, id); err != nil {
			return err
		}
		if _, err := customerOf(ctx, tx.Client(), shop, id); err != nil {
			return err
		}
		return noteExport(ctx, tx, who, out.Shops[0].figures())
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// stillThere keeps an account from being erased until the transaction ends, so that nothing of an erased
// account is recorded or exported.
func stillThere(ctx context.Context, tx *ent.Tx, id uuid.UUID) error {
	_, err := tx.User.Query().Where(user.ID(id)).Modify(database.ForKeyShare).Select(user.FieldID).Only(ctx)
	if ent.IsNotFound(err) {
		err = unknown()
	}
	return err
}

// figures counts what was exported of a shop.
func (s *Shop) figures() Figures {
	return Figures{Orders: len(s.Orders), Opinions: len(s.Comments) + len(s.Reviews), Listings: len(s.Listings),
		Messages: len(s.Messages), Favorites: len(s.Favorites), Uploads: len(s.Uploads)}
}

// noteExport writes to an audit log what was exported, and about whom.
func noteExport(ctx context.Context, tx *ent.Tx, who *ent.User, given Figures) error {
	return audit.Record(ctx, tx, "customerExport", audit.Change{
		Kind: "customer", ID: who.ID, Name: who.CellNumber, Customer: who.ID,
		Before: map[string]any{"exported": nil}, After: map[string]any{"exported": given},
	})
}

// HandOut is ExportAccount for a caller other than the customer: the export is recorded in the audit log of
// each shop, or of the service if no shop stores anything.
func HandOut(ctx context.Context, store *ent.Client, id uuid.UUID) (*Export, error) {
	who, err := store.User.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	out, err := ExportAccount(ctx, store, id)
	if err != nil {
		return nil, err
	}
	err = transaction.Run(ctx, store, func(tx *ent.Tx) error {
		if err := stillThere(ctx, tx, id); err != nil {
			return err
		}
		if len(out.Shops) == 0 {
			return noteExport(ctx, tx, who, Figures{})
		}
		for _, shop := range out.Shops {
			if err := noteExport(actsFor(ctx, shop.id), tx, who, shop.figures()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// ExportAccount returns what the service stores about an account. Texts signed with its e-mail address are
// left out, since the address is not verified; texts signed with its number are included if that is
// verified.
func ExportAccount(ctx context.Context, store *ent.Client, id uuid.UUID) (*Export, error) {
	who, err := store.User.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	out := &Export{Customer: asCustomer(who), Shops: []Shop{}}
	var under signature
	if who.Vouched {
		under.cell = who.CellNumber
	}
	homes, err := store.Address.Query().Where(address.UserID(id)).Order(address.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range homes {
		out.Addresses = append(out.Addresses,
			Address{Label: a.Label, Province: a.Province, City: a.City, Address: a.Address,
				PostalCode: a.PostalCode, Landline: a.Landline, CreatedAt: a.CreatedAt.UTC()})
	}
	sessions, err := store.Session.Query().Where(session.UserID(id)).Order(session.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range sessions {
		out.Sessions = append(out.Sessions, Session{BeganAt: s.CreatedAt.UTC(), ExpiresAt: s.ExpiresAt.UTC(),
			EndedAt: inUTC(s.EndedAt), Client: s.Client, Network: s.Network, ProvenAt: inUTC(s.ProvenAt)})
	}
	factor, err := store.Authenticator.Query().Where(authenticator.UserID(id)).Only(ctx)
	if err == nil {
		out.SecondFactor = &SecondFactor{factor.CreatedAt.UTC(), inUTC(factor.ConfirmedAt)}
	} else if !ent.IsNotFound(err) {
		return nil, err
	}
	from, err := store.SignInAddress.Query().Where(signinaddress.UserID(id)).Order(signinaddress.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range from {
		out.SignInAddresses = append(out.SignInAddresses, SignInAddress{a.Address, a.LastAt.UTC()})
	}
	works, err := store.StaffMember.Query().Where(staffmember.UserID(id)).Order(staffmember.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range works {
		out.Workplaces = append(out.Workplaces, Workplace{w.BusinessID, w.Role, w.CreatedAt.UTC()})
	}
	if who.Vouched {
		if out.Invitations, err = invitationsOf(ctx, store, who.CellNumber); err != nil {
			return nil, err
		}
	}
	shops, err := shopsOf(ctx, store, id)
	for _, shop := range shops {
		if err := out.addShop(ctx, store, shop, id, under); err != nil {
			return nil, err
		}
	}
	return out, err
}

// invitationsOf returns the invitations of a cell number to work for shops.
func invitationsOf(ctx context.Context, store *ent.Client, cell string) (all []Invitation, err error) {
	found, err := store.StaffInvitation.Query().Where(staffinvitation.CellNumber(cell)).
		Order(staffinvitation.ByID()).All(ctx)
	for _, i := range found {
		all = append(all, Invitation{BusinessID: i.BusinessID, CellNumber: i.CellNumber, Role: i.Role,
			Sms: i.Sms, SmsAt: inUTC(i.SmsAt), CreatedAt: i.CreatedAt.UTC(), ExpiresAt: i.ExpiresAt.UTC()})
	}
	return all, err
}

func asCustomer(who *ent.User) Customer {
	return Customer{ID: who.ID, CellNumber: who.CellNumber, CellVerified: who.CellVerified, Vouched: who.Vouched,
		FirstName: who.FirstName, LastName: who.LastName, Email: who.Email,
		RegisteredFrom: who.RegisteredFrom, CreatedAt: who.CreatedAt.UTC(), ClosedAt: inUTC(who.ClosedAt)}
}

// addShop adds what one shop stores.
func (e *Export) addShop(ctx context.Context, store *ent.Client, id, who uuid.UUID, under signature) error {
	ctx = tenancy.In(ctx, id)
	of, err := store.Tenant.Query().Where(tenant.ID(id)).Select(tenant.FieldDomain).Only(ctx)
	if err != nil {
		return err
	}
	out := Shop{id: id, Domain: of.Domain, Orders: []Order{}, Cart: []CartLine{}, Favorites: []Favorite{},
		Listings: []Listing{}, Comments: []Comment{}, Reviews: []Review{}, Messages: []Message{},
		Uploads: []Upload{}}
	link, err := store.Membership.Query().
		Where(membership.UserID(who), membership.BusinessID(id), membership.PendingUntilIsNil()).Only(ctx)
	if err == nil {
		out.MemberSince = new(link.CreatedAt.UTC())
	} else if !ent.IsNotFound(err) {
		return err
	}
	for _, add := range []func(context.Context, *ent.Client, uuid.UUID, signature) error{
		out.addOrders, out.addKept, out.addListings, out.addOpinions, out.addMessages, out.addUploads,
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
		WithReceipts().
		Order(order.ByCreatedAt(), order.ByID()).All(ctx)
	for _, o := range found {
		amount := func(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: o.PriceCurrency} }
		one := Order{OrderNumber: o.OrderNumber, CreatedAt: o.CreatedAt.UTC(), Status: o.Status,
			TotalQuantity: o.TotalQuantity, Subtotal: amount(o.Subtotal), Total: amount(o.Total),
			Discount: amount(o.Discount), PriceCurrency: o.PriceCurrency, ShippingAddress: o.ShippingAddress,
			CustomerNotes: o.CustomerNotes}
		for _, i := range o.Edges.Items {
			one.Items = append(one.Items, OrderItem{Sku: i.Sku, ProductSlug: i.ProductSlug, TitleFa: i.TitleFa,
				TitleEn: i.TitleEn, Options: i.Options, ImageURL: i.ImageURL,
				Quantity: i.Quantity, UnitPrice: amount(i.UnitPrice), LineTotal: amount(i.LineTotal)})
		}
		for _, p := range o.Edges.Payments {
			one.Payments = append(one.Payments, Payment{Type: p.Type, Status: p.Status, Amount: amount(p.Amount),
				PosType: p.PosType, TransferAccount: p.TransferAccount,
				TransferRefNumber: p.TransferRefNumber, GatewayType: p.GatewayType, Notes: p.Notes,
				Reference: p.Reference, MarkedAt: inUTC(p.MarkedAt)})
		}
		for _, r := range o.Edges.Receipts {
			one.Receipts = append(one.Receipts, Receipt{ID: r.ID, Size: r.Size, Width: r.Width, Height: r.Height,
				CreatedAt: r.CreatedAt.UTC()})
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
	lines, err := store.CartItem.Query().
		Where(cartitem.HasCartWith(cart.UserID(who), sql.FieldEQ(cart.FieldTenantID, s.id))).WithVariant().
		Order(cartitem.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, l := range lines {
		currency := *cmp.Or(l.SeenCurrency, &l.Edges.Variant.PriceCurrency)
		s.Cart = append(s.Cart, CartLine{
			Sku: l.Edges.Variant.Sku, Quantity: l.Quantity,
			SeenPrice: money.Amount{Minor: l.SeenPrice, Currency: currency}, SeenCurrency: currency,
			CreatedAt: l.CreatedAt.UTC(),
		})
	}
	kept, err := store.Favorite.Query().Where(favorite.UserID(who)).WithProduct().Order(favorite.ByID()).All(ctx)
	for _, f := range kept {
		s.Favorites = append(s.Favorites, Favorite{f.Edges.Product.Slug, f.CreatedAt.UTC()})
	}
	return err
}

func (s *Shop) addListings(ctx context.Context, store *ent.Client, who uuid.UUID, _ signature) error {
	found, err := store.UserProduct.Query().Where(userproduct.UserID(who)).
		WithCategory().WithCountry().WithProvince().WithCity().Order(userproduct.ByID()).All(ctx)
	for _, l := range found {
		one := Listing{
			Slug: l.Slug, TitleFa: l.TitleFa, TitleEn: l.TitleEn, Description: l.Description,
			DescriptionFa: l.DescriptionFa,
			PriceCurrency: l.PriceCurrency, Condition: l.Condition, Images: l.Images, Values: l.Values,
			DeliveryNotes: l.DeliveryNotes, TechnicalNotes: l.TechnicalNotes, Status: string(l.Status),
			RejectionReason: l.RejectionReason,
			Promoted:        l.Promoted, PublishedAt: l.PublishedAt.UTC(),
			CreatedAt: l.CreatedAt.UTC(),
		}
		if l.Price != nil {
			one.Price = &money.Amount{Minor: *l.Price, Currency: l.PriceCurrency}
		}
		if category := l.Edges.Category; category != nil {
			one.Category = &category.Slug
		}
		one.Country, one.Province, one.City = slugOf(l.Edges.Country), slugOf(l.Edges.Province), slugOf(l.Edges.City)
		s.Listings = append(s.Listings, one)
	}
	return err
}

func (s *Shop) addUploads(ctx context.Context, store *ent.Client, who uuid.UUID, _ signature) error {
	found, err := store.MediaFile.Query().Where(mediafile.UserID(who)).Order(mediafile.ByID()).All(ctx)
	for _, f := range found {
		s.Uploads = append(s.Uploads, Upload{Address: f.Address, Name: f.Name, Kind: string(f.Kind), Size: f.Size,
			Width: f.Width, Height: f.Height, PlaceholderColor: f.PlaceholderColor, AltFa: f.AltFa, AltEn: f.AltEn,
			CreatedAt: f.CreatedAt.UTC()})
	}
	return err
}

func slugOf(place *ent.Location) *string {
	if place == nil {
		return nil
	}
	return &place.Slug
}

// inUTC returns a time in the form that both databases return.
func inUTC(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	return new(at.UTC())
}

// addOpinions adds the customer's comments and reviews, and those under the e-mail address.
func (s *Shop) addOpinions(ctx context.Context, store *ent.Client, who uuid.UUID, under signature) error {
	comments, err := store.Comment.Query().Where(writtenBy(who, under.email)).Order(comment.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, c := range comments {
		s.Comments = append(s.Comments, Comment{EntityType: c.EntityType, EntityID: c.EntityID,
			AuthorName: c.AuthorName, AuthorEmail: c.AuthorEmail, Text: c.Text,
			Status: c.Status, RejectionReason: c.RejectionReason, Reply: c.Reply, RepliedAt: inUTC(c.RepliedAt),
			CreatedAt: c.CreatedAt.UTC()})
	}
	reviews, err := store.ExpertReview.Query().Where(writtenBy(who, under.email)).WithProduct().
		Order(expertreview.ByID()).All(ctx)
	for _, r := range reviews {
		s.Reviews = append(s.Reviews,
			Review{Product: r.Edges.Product.Slug, AuthorName: r.AuthorName, AuthorEmail: r.AuthorEmail,
				Rate: r.Rate, PositivePoints: r.PositivePoints, NegativePoints: r.NegativePoints,
				Text: r.Text, Status: r.Status, RejectionReason: r.RejectionReason, Reply: r.Reply,
				RepliedAt: inUTC(r.RepliedAt), CreatedAt: r.CreatedAt.UTC()})
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
		s.Messages = append(s.Messages,
			Message{Title: m.Title, Name: m.Name, Email: m.Email, CellNumber: m.CellNumber, Text: m.Text,
				HandledAt: inUTC(m.HandledAt), Reply: m.Reply, RepliedAt: inUTC(m.RepliedAt), ReplyState: m.ReplyState,
				CreatedAt: m.CreatedAt.UTC()})
	}
	return err
}
