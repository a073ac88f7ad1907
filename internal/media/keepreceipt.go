package media

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/fileremoval"
	"storefront/ent/receipt"
	"storefront/internal/blob"
	"storefront/internal/cart"
	"storefront/internal/imagefile"
	"storefront/internal/order"
	"storefront/internal/ratelimit"
	"storefront/internal/record"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
)

// receiptForm is what is stored of a receipt: a picture no wider than is needed to read it, so that only its pixels
// are stored and nothing else of the upload.
var receiptForm = imagefile.Form{Width: 1920, Height: 8000, As: imagefile.JPEG, Quality: shownQuality}

// keepReceipt stores a receipt of an order. If the order has a receipt of the same file already, it returns that and
// false, and restores its file if it was lost.
func (s *Service) keepReceipt(
	ctx context.Context, of cart.Owner, id uuid.UUID, f imagefile.File,
) (kept *ent.Receipt, isNew bool, err error) {
	ctx = tenancy.In(ctx, of.Business)
	hash, err := hashOf(f)
	if err != nil {
		return nil, false, err
	}
	kept, err = s.sameReceipt(ctx, of, id, hash)
	if err != nil || kept != nil && !s.isLost(ctx, kept) {
		return kept, false, err
	}
	made, err := s.draw(ctx, f, receiptForm, false)
	if err != nil {
		return nil, false, err
	}
	defer made.file.close()
	ctx, stop := context.WithTimeout(ctx, keepLimit)
	defer stop()
	if kept != nil {
		return kept, false, s.putReceiptBack(ctx, kept, made)
	}
	if err := s.roomForReceipt(ctx, s.Store, of, made.file.size); err != nil {
		return nil, false, err
	}
	file := order.ReceiptFile{ID: record.NewID(), Hash: hash, Size: made.file.size,
		Width: made.Width, Height: made.Height}
	removal, err := s.Store.FileRemoval.Create().SetPrefix(record.ReceiptFolder(of.Business, file.ID)).
		SetDueAt(s.now().Add(abandoned)).Save(ctx)
	if err != nil {
		return nil, false, err
	}
	if err := s.put(ctx, receiptKey(of.Business, file.ID), made.file.content(), made.file.size); err != nil {
		return nil, false, err
	}
	err = transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
		kept, isNew, err = s.writeReceipt(ctx, tx, of, id, file, removal.ID)
		return err
	})
	if err != nil || !isNew {
		s.discard(ctx, removal, err)
	}
	return kept, isNew, err
}

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

// isLost reports whether the file of a receipt is not where it belongs, or cannot be read.
func (s *Service) isLost(ctx context.Context, kept *ent.Receipt) bool {
	f, err := s.Files.Open(ctx, receiptKey(kept.TenantID, kept.ID))
	return err != nil || f.Close() != nil
}

// writeReceipt writes the row of a receipt, unless another upload of the same file was first.
func (s *Service) writeReceipt(
	ctx context.Context, tx *ent.Tx, of cart.Owner, id uuid.UUID, file order.ReceiptFile, removal uuid.UUID,
) (kept *ent.Receipt, isNew bool, err error) {
	if err := hold(ctx, tx, of.User); err != nil {
		return nil, false, err
	}
	if err := mustBeOpen(ctx, tx, of.Business); err != nil {
		return nil, false, err
	}
	_, full, err := ratelimit.Take(ctx, tx, s.now, receiptsInDay(of))
	if err == nil {
		err = tooManyReceipts(full)
	}
	if err == nil {
		err = s.roomForReceipt(ctx, tx.Client(), of, file.Size)
	}
	if err != nil {
		return nil, false, err
	}
	kept, isNew, err = s.Orders.AddReceipt(ctx, tx, of, id, file)
	if err != nil || !isNew {
		return kept, false, err
	}
	n, err := tx.FileRemoval.Delete().Where(fileremoval.ID(removal)).Exec(ctx)
	if err == nil && n == 0 {
		err = tooSlow()
	}
	return kept, true, err
}

// putReceiptBack restores the file of a receipt, unless it exists.
func (s *Service) putReceiptBack(ctx context.Context, kept *ent.Receipt, made *picture) error {
	key := receiptKey(kept.TenantID, kept.ID)
	f, err := s.Files.Open(ctx, key)
	if err == nil {
		return f.Close()
	}
	if !errors.Is(err, blob.ErrNotFound) {
		return unread(err)
	}
	if err := s.put(ctx, key, made.file.content(), made.file.size); err != nil {
		return err
	}
	there, err := s.Store.Receipt.Query().Where(receipt.ID(kept.ID)).Exist(ctx)
	if err == nil && !there { // the receipt was removed meanwhile, and nothing else would delete this file
		return errors.Join(noReceipt(), s.Files.RemoveAll(ctx, record.ReceiptFolder(kept.TenantID, kept.ID)))
	}
	s.Log.WarnContext(ctx, "the file of a receipt was lost; an upload has put it back", "key", key)
	return err
}
