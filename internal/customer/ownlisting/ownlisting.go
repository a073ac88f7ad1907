// Package ownlisting writes the listings that customers offer at a shop. A listing is public once the shop has approved
// it.
package ownlisting

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/userproduct"
	"storefront/internal/content/edit"
	"storefront/internal/customer/member"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

// The limits of one customer's listings in one shop (contract 9).
const (
	mostListings        = 100
	mostPendingListings = 20
)

// Listing is what a customer writes of a listing.
type Listing struct {
	Business, Customer uuid.UUID
	Members            map[string]any // an element of userProducts in a bundle, as decoded JSON
	Now                time.Time
}

// Submit adds a listing, and returns its id. It fails with CONFLICT if the customer has too many.
func (l Listing) Submit(ctx context.Context, store *ent.Client) (uuid.UUID, error) {
	slug := newSlug(l.Members["titleFa"], l.Members["titleEn"])
	change := edit.One{Action: "submitListing", IsNew: true, Key: map[string]string{"slug": slug}}
	return l.write(ctx, store, change, func(ctx context.Context, tx *ent.Tx) error {
		all, err := tx.UserProduct.Query().Where(userproduct.UserID(l.Customer)).Count(ctx)
		if err == nil && all >= mostListings {
			err = fault.New(fault.Conflict, "there are %d listings already; withdraw one first", mostListings)
		}
		return err
	})
}

// Update changes the listing with a slug, if it has the version; nil means any.
func (l Listing) Update(ctx context.Context, store *ent.Client, slug string, version *string) (uuid.UUID, error) {
	change := edit.One{Action: "updateListing", Key: map[string]string{"slug": slug}, Version: version}
	return l.write(ctx, store, change, func(context.Context, *ent.Tx) error { return nil })
}

// write writes the listing and the event that it awaits approval, unless may refuses.
func (l Listing) write(
	ctx context.Context, store *ent.Client, change edit.One, may func(context.Context, *ent.Tx) error,
) (uuid.UUID, error) {
	change.Section, change.Owner, change.Now, change.Members = "userProducts", &l.Customer, l.Now, l.Members
	change.Members["status"] = string(userproduct.StatusPending)
	change.Before = func(ctx context.Context, tx *ent.Tx) error {
		if err := may(ctx, tx); err != nil {
			return err
		}
		waiting, err := tx.UserProduct.Query().
			Where(userproduct.UserID(l.Customer), userproduct.StatusEQ(userproduct.StatusPending),
				userproduct.SlugNEQ(change.Key["slug"])).Count(ctx)
		if err == nil && waiting >= mostPendingListings {
			err = fault.New(fault.RateLimited, "too many of your listings wait for the shop; try again later").
				After(time.Hour) // staff must act
		}
		if err == nil {
			err = member.Link(ctx, tx, l.Customer, l.Business)
		}
		return err
	}
	change.After = func(ctx context.Context, tx *ent.Tx, id uuid.UUID) error {
		return outbox.Put(ctx, tx.Raw(), l.Business, outbox.Event{
			ID: record.NewID(), Type: record.ListingSubmitted, Subject: id, At: l.Now.Truncate(time.Microsecond),
			// without the slug, which is made of the customer's words
			Data: map[string]any{"businessId": l.Business, "userProductId": id},
		})
	}
	edited, err := change.Apply(ctx, store, l.Business)
	return edited.ID, err
}

// newSlug returns a slug for a listing: the words of the first title that has any, and random letters that make it
// unique.
func newSlug(titles ...any) string {
	const words = 80 // characters
	text := ""
	for _, title := range titles {
		if given, ok := title.(*string); ok && given != nil && text == "" { // as gqlgen reads it
			text = *given
		}
	}
	slug := []rune(search.Slug(text))
	slug = slug[:min(len(slug), words)]
	random := uuid.New()
	return strings.TrimLeft(strings.Trim(string(slug), "-")+"-"+strings.ReplaceAll(random.String(), "-", "")[:12], "-")
}
