package media

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/predicate"
	"storefront/ent/receipt"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/media/blob"
	"storefront/internal/media/imagefile"
	"storefront/internal/platform/signedlink"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
	"storefront/internal/shop/staff"
)

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
