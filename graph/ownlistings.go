package graph

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/userproduct"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/catalog/selection"
	"storefront/internal/content/bundle"
	"storefront/internal/customer/member"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/sale/cart"
)

// The limits of one customer's listings in one shop (contract 9).
const (
	mostListings        = 100
	mostPendingListings = 20
)

// ownListings returns the query for a customer's own listings. All reads of listings by customers start from
// it.
func (r *Resolver) ownListings(customer cart.Owner) *ent.UserProductQuery {
	return r.Store.UserProduct.Query().Where(userproduct.UserID(customer.User))
}

func ownListing(l *ent.UserProduct) *api.OwnListing {
	return &api.OwnListing{Version: bundle.VersionOf(l.UpdatedAt), Status: api.ListingStatus(l.Status),
		RejectionReason: l.RejectionReason, Listing: l}
}

// collectListing makes the query load what the document asks of a listing, and the records that its fields
// need.
func collectListing(of *ent.UserProductQuery, asked *selection.Set) *ent.UserProductQuery {
	return of.Collect(asked.
		And("tenant_id", "status", "rejection_reason", "updated_at", "user_id", "values", "category_id"))
}

func (r userResolver) Listings(
	ctx context.Context, _ *ent.User, businessID uuid.UUID, page, pageSize int,
) (*api.OwnListingPage, error) {
	customer, err := r.r.customerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	own := list.List[*api.OwnListing]{
		Order: list.NewestMade("ownListings"),
		Read: func(ctx context.Context, part list.Span) ([]*api.OwnListing, error) {
			query := r.r.ownListings(customer).Where(part.Part)
			found, err := collectListing(query, part.Columns.At("listing")).All(customer.In(ctx))
			return convert.All(found, ownListing), err
		},
		Total: list.FreshTotal(func(ctx context.Context) (int, error) {
			return r.r.ownListings(customer).Count(customer.In(ctx))
		}),
	}
	return list.FreshPage(ctx, own, page, pageSize), nil
}

func (m mutationResolver) SubmitListing(
	ctx context.Context, businessID uuid.UUID, input map[string]any,
) (*api.OwnListingPayload, error) {
	customer, err := m.r.customerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	return m.offer(ctx, customer, bundle.Edit{
		Action: "submitListing", IsNew: true,
		Key:     map[string]string{"slug": listingSlug(input["titleFa"], input["titleEn"])},
		Members: input,
		Before: func(ctx context.Context, tx *ent.Tx) error {
			all, err := tx.UserProduct.Query().Where(userproduct.UserID(customer.User)).Count(ctx)
			if err == nil && all >= mostListings {
				err = fault.New(fault.Conflict, "there are %d listings already; withdraw one first", mostListings)
			}
			return err
		},
	}, "Thank you. Your listing will be shown once the shop has approved it.")
}

func (m mutationResolver) UpdateListing(
	ctx context.Context, businessID, listingID uuid.UUID, input map[string]any, expectedVersion *string,
) (*api.OwnListingPayload, error) {
	customer, err := m.r.customerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	found, err := m.r.ownListings(customer).Where(userproduct.ID(listingID)).Only(customer.In(ctx))
	if err != nil {
		return nil, err
	}
	change := bundle.Edit{Action: "updateListing", Key: map[string]string{"slug": found.Slug}, Members: input,
		Version: expectedVersion}
	return m.offer(ctx, customer, change, "The listing is changed. It will be shown once the shop has approved it.")
}

func (m mutationResolver) WithdrawListing(
	ctx context.Context, businessID, listingID uuid.UUID,
) (*api.MessagePayload, error) {
	customer, err := m.r.customerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	found, err := m.r.ownListings(customer).Where(userproduct.ID(listingID)).Only(customer.In(ctx))
	if err != nil {
		return nil, err
	}
	gone := bundle.Remove{
		Section: "userProducts", Key: map[string]string{"slug": found.Slug}, Owner: &customer.User,
	}
	_, err = gone.Apply(ctx, m.r.Store, businessID)
	return messagePayload("The listing is withdrawn.", err)
}

