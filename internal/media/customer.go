package media

import (
	"context"
	"crypto/sha256"
	"net/netip"
	"net/url"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/mediafile"
	"storefront/ent/predicate"
	"storefront/ent/user"
	"storefront/internal/customer/member"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/platform/signedlink"
	"storefront/internal/request"
)

// listingUploadPath is where customers upload images of their listings to.
const listingUploadPath = uploadPath + "/listings"

const (
	listingUploading = "upload image of a listing"
	admitTime        = 8 * time.Second // for which admitCustomer waits for the database
)

// These limit what a customer may upload to a shop. All of its customers together may use half of its quota.
const (
	mostInDay       = 40
	mostBytesInDay  = 160 << 20
	mostOfOne       = 400
	mostBytesOfOne  = 400 << 20
	shareOfCustomer = 2 // each customer may use one part in so many of Quota
)

// NewListingLink returns the address to which the customer of a context may upload images to a shop,
// relative to the address of GraphQL, and when it expires.
func (s *Service) NewListingLink(
	ctx context.Context, shop uuid.UUID, name *string,
) (to string, expires time.Time, err error) {
	caller, err := request.CallerOf(ctx)
	if err == nil {
		err = s.place(ctx)
	}
	if err == nil {
		err = s.mayUpload(ctx, Upload{Shop: shop, User: &caller.User})
	}
	if err != nil {
		return "", time.Time{}, err
	}
	link, expires := s.Links.Signer.Make(signedlink.Link{
		Purpose: listingUploading, Business: shop, User: caller.User, Session: caller.Session,
		Parameters: nameParameter(name),
	}, linkTime)
	return listingUploadPath + "?link=" + url.QueryEscape(link), expires, nil
}

// admitCustomer admits uploads of images for customers' listings.
func (s *Service) admitCustomer(ctx context.Context, text string) (context.Context, admitted, error) {
	waiting, stop := context.WithTimeout(ctx, admitTime)
	defer stop()
	link, err := s.customersLink(waiting, listingUploading, text)
	if err != nil {
		return ctx, admitted{}, err
	}
	up := Upload{Shop: link.Business, User: &link.User, Name: named(link.Parameters)}
	// a full quota is refused before the body is read
	if err = takesImages(waiting, s.Store, link.Business, true); err == nil {
		err = s.mayUpload(waiting, up)
	}
	return acting(ctx, link), s.image(up, link.User), err
}

// mayUpload checks, without a lock, whether a customer may upload another image.
func (s *Service) mayUpload(ctx context.Context, up Upload) error {
	if err := s.mayTry(ctx, inDay("image", up.Shop, *up.User, mostInDay)); err != nil {
		return err
	}
	return s.checkQuota(ctx, s.Store, up, 1)
}

// takesImages fails unless a shop is open, for customers also if its owner has closed it.
func takesImages(ctx context.Context, client *ent.Client, business uuid.UUID, ofCustomer bool) error {
	shop, err := member.OpenShop(ctx, client, business)
	if err == nil && ofCustomer && shop.PausedAt != nil {
		err = member.Paused()
	}
	return err
}

// inDay limits the files of a customer that a shop decodes in a day, whether it keeps them or not.
func inDay(what string, shop, customer uuid.UUID, most int) ratelimit.Limit {
	key := what + ":" + shop.String() + ":" + customer.String()
	return ratelimit.Limit{Key: key, Window: 24 * time.Hour, Most: most}
}

// mayTry fails if a limit is reached.
func (s *Service) mayTry(ctx context.Context, limit ratelimit.Limit) error {
	return tooMany(ratelimit.Peek(ctx, s.Store, s.Clock.Now(), limit))
}

func tooMany(full ratelimit.Full, err error) error {
	if err == nil && full.Wait > 0 {
		err = fault.New(fault.RateLimited, "you have uploaded many files today; try again later").After(full.Wait)
	}
	return err
}

// booking counts a file of a customer before it is decoded. It is nil for staff, whose files are not counted.
type booking func(ctx context.Context) error

