package media

import (
	"cmp"
	"context"
	"net/url"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/media/imagefile"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/staff"
)

const (
	linkTime  = 15 * time.Minute // from the making of an upload address to the beginning of its use
	uploading = "upload image"   // the purpose of links
)

// UploadPath is where images are uploaded. The link is in the query.
const UploadPath = record.MediaPath + "uploads"

// admission checks the link of an upload. It returns a context in which the person or program that asked for
// the link acts at the shop.
type admission func(ctx context.Context, link string) (context.Context, admitted, error)

// admitted is an upload that was admitted.
type admitted struct {
	shop, by uuid.UUID       // by is the person or program that asked for the link
	limit    ratelimit.Limit // of a customer
	// take stores the file, and returns the answer; isNew is false if the file was stored before. It calls book before
	// it decodes the file, if that is needed.
	take func(ctx context.Context, f imagefile.File, book booking) (said any, isNew bool, err error)
}

// Upload describes an image that is being uploaded.
type Upload struct {
	Shop uuid.UUID
	User *uuid.UUID // the customer who owns it; nil for the shop
	Name *string    // what the uploader calls the file
	// AsSent keeps a file as it is, if it is as one that this service has kept: an export wrote it.
	AsSent bool
	book   booking // of a customer
	// Still fails if the uploader has lost the right to upload; nil if being signed in is enough.
	Still func(ctx context.Context, client *ent.Client) error
}

// NewLink returns the address to which the staff of a context may upload images to a shop, relative to the
// address of GraphQL, and when it expires.
func (s *Service) NewLink(ctx context.Context, shop uuid.UUID, name *string) (to string, expires time.Time, err error) {
	if err := s.place(ctx); err != nil {
		return "", time.Time{}, err
	}
	if err := s.checkQuota(ctx, s.Store, Upload{Shop: shop}, 1); err != nil {
		return "", time.Time{}, err
	}
	link, expires, err := s.Links.Make(ctx, uploading, staff.EditContent, linkTime, said(name))
	return UploadPath + "?link=" + url.QueryEscape(link), expires, err
}

// said returns the parameters of a link for the upload of an image with a name.
func said(name *string) map[string]string {
	said := map[string]string{}
	if name != nil {
		said["name"] = *name
	}
	return said
}

// named returns the name of an image from the parameters of a link.
func named(said map[string]string) *string {
	if name, has := said["name"]; has {
		return &name
	}
	return nil
}

// admitStaff is the admission of staff and programs.
func (s *Service) admitStaff(ctx context.Context, link string) (context.Context, admitted, error) {
	pass, err := s.Links.Admit(ctx, uploading, link, staff.EditContent)
	if err != nil {
		return ctx, admitted{}, err
	}
	request.Of(ctx).Note.For(pass.Shop.Domain)
	up := Upload{Shop: pass.Shop.ID, Name: named(pass.Parameters), Still: pass.Still}
	return pass.Acting(ctx), s.image(up, cmp.Or(pass.User, pass.Token)), nil
}

// image returns the admission of an image's upload.
func (s *Service) image(up Upload, by uuid.UUID) admitted {
	var limit ratelimit.Limit
	if up.User != nil {
		limit = inDay("image", up.Shop, by, mostInDay)
	}
	return admitted{up.Shop, by, limit, func(ctx context.Context, f imagefile.File, book booking) (any, bool, error) {
		up.book = book
		kept, isNew, err := s.Keep(ctx, up, f)
		if err != nil {
			return nil, false, err
		}
		return uploaded{ID: kept.ID, URL: kept.Address, Width: kept.Width, Height: kept.Height,
			PlaceholderColor: kept.PlaceholderColor}, isNew, nil
	}}
}
