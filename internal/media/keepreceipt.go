package media

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/receipt"
	"storefront/internal/customer/member"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/media/imagefile"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/order"
)

// receiptForm is what is stored of a receipt: a picture no wider than is needed to read it, so that only its pixels
// are stored and nothing else of the upload.
var receiptForm = imagefile.Form{Width: 1920, Height: 8000, As: imagefile.JPEG, Quality: shownQuality}

// keepReceipt stores a receipt of an order. If the order has a receipt of the same file already, it returns that and
// false, and restores its file if it was lost.
func (s *Service) keepReceipt(
	ctx context.Context, of cart.Owner, id uuid.UUID, f imagefile.File, book booking,
) (kept *ent.Receipt, isNew bool, err error) {
	ctx = tenancy.In(ctx, of.Business)
	hash, err := hashOf(f)
	if err != nil {
		return nil, false, err
	}
	if kept, err = s.sameReceipt(ctx, of, id, hash); err != nil {
		return nil, false, err
	}
	if kept != nil {
		if there, err := s.isThere(ctx, receiptKey(of.Business, kept.ID), kept.Size); there || err != nil {
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
		return kept, false, s.restore(ctx, receiptKey(of.Business, kept.ID), kept.Size, made.file, noReceipt,
			func() (int, error) {
				n, err := putBackReceipt.Exec(ctx, s.Store.Raw(), database.Values{
					"size": made.file.size, "width": made.Width, "height": made.Height,
					"tenant": of.Business, "receipt": kept.ID,
				})
				return int(n), err
			})
	}
	if err := s.roomForReceipt(ctx, s.Store, of, made.file.size); err != nil {
		return nil, false, err
	}
	file := order.ReceiptFile{ID: record.NewID(), Hash: hash, Size: made.file.size,
		Width: made.Width, Height: made.Height}
	key := receiptKey(of.Business, file.ID)
	isNew, err = s.storeWithRow(ctx, key, made.file, func(tx *ent.Tx) (isNew bool, err error) {
		kept, isNew, err = s.writeReceipt(ctx, tx, of, id, file)
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
	ctx context.Context, of cart.Owner, id uuid.UUID, hash []byte,
) (kept *ent.Receipt, err error) {
	ctx, stop := context.WithTimeout(ctx, admitTime)
	defer stop()
	kept, err = s.Store.Receipt.Query().Where(receipt.OrderID(id), receipt.Hash(hash)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, s.Orders.HasRoomForReceipt(ctx, of, id)
	}
	return kept, err
}

// writeReceipt writes the row of a receipt, unless another upload of the same file was first.
func (s *Service) writeReceipt(
	ctx context.Context, tx *ent.Tx, of cart.Owner, id uuid.UUID, file order.ReceiptFile,
) (kept *ent.Receipt, isNew bool, err error) {
	if err := hold(ctx, tx, of.User); err != nil {
		return nil, false, err
	}
	if _, err := member.OpenShop(ctx, tx.Client(), of.Business); err != nil {
		return nil, false, err
	}
	if err := s.roomForReceipt(ctx, tx.Client(), of, file.Size); err != nil {
		return nil, false, err
	}
	return s.Orders.AddReceipt(ctx, tx, of, id, file)
}
