package media

import (
	"context"
	"net/url"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/predicate"
	"storefront/ent/receipt"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/media/imagefile"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/platform/signedlink"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/sale/cart"
	"storefront/internal/shop/staff"
)

const (
	// ReceiptUploadPath is where customers upload receipts of transfers.
	ReceiptUploadPath = UploadPath + "/receipts"
	// ReceiptPath is where they and staff read them. The link is in the query.
	ReceiptPath = record.MediaPath + "receipts"
)

// The purposes of links. Links of customers and of staff are checked by different rules each time they are used.
const (
	receiptUploading = "upload receipt"
	ownReceipt       = "see own receipt"
	customersReceipt = "see receipt of a customer"
)

// The names of the parameters of a link.
const ofOrder, ofReceipt = "order", "receipt"

// Limits of the receipts that a customer may upload to a shop, in addition to those of an order. All receipts of a shop
// may take half of Quota, on top of its images.
const (
	mostReceiptsInDay     = 20
	mostReceiptsOfOne     = 200
	mostReceiptBytesOfOne = 64 << 20
	receiptQuotaDivisor   = 2 // receipts may take half of Quota
)

const receiptsKeptFor = 365 * 24 * time.Hour // after their upload

// receiptKey returns the key of the file of a receipt.
func receiptKey(shop, id uuid.UUID) string { return record.ReceiptFolder(shop, id) + "receipt.jpg" }

// NewReceiptLink returns the address to which the customer of a context may upload receipts of one of their orders,
// relative to the address of GraphQL, and when it expires.
func (s *Service) NewReceiptLink(
	ctx context.Context, of cart.Owner, order uuid.UUID,
) (to string, expires time.Time, err error) {
	caller, err := request.CallerOf(ctx)
	if err == nil {
		err = s.Orders.TakesReceipts(ctx, of, order)
	}
	if err == nil {
		err = s.place(ctx)
	}
	if err == nil {
		err = s.Orders.HasRoomForReceipt(ctx, of, order)
	}
	if err == nil {
		err = s.mayUploadReceipt(ctx, of)
	}
	if err != nil {
		return "", time.Time{}, err
	}
	link, expires := s.Links.Signer.Make(signedlink.Link{
		Purpose: receiptUploading, Business: of.Business, User: of.User, Session: caller.Session,
		Parameters: map[string]string{ofOrder: order.String()},
	}, linkTime)
	return ReceiptUploadPath + "?link=" + url.QueryEscape(link), expires, nil
}

// admitReceipt admits uploads of receipts. Those that cannot be stored are refused before the body is read.
func (s *Service) admitReceipt(ctx context.Context, text string) (context.Context, admitted, error) {
	waiting, stop := context.WithTimeout(ctx, admitTime)
	defer stop()
	link, err := s.customersLink(waiting, receiptUploading, text)
	if err != nil {
		return ctx, admitted{}, err
	}
	order, err := uuid.Parse(link.Parameters[ofOrder])
	if err != nil {
		return ctx, admitted{}, err
	}
	of := cart.Owner{Business: link.Business, User: link.User}
	if err := s.Orders.TakesReceipts(waiting, of, order); err != nil {
		return ctx, admitted{}, err
	}
	if err := s.mayUploadReceipt(waiting, of); err != nil {
		return ctx, admitted{}, err
	}
	take := func(ctx context.Context, f imagefile.File, book booking) (any, bool, error) {
		kept, isNew, err := s.keepReceipt(ctx, of, order, f, book)
		if err != nil {
			return nil, false, err
		}
		return uploadedReceipt{ID: kept.ID, Width: kept.Width, Height: kept.Height,
			UploadedAt: kept.CreatedAt.UTC()}, isNew, nil
	}
	return acting(ctx, link), admitted{of.Business, of.User, receiptsInDay(of), take}, nil
}

// uploadedReceipt is the answer to the upload of a receipt.
type uploadedReceipt struct {
	ID         uuid.UUID `json:"id"`
	Width      int       `json:"width"`
	Height     int       `json:"height"`
	UploadedAt time.Time `json:"uploadedAt"`
}

