package personal

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/ent/contactsubmission"
	"storefront/ent/expertreview"
	"storefront/ent/favorite"
	"storefront/ent/mediafile"
	"storefront/ent/movedslug"
	"storefront/ent/order"
	"storefront/ent/orderevent"
	"storefront/ent/payment"
	"storefront/ent/receipt"
	"storefront/ent/tenant"
	"storefront/ent/userproduct"
	"storefront/internal/database"
	"storefront/internal/derive"
	"storefront/internal/record"
)

// together is how many rows one statement names.
const together = 500

// forgetOrders removes the person from their orders. Province and city stay, for statistics; the payment
// loses only its notes, since the shop's accounting needs its references. It returns the orders.
func forgetOrders(ctx context.Context, tx *ent.Tx, who uuid.UUID, erased *Figures) ([]uuid.UUID, error) {
	found, err := tx.Order.Query().Where(order.UserID(who)).Order(order.ByID()).Modify(database.ForUpdate).
		Select(order.FieldID, order.FieldShippingAddress).All(ctx)
	if err != nil {
		return nil, err
	}
	erased.Orders = len(found)
	orders := make([]uuid.UUID, len(found))
	for i, o := range found {
		orders[i] = o.ID
	}
	for _, some := range byPlace(found) {
		for ids := range slices.Chunk(some.orders, together) {
			err := tx.Order.Update().Where(order.IDIn(ids...)).ClearUserID().ClearCustomerNotes().
				SetShippingAddress(record.ShippingAddress{Province: some.province, City: some.city}).Exec(ctx)
			if err != nil {
				return nil, err
			}
			if err := tx.Payment.Update().Where(payment.OrderIDIn(ids...)).ClearNotes().Exec(ctx); err != nil {
				return nil, err
			}
			if err := tx.OrderEvent.Update().Where(orderevent.OrderIDIn(ids...)).ClearNote().Exec(ctx); err != nil {
				return nil, err
			}
		}
	}
	return orders, nil
}

// placed are the orders that were sent to one place.
type placed struct {
	province, city string
	orders         []uuid.UUID
}

// byPlace groups orders by destination, in the order of each place's first order. A change of orders locks
// the daily figures of their places (order_days), which must always happen in the same order.
func byPlace(orders []*ent.Order) (all []placed) {
	for _, o := range orders {
		at := o.ShippingAddress
		i := slices.IndexFunc(all, func(p placed) bool { return p.province == at.Province && p.city == at.City })
		if i < 0 {
			i = len(all)
			all = append(all, placed{province: at.Province, city: at.City})
		}
		all[i].orders = append(all[i].orders, o.ID)
	}
	return all
}

// nobody is the name shown for an author who was erased, in the language of a shop.
var nobody = map[string]string{"fa": "ناشناس", "en": "Anonymous"}

// forgetOpinions removes the author from a customer's comments and reviews, deletes the shop's replies to
// them, and returns them.
func forgetOpinions(
	ctx context.Context, tx *ent.Tx, shop, who uuid.UUID, email string, erased *Figures,
) ([]uuid.UUID, error) {
	of, err := tx.Tenant.Query().Where(tenant.ID(shop)).Select(tenant.FieldDefaultLocale).Only(ctx)
	if err != nil {
		return nil, err
	}
	name := nobody[of.DefaultLocale]
	comments, err := tx.Comment.Query().Where(writtenBy(who, email)).Order(comment.ByID()).IDs(ctx)
	if err != nil {
		return nil, err
	}
	for some := range slices.Chunk(comments, together) {
		err := tx.Comment.Update().Where(comment.IDIn(some...)).SetAuthorName(name).ClearAuthorEmail().ClearUserID().
			ClearRejectionReason().ClearReply().ClearRepliedAt().Exec(ctx)
		if err != nil {
			return nil, err
		}
	}
	reviews, err := tx.ExpertReview.Query().Where(writtenBy(who, email)).Order(expertreview.ByID()).IDs(ctx)
	if err != nil {
		return nil, err
	}
	for some := range slices.Chunk(reviews, together) {
		err := tx.ExpertReview.Update().Where(expertreview.IDIn(some...)).SetAuthorName(name).ClearAuthorEmail().
			ClearUserID().ClearRejectionReason().ClearReply().ClearRepliedAt().Exec(ctx)
		if err != nil {
			return nil, err
		}
	}
	erased.Opinions = len(comments) + len(reviews)
	return append(comments, reviews...), nil
}

// forgetListings deletes the customer's listings, and returns them.
func forgetListings(ctx context.Context, tx *ent.Tx, shop, who uuid.UUID, erased *Figures) ([]uuid.UUID, error) {
	ids, err := tx.UserProduct.Query().Where(userproduct.UserID(who)).Order(userproduct.ByID()).IDs(ctx)
	if erased.Listings = len(ids); err != nil || len(ids) == 0 {
		return nil, err
	}
	if _, err := tx.MovedSlug.Delete().Where(movedslug.RecordIDIn(ids...)).Exec(ctx); err != nil { // from titles
		return nil, err
	}
	if _, err := tx.UserProduct.Delete().Where(userproduct.UserID(who)).Exec(ctx); err != nil {
		return nil, err
	}
	return ids, derive.Records(ctx, tx, tx.Raw().Dialect(), shop, derive.Change{Changed: ids})
}

// forgetReceipts deletes the receipts that the customer has uploaded. The next sweep removes their files.
func forgetReceipts(ctx context.Context, tx *ent.Tx, who uuid.UUID, erased *Figures) error {
	found, err := tx.Receipt.Query().Where(receipt.UserID(who)).Order(receipt.ByID()).All(ctx)
	if err != nil || len(found) == 0 {
		return err
	}
	erased.Uploads += len(found)
	for _, r := range found {
		err := tx.FileRemoval.Create().SetPrefix(record.ReceiptFolder(r.TenantID, r.ID)).SetDueAt(r.CreatedAt).Exec(ctx)
		if err != nil {
			return err
		}
	}
	_, err = tx.Receipt.Delete().Where(receipt.UserID(who)).Exec(ctx)
	return err
}

// forgetUploads deletes the images that the customer has uploaded. The next sweep removes their files.
func forgetUploads(ctx context.Context, tx *ent.Tx, who uuid.UUID, erased *Figures) error {
	found, err := tx.MediaFile.Query().Where(mediafile.UserID(who)).Order(mediafile.ByID()).All(ctx)
	if err != nil || len(found) == 0 {
		return err
	}
	erased.Uploads += len(found)
	for _, f := range found {
		address, ok := record.ParseMediaAddress(f.Address)
		if !ok {
			return fmt.Errorf("personal: %q is no address of an image", f.Address)
		}
		err := tx.FileRemoval.Create().SetPrefix(address.Folder()).SetDueAt(f.CreatedAt).Exec(ctx)
		if err != nil {
			return err
		}
	}
	_, err = tx.MediaFile.Delete().Where(mediafile.UserID(who)).Exec(ctx)
	return err
}

func forgetMessages(ctx context.Context, tx *ent.Tx, under signature, erased *Figures) error {
	ids, err := messagesOf(ctx, tx.Client(), under)
	if err != nil {
		return err
	}
	erased.Messages = len(ids)
	for some := range slices.Chunk(ids, together) {
		if _, err := tx.ContactSubmission.Delete().Where(contactsubmission.IDIn(some...)).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

func forgetFavorites(ctx context.Context, tx *ent.Tx, who uuid.UUID, erased *Figures) (err error) {
	erased.Favorites, err = tx.Favorite.Delete().Where(favorite.UserID(who)).Exec(ctx)
	return err
}
