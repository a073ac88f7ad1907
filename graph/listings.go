package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/userproduct"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/catalog/selection"
	"storefront/internal/content/edit"
	"storefront/internal/content/stored"
	"storefront/internal/customer/ownlisting"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/sale/cart"
)

func (r tenantResolver) UserProducts(
	ctx context.Context, t *ent.Tenant, args catalog.UserProductArguments, page, pageSize int,
) (*api.UserProductPage, error) {
	listings, err := r.r.Catalog.UserProducts(ctx, t, args)
	return list.NewPage(listings, page, pageSize), err
}

func (r tenantResolver) UserProductsConnection(
	ctx context.Context, t *ent.Tenant, args catalog.UserProductArguments, window list.Window,
) (*api.UserProductConnection, error) {
	listings, err := r.r.Catalog.UserProducts(ctx, t, args)
	if err != nil {
		return nil, err
	}
	return list.NewConnection(ctx, listings, window, list.DefaultSize)
}

func (r tenantResolver) UserProduct(
	ctx context.Context, t *ent.Tenant, slug string, preview *string,
) (*ent.UserProduct, error) {
	if record.TextOf(preview) != "" {
		return previewed(ctx, r.r, t, shownPreview{record.SlugUserProduct, slug, *preview},
			func(ctx context.Context, id uuid.UUID, asked *selection.Set) (*ent.UserProduct, error) {
				return r.r.Store.UserProduct.Query().Where(userproduct.ID(id)).Collect(asked).Only(ctx)
			}, func(p *ent.UserProduct) string { return p.Slug })
	}
	one, err := r.r.Catalog.PublishedUserProducts(ctx).Where(userproduct.Slug(search.Slug(slug))).
		Collect(selection.Of(ctx)).Only(tenancy.In(ctx, t.ID))
	return one, r.r.Catalog.Moved(ctx, t, record.SlugUserProduct, slug, err)
}

// ownListings returns the query for a customer's own listings. All reads of listings by customers start from
// it.
func (r *Resolver) ownListings(customer cart.Owner) *ent.UserProductQuery {
	return r.Store.UserProduct.Query().Where(userproduct.UserID(customer.User))
}

func ownListing(l *ent.UserProduct) *api.OwnListing {
	return &api.OwnListing{Version: stored.VersionOf(l.UpdatedAt), Status: api.ListingStatus(l.Status),
		RejectionReason: l.RejectionReason, Listing: l}
}

// collectListing makes the query load what the document asks of a listing, and the records that its fields
// need.
func collectListing(query *ent.UserProductQuery, fields *selection.Set) *ent.UserProductQuery {
	return query.Collect(fields.
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
		Total: func(ctx context.Context) (int, error) { return r.r.ownListings(customer).Count(customer.In(ctx)) },
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
	const message = "Thank you. Your listing will be shown once the shop has approved it."
	return m.writeListing(ctx, customer, input, message, func(l ownlisting.Listing) (uuid.UUID, error) {
		return l.Submit(ctx, m.r.Store)
	})
}

// ownListing returns the caller as a customer, and a listing of the caller.
func (m mutationResolver) ownListing(ctx context.Context, businessID, listingID uuid.UUID) (
	customer cart.Owner, found *ent.UserProduct, err error,
) {
	if customer, err = m.r.customerAt(ctx, businessID); err == nil {
		found, err = m.r.ownListings(customer).Where(userproduct.ID(listingID)).Only(customer.In(ctx))
	}
	return customer, found, err
}

func (m mutationResolver) UpdateListing(
	ctx context.Context, businessID, listingID uuid.UUID, input map[string]any, expectedVersion *string,
) (*api.OwnListingPayload, error) {
	customer, found, err := m.ownListing(ctx, businessID, listingID)
	if err != nil {
		return nil, err
	}
	const message = "The listing is changed. It will be shown once the shop has approved it."
	return m.writeListing(ctx, customer, input, message, func(l ownlisting.Listing) (uuid.UUID, error) {
		return l.Update(ctx, m.r.Store, found.Slug, expectedVersion)
	})
}

func (m mutationResolver) WithdrawListing(
	ctx context.Context, businessID, listingID uuid.UUID,
) (*api.MessagePayload, error) {
	customer, found, err := m.ownListing(ctx, businessID, listingID)
	if err != nil {
		return nil, err
	}
	gone := edit.Remove{
		Section: "userProducts", Key: map[string]string{"slug": found.Slug}, Owner: &customer.User,
	}
	_, err = gone.Apply(ctx, m.r.Store, businessID)
	return messagePayload("The listing is withdrawn.", err)
}

// writeListing returns a customer's listing after write has written the input.
func (m mutationResolver) writeListing(
	ctx context.Context, customer cart.Owner, input map[string]any, message api.Message,
	write func(ownlisting.Listing) (uuid.UUID, error),
) (*api.OwnListingPayload, error) {
	if err := asElement("userProducts", input); err != nil {
		return nil, err
	}
	id, err := write(ownlisting.Listing{Business: customer.Business, Customer: customer.User, Members: input,
		Now: request.Of(ctx).Now})
	if err != nil {
		return nil, err
	}
	query := m.r.ownListings(customer).Where(userproduct.ID(id))
	stored, err := collectListing(query, selection.Of(ctx, "listing", "listing")).
		Only(customer.In(ctx))
	if err != nil {
		return nil, err
	}
	return &api.OwnListingPayload{Message: message, Listing: ownListing(stored)}, nil
}