// mayUploadReceipt checks, without a lock, whether a customer may upload another receipt to a shop.
func (s *Service) mayUploadReceipt(ctx context.Context, of cart.Owner) error {
	if err := s.mayTry(ctx, receiptsInDay(of)); err != nil {
		return err
	}
	return s.roomForReceipt(of.In(ctx), s.Store, of, 1)
}

// receiptsInDay limits the receipts that a customer uploads to a shop. Removed ones count, so that nobody can cause
// endless work or events.
func receiptsInDay(of cart.Owner) ratelimit.Limit {
	return inDay("receipt", of.Business, of.User, mostReceiptsInDay)
}

// roomForReceipt fails with CONFLICT if the receipts of the customer, or of the shop of the context, would take too
// many bytes.
func (s *Service) roomForReceipt(ctx context.Context, client *ent.Client, of cart.Owner, more int64) error {
	files, bytes, err := receiptUsage(ctx, client, receipt.UserID(of.User))
	if err == nil && (files >= mostReceiptsOfOne || bytes+more > mostReceiptBytesOfOne) {
		err = fault.New(fault.Conflict, "your receipts take all the room that they may; remove some first")
	}
	if err != nil || s.Quota == 0 {
		return err
	}
	_, bytes, err = receiptUsage(ctx, client)
	if err == nil && bytes+more > s.Quota/receiptQuotaDivisor {
		err = fault.New(fault.Conflict,
			"the shop has no room for receipts at the moment; send it the receipt in another way")
	}
	return err
}

// receiptUsage returns the number and bytes of the receipts of the shop of a context, or of those that match some.
func receiptUsage(
	ctx context.Context, client *ent.Client, some ...predicate.Receipt,
) (files int, bytes int64, err error) {
	return summed(ctx, client.Receipt.Query().Where(some...).Modify(summing(receipt.FieldSize)))
}

// RemoveReceipt removes a receipt from an order of a customer, and its file.
func (s *Service) RemoveReceipt(ctx context.Context, of cart.Owner, order, id uuid.UUID) (*ent.Order, error) {
	return s.endReceipt(ctx, of.Business, id, func(ctx context.Context, tx *ent.Tx) (*ent.Order, error) {
		return s.Orders.RemoveReceipt(ctx, tx, of, order, id)
	})
}

// DeleteReceipt deletes a receipt of an order of a shop, as its staff does, and its file.
func (s *Service) DeleteReceipt(ctx context.Context, shop, order, id uuid.UUID) (*ent.Order, error) {
	return s.endReceipt(ctx, shop, id, func(ctx context.Context, tx *ent.Tx) (*ent.Order, error) {
		return s.Orders.DeleteReceipt(ctx, tx, order, id)
	})
}

// endReceipt runs end, which deletes the row of a receipt, and removes the file.
func (s *Service) endReceipt(
	ctx context.Context, shop, id uuid.UUID, end func(context.Context, *ent.Tx) (*ent.Order, error),
) (left *ent.Order, err error) {
	ctx = tenancy.In(ctx, shop)
	err = transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
		if left, err = end(ctx, tx); err != nil {
			return err
		}
		return s.removeAfter(ctx, tx, record.ReceiptFolder(shop, id))
	})
	return left, err
}

// OwnReceiptURL returns the address at which the customer of a receipt, who is the caller, can see it for a
// while. It is relative to the address of GraphQL.
func (s *Service) OwnReceiptURL(caller request.Caller, r *ent.Receipt) string {
	link, _ := s.Links.Signer.Make(signedlink.Link{
		Purpose: ownReceipt, Business: r.TenantID, User: caller.User, Session: caller.Session,
		Parameters: map[string]string{ofReceipt: r.ID.String()},
	}, linkTime)
	return ReceiptPath + "?link=" + url.QueryEscape(link)
}

// ReceiptURL is OwnReceiptURL for the staff member of a context. It fails with FORBIDDEN if they may not
// manage orders.
func (s *Service) ReceiptURL(ctx context.Context, r *ent.Receipt) (string, error) {
	link, _, err := s.Links.Make(ctx, customersReceipt, staff.ManageOrders, linkTime,
		map[string]string{ofReceipt: r.ID.String()})
	return ReceiptPath + "?link=" + url.QueryEscape(link), err
}