// booking returns a function that counts a file against the limits of the customer and of the client's networks, and
// one to call when the upload has ended. The networks' limits are of refused files alone, so ended takes a kept file
// off them. It takes the file off all limits if the service failed, and not the file.
func (s *Service) booking(own ratelimit.Limit, from string) (book booking, ended func(context.Context, error)) {
	client, _ := netip.ParseAddrPort(from) // zero if the address is unknown
	limits, networks := []ratelimit.Limit{own}, []string{}
	for _, network := range ratelimit.Crowded("refused", client.Addr(), time.Hour, mostInDay) {
		limits, networks = append(limits, ratelimit.Limit(network)), append(networks, network.Key)
	}
	var booked ratelimit.Booking
	book = func(ctx context.Context) error {
		return transaction.Run(ctx, s.Store, func(tx *ent.Tx) (err error) {
			var full ratelimit.Full
			booked, full, err = ratelimit.Take(ctx, tx, s.Clock, limits...)
			return tooMany(full, err)
		})
	}
	return book, func(ctx context.Context, err error) {
		if err != nil {
			switch transaction.Fault(err).Code {
			case fault.Unavailable, fault.Internal, fault.Conflict, fault.ShopClosed:
				networks = nil // undo all limits
			default:
				return
			}
		}
		if len(booked) == 0 || ctx.Err() != nil { // the client has hung up
			return
		}
		err = transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
			return ratelimit.Undo(ctx, tx, booked, networks...)
		})
		if err != nil {
			s.Log.WarnContext(ctx, "an upload counts as refused", "error", err)
		}
	}
}

// customersLink reads a customer's link. It fails unless the customer is still signed in and the shop is
// open.
func (s *Service) customersLink(ctx context.Context, purpose, text string) (signedlink.Link, error) {
	link, err := s.Links.Signer.Read(purpose, text)
	if err != nil {
		return link, err
	}
	err = s.Links.Sessions.StillSignedIn(ctx, request.Caller{User: link.User, Session: link.Session})
	if err != nil {
		return link, err
	}
	shop, err := member.OpenShop(ctx, s.Store, link.Business)
	if err != nil {
		return link, err
	}
	request.Of(ctx).Note.For(shop.Domain)
	return link, nil
}

// acting returns a context with the customer of a link as the caller.
func acting(ctx context.Context, link signedlink.Link) context.Context {
	return request.WithCaller(ctx, request.Caller{User: link.User, Session: link.Session})
}

// hold locks the account of an uploading customer. Erasing also locks it before anything of a shop.
func hold(ctx context.Context, tx *ent.Tx, customer uuid.UUID) error {
	held, err := tx.User.Query().Where(user.ID(customer), user.ClosedAtIsNil()).Modify(database.ForKeyShare).
		Select(user.FieldID).All(ctx)
	if err == nil && len(held) == 0 {
		err = fault.New(fault.Unauthenticated, "the account is gone")
	}
	return err
}

// own returns a hash of an image and its uploader, so that uploading does not reveal whether somebody else
// has the same image.
func (up Upload) own(hash []byte) []byte {
	if up.User == nil {
		return hash
	}
	own := sha256.Sum256(append(up.User[:], hash...))
	return own[:]
}

// checkCustomer fails if a customer may not store more bytes, or one more file.
func (s *Service) checkCustomer(ctx context.Context, client *ent.Client, up Upload, more int64) error {
	day := s.Clock.Now().Add(-24 * time.Hour)
	theirs := []predicate.MediaFile{mediafile.UserID(*up.User)}
	files, bytes, err := usage(ctx, client, theirs...)
	if err != nil {
		return err
	}
	if files >= mostOfOne || bytes+more > mostBytesOfOne {
		return fault.New(fault.Conflict, "your images take all the room that they may; what no listing shows is "+
			"deleted after 7 days")
	}
	_, bytes, err = usage(ctx, client, append(theirs, mediafile.CreatedAtGT(day))...)
	if err == nil && bytes+more > mostBytesInDay {
		err = tooMany(ratelimit.Full{Wait: 24 * time.Hour}, nil)
	}
	return err
}

func noRoom() error {
	return fault.New(fault.Conflict, "the shop has no room for images of customers at the moment")
}