// offer writes a customer's listing and the event that it awaits approval.
func (m mutationResolver) offer(
	ctx context.Context, customer cart.Owner, change bundle.Edit, message api.Message,
) (*api.OwnListingPayload, error) {
	if err := asElement("userProducts", change.Members); err != nil {
		return nil, err
	}
	now := request.Of(ctx).Now
	change.Section, change.Owner, change.Now = "userProducts", &customer.User, now
	change.Members["status"] = string(userproduct.StatusPending)
	before := change.Before
	change.Before = func(ctx context.Context, tx *ent.Tx) error {
		if before != nil {
			if err := before(ctx, tx); err != nil {
				return err
			}
		}
		waiting, err := tx.UserProduct.Query().
			Where(userproduct.UserID(customer.User), userproduct.StatusEQ(userproduct.StatusPending),
				userproduct.SlugNEQ(change.Key["slug"])).Count(ctx)
		if err == nil && waiting >= mostPendingListings {
			err = fault.New(fault.RateLimited, "too many of your listings wait for the shop; try again later").
				After(time.Hour) // staff must act
		}
		if err == nil {
			err = member.Link(ctx, tx, customer.User, customer.Business)
		}
		return err
	}
	change.After = func(ctx context.Context, tx *ent.Tx, id uuid.UUID) error {
		return outbox.Put(ctx, tx.Raw(), customer.Business, outbox.Event{
			ID: record.NewID(), Type: record.ListingSubmitted, Subject: id, At: now.Truncate(time.Microsecond),
			// without the slug, which is made of the customer's words
			Data: map[string]any{"businessId": customer.Business, "userProductId": id},
		})
	}
	edited, err := change.Apply(ctx, m.r.Store, customer.Business)
	if err != nil {
		return nil, err
	}
	query := m.r.ownListings(customer).Where(userproduct.ID(edited.ID))
	stored, err := collectListing(query, selection.Of(ctx, "listing", "listing")).
		Only(customer.In(ctx))
	if err != nil {
		return nil, err
	}
	return &api.OwnListingPayload{Message: message, Listing: ownListing(stored)}, nil
}

// listingSlug returns a slug for a customer's listing: the words of the first title that has any, and random
// letters that make it unique.
func listingSlug(titles ...any) string {
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

func (q queryResolver) StaffListing(
	ctx context.Context, businessID uuid.UUID, slug string,
) (*api.StaffListing, error) {
	query := q.r.Store.UserProduct.Query().Where(userproduct.Slug(catalog.LookupSlug(slug)))
	found, err := collectListing(query, selection.Of(ctx, "listing")).Only(ctx)
	if err != nil {
		return nil, q.r.nowCalled(ctx, record.SlugUserProduct, slug, err)
	}
	shown := &api.StaffListing{Version: bundle.VersionOf(found.UpdatedAt),
		Status: api.ListingStatus(found.Status), Listing: found}
	shown.By, _ = request.StaffOf(ctx)
	if shown.OtherValues, err = q.r.otherValues(ctx, businessID, found.CategoryID, found.Values); err != nil {
		return nil, err
	}
	if found.UserID != nil {
		shown.Customer, err = q.r.customer(ctx, businessID, *found.UserID)
	}
	return shown, ent.MaskNotFound(err)
}

func (q queryResolver) StaffProduct(
	ctx context.Context, businessID uuid.UUID, slug string,
) (*api.StaffProduct, error) {
	found, err := catalog.CollectProducts(ctx, q.r.Store.Product.Query().Where(product.Slug(catalog.LookupSlug(slug))),
		selection.Of(ctx, "product").And("tenant_id", "status", "updated_at", "values", "category_id")).Only(ctx)
	if err != nil {
		return nil, q.r.nowCalled(ctx, record.SlugProduct, slug, err)
	}
	others, err := q.r.otherValues(ctx, businessID, found.CategoryID, found.Values)
	return &api.StaffProduct{Version: bundle.VersionOf(found.UpdatedAt),
		Status: api.ListingStatus(found.Status), Product: found,
		OtherValues: others}, err
}

// nowCalled adds the record's present slug to the error of a look-up by a former slug.
func (r *Resolver) nowCalled(ctx context.Context, kind record.SlugKind, slug string, err error) error {
	return bundle.NowCalled(ctx, r.Store, kind, catalog.LookupSlug(slug), err)
}

// otherValues returns the technical values of a record that the form of its category would refuse now.
func (r *Resolver) otherValues(
	ctx context.Context, tenant uuid.UUID, category *uuid.UUID, values record.Values,
) ([]*bundle.TechnicalAnswer, error) {
	forms, err := r.Catalog.Forms(ctx, tenant)
	if err != nil {
		return nil, err
	}
	var form *record.Form
	if category != nil {
		form = forms[*category]
	}
	return list.Pointers(bundle.OtherValues(values, form)), nil
}
