package media

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/predicate"
	"storefront/ent/receipt"
	"storefront/internal/customer/member"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/media/blob"
	"storefront/internal/media/imagefile"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/platform/signedlink"
	"storefront/internal/platform/wire"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/order"
	"storefront/internal/shop/staff"
)

const (
	// receiptUploadPath is where customers upload receipts of transfers.
	receiptUploadPath = uploadPath + "/receipts"
	// receiptPath is where they and staff read them. The link is in the query.
	receiptPath = record.MediaPath + "receipts"
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
	ctx context.Context, owner cart.Owner, order uuid.UUID,
) (to string, expires time.Time, err error) {
	caller, err := request.CallerOf(ctx)
	if err == nil {
		err = s.Orders.TakesReceipts(ctx, owner, order)
	}
	if err == nil {
		err = s.place(ctx)
	}
	if err == nil {
		err = s.Orders.HasRoomForReceipt(ctx, owner, order)
	}
	if err == nil {
		err = s.mayUploadReceipt(ctx, owner)
	}
	if err != nil {
		return "", time.Time{}, err
	}
	link, expires := s.Links.Signer.Make(signedlink.Link{
		Purpose: receiptUploading, Business: owner.Business, User: owner.User, Session: caller.Session,
		Parameters: map[string]string{ofOrder: order.String()},
	}, linkTime)
	return receiptUploadPath + "?link=" + url.QueryEscape(link), expires, nil
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
func (s *Service) mayUploadReceipt(ctx context.Context, owner cart.Owner) error {
	if err := s.mayTry(ctx, receiptsInDay(owner)); err != nil {
		return err
	}
	return s.roomForReceipt(owner.In(ctx), s.Store, owner, 1)
}

// receiptsInDay limits the receipts that a customer uploads to a shop. Removed ones count, so that nobody can cause
// endless work or events.
func receiptsInDay(owner cart.Owner) ratelimit.Limit {
	return inDay("receipt", owner.Business, owner.User, mostReceiptsInDay)
}

// roomForReceipt fails with CONFLICT if the receipts of the customer, or of the shop of the context, would take too
// many bytes.
func (s *Service) roomForReceipt(ctx context.Context, client *ent.Client, owner cart.Owner, more int64) error {
	files, bytes, err := receiptUsage(ctx, client, receipt.UserID(owner.User))
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
	ctx context.Context, client *ent.Client, where ...predicate.Receipt,
) (files int, bytes int64, err error) {
	return summed(ctx, client.Receipt.Query().Where(where...).Modify(summing(receipt.FieldSize)))
}

// RemoveReceipt removes a receipt from an order of a customer, and its file.
func (s *Service) RemoveReceipt(ctx context.Context, owner cart.Owner, order, id uuid.UUID) (*ent.Order, error) {
	return s.endReceipt(ctx, owner.Business, id, func(ctx context.Context, tx *ent.Tx) (*ent.Order, error) {
		return s.Orders.RemoveReceipt(ctx, tx, owner, order, id)
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
	return receiptPath + "?link=" + url.QueryEscape(link)
}

// ReceiptURL is OwnReceiptURL for the staff member of a context. It fails with FORBIDDEN if they may not
// manage orders.
func (s *Service) ReceiptURL(ctx context.Context, r *ent.Receipt) (string, error) {
	link, _, err := s.Links.Make(ctx, customersReceipt, staff.ManageOrders, linkTime,
		map[string]string{ofReceipt: r.ID.String()})
	return receiptPath + "?link=" + url.QueryEscape(link), err
}

// receiptForm is what is stored of a receipt: a picture no wider than is needed to read it, so that only its pixels
// are stored and nothing else of the upload.
var receiptForm = imagefile.Form{Width: 1920, Height: 8000, As: imagefile.JPEG, Quality: shownQuality}

// keepReceipt stores a receipt of an order. If the order has a receipt of the same file already, it returns that and
// false, and restores its file if it was lost.
func (s *Service) keepReceipt(
	ctx context.Context, owner cart.Owner, id uuid.UUID, f imagefile.File, book booking,
) (kept *ent.Receipt, isNew bool, err error) {
	ctx = tenancy.In(ctx, owner.Business)
	hash, err := hashOf(f)
	if err != nil {
		return nil, false, err
	}
	if kept, err = s.sameReceipt(ctx, owner, id, hash); err != nil {
		return nil, false, err
	}
	if kept != nil {
		if there, err := s.isThere(ctx, receiptKey(owner.Business, kept.ID), kept.Size); there || err != nil {
			return kept, false, err
		}
	}
	made, err := s.draw(ctx, f, receiptForm, false, book)
	if err != nil {
		return nil, false, err
	}
	defer made.file.close()
	ctx, stop := context.WithTimeout(ctx, keepLimit)
	defer stop()
	if kept != nil {
		return kept, false, s.restore(ctx, receiptKey(owner.Business, kept.ID), kept.Size, made.file, noReceipt,
			func() (int, error) {
				n, err := putBackReceipt.Exec(ctx, s.Store.Raw(), database.Values{
					"size": made.file.size, "width": made.Width, "height": made.Height,
					"tenant": owner.Business, "receipt": kept.ID,
				})
				return int(n), err
			})
	}
	if err := s.roomForReceipt(ctx, s.Store, owner, made.file.size); err != nil {
		return nil, false, err
	}
	file := order.ReceiptFile{ID: record.NewID(), Hash: hash, Size: made.file.size,
		Width: made.Width, Height: made.Height}
	key := receiptKey(owner.Business, file.ID)
	isNew, err = s.storeWithRow(ctx, key, made.file, func(tx *ent.Tx) (isNew bool, err error) {
		kept, isNew, err = s.writeReceipt(ctx, tx, owner, id, file)
		return isNew, err
	})
	return kept, isNew, err
}

// putBackReceipt describes the file that was put back: a newer encoder may have made another one.
var putBackReceipt = database.Statement(`UPDATE receipts SET size = $size, width = $width, height = $height
	WHERE tenant_id = $tenant AND id = $receipt`)

// sameReceipt returns the receipt of an order that was made from the same file, or nil if there is none and the order
// has room for one. It is called before the costly drawing, so that a refused file leaves nothing behind.
func (s *Service) sameReceipt(
	ctx context.Context, owner cart.Owner, id uuid.UUID, hash []byte,
) (kept *ent.Receipt, err error) {
	ctx, stop := context.WithTimeout(ctx, admitTime)
	defer stop()
	kept, err = s.Store.Receipt.Query().Where(receipt.OrderID(id), receipt.Hash(hash)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, s.Orders.HasRoomForReceipt(ctx, owner, id)
	}
	return kept, err
}

// writeReceipt writes the row of a receipt, unless another upload of the same file was first.
func (s *Service) writeReceipt(
	ctx context.Context, tx *ent.Tx, owner cart.Owner, id uuid.UUID, file order.ReceiptFile,
) (kept *ent.Receipt, isNew bool, err error) {
	if err := hold(ctx, tx, owner.User); err != nil {
		return nil, false, err
	}
	if _, err := member.OpenShop(ctx, tx.Client(), owner.Business); err != nil {
		return nil, false, err
	}
	if err := s.roomForReceipt(ctx, tx.Client(), owner, file.Size); err != nil {
		return nil, false, err
	}
	return s.Orders.AddReceipt(ctx, tx, owner, id, file)
}

func noReceipt() error { return fault.New(fault.NotFound, "the receipt is not there any more") }

// serveReceipt sends a receipt to people with a link, if they may still see it.
func (s *Service) serveReceipt(w http.ResponseWriter, r *http.Request) error {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer") // the address has the link
	if err := wire.OnlyRead(w, r); err != nil {
		return err
	}
	link, err := linkOf(r)
	if err == nil {
		err = s.place(r.Context())
	}
	if err != nil {
		return err
	}
	found, err := s.seenReceipt(r.Context(), link)
	if err != nil {
		return err
	}
	f, err := s.open(tenancy.In(r.Context(), found.TenantID), receiptKey(found.TenantID, found.ID))
	if errors.Is(err, blob.ErrNotFound) {
		return noReceipt()
	}
	if err != nil {
		return err
	}
	defer f.Close()
	describe(h, imagefile.JPEG)
	http.ServeContent(w, r, "", time.Time{}, f)
	return nil
}

// seenReceipt returns the receipt that a link leads to: for its customer, or for staff who may manage orders.
func (s *Service) seenReceipt(ctx context.Context, text string) (*ent.Receipt, error) {
	ctx, stop := context.WithTimeout(ctx, admitTime)
	defer stop()
	if _, err := s.Links.Signer.Read(ownReceipt, text); err == nil || signedlink.IsExpired(err) {
		link, err := s.customersLink(ctx, ownReceipt, text)
		if err != nil {
			return nil, err
		}
		return s.findReceipt(ctx, link.Business, link.Parameters, receipt.UserID(link.User))
	}
	pass, err := s.Links.Admit(ctx, customersReceipt, text, staff.ManageOrders)
	if err != nil {
		return nil, err
	}
	request.Of(ctx).Note.For(pass.Shop.Domain)
	return s.findReceipt(ctx, pass.Shop.ID, pass.Parameters)
}

// findReceipt returns the receipt of a link.
func (s *Service) findReceipt(
	ctx context.Context, shop uuid.UUID, said map[string]string, whose ...predicate.Receipt,
) (*ent.Receipt, error) {
	id, err := uuid.Parse(said[ofReceipt])
	if err != nil {
		return nil, err
	}
	found, err := s.Store.Receipt.Query().Where(append(whose, receipt.ID(id))...).Only(tenancy.In(ctx, shop))
	if ent.IsNotFound(err) {
		err = noReceipt()
	}
	return found, err
}
