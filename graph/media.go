package graph

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/mediafile"
	"storefront/internal/api"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/media"
	"storefront/internal/media/imagefile"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

func (q queryResolver) MediaFilesConnection(
	ctx context.Context, businessID uuid.UUID, window list.Window,
) (*api.MediaFileConnection, error) {
	return list.NewConnection(ctx, list.RowList(businessID, list.NewestMade("mediaFiles"),
		func() *ent.MediaFileQuery { return q.r.Store.MediaFile.Query().Where(mediafile.UserIDIsNil()) },
		func(f *ent.MediaFile) (time.Time, uuid.UUID) { return f.CreatedAt, f.ID }), window, list.DefaultSizeLarge)
}

func (q queryResolver) MediaFile(ctx context.Context, businessID, mediaID uuid.UUID) (*ent.MediaFile, error) {
	return q.r.Media.Find(ctx, businessID, mediaID)
}

func (q queryResolver) MediaUsage(ctx context.Context, businessID uuid.UUID) (*api.MediaUsage, error) {
	files, bytes, err := q.r.Media.Usage(ctx, businessID)
	usage := &api.MediaUsage{Files: files, Bytes: int(bytes)}
	if quota := int(q.r.Media.Quota); quota > 0 {
		usage.Quota = &quota
	}
	return usage, err
}

func (r mediaFileResolver) Image(_ context.Context, f *ent.MediaFile) (*record.Media, error) {
	return media.Shown(f), nil
}

func (mediaFileResolver) Version(_ context.Context, f *ent.MediaFile) (string, error) {
	return media.VersionOf(f), nil
}

// Uses returns the records that show each image. All images are of one shop.
func (r mediaFileResolver) Uses(ctx context.Context, files []*ent.MediaFile) ([][]*record.MediaUse, error) {
	ids := convert.All(files, func(f *ent.MediaFile) uuid.UUID { return f.ID })
	return r.r.Media.Uses(ctx, files[0].TenantID, ids)
}

func (m mutationResolver) CreateMediaUpload(
	ctx context.Context, businessID uuid.UUID, input api.MediaUploadInput,
) (*api.MediaUploadPayload, error) {
	url, expires, err := m.r.Media.NewLink(ctx, businessID, search.Trimmed(input.Name))
	return &api.MediaUploadPayload{URL: url, ExpiresAt: expires, MaxBytes: imagefile.MostBytes}, err
}

func (m mutationResolver) CreateListingUpload(
	ctx context.Context, businessID uuid.UUID, input api.MediaUploadInput,
) (*api.MediaUploadPayload, error) {
	if _, err := m.r.customerAt(ctx, businessID); err != nil {
		return nil, err
	}
	url, expires, err := m.r.Media.NewListingLink(ctx, businessID, search.Trimmed(input.Name))
	return &api.MediaUploadPayload{URL: url, ExpiresAt: expires, MaxBytes: imagefile.MostBytes}, err
}

func (m mutationResolver) UpdateMediaFile(
	ctx context.Context, businessID, mediaID uuid.UUID, input api.MediaFileInput, expectedVersion *string,
) (*api.MediaFilePayload, error) {
	changed, err := m.r.Media.Update(ctx, businessID, mediaID, media.Texts{
		Name: given(input.Name), AltFa: given(input.AltFa), AltEn: given(input.AltEn),
	}, expectedVersion)
	return &api.MediaFilePayload{MediaFile: changed}, err
}

// given returns a pointer to the value of a member of an input, or nil if the member is absent.
func given(text graphql.Omittable[*string]) **string {
	value, ok := text.ValueOK()
	if !ok {
		return nil
	}
	return &value
}

func (m mutationResolver) DeleteMediaFile(
	ctx context.Context, businessID, mediaID uuid.UUID,
) (*api.MessagePayload, error) {
	return messagePayload("The image is deleted.", m.r.Media.Delete(ctx, businessID, mediaID))
}

func (tenantResolver) Logo(_ context.Context, t *ent.Tenant) (*record.Media, error) {
	return imageAt(t.LogoURL, t.ID), nil
}

func (brandResolver) Logo(_ context.Context, b *ent.Brand) (*record.Media, error) {
	return imageAt(b.LogoURL, b.ID), nil
}

func (categoryResolver) Image(_ context.Context, c *ent.Category) (*record.Media, error) {
	return imageAt(c.ImageURL, c.ID), nil
}

// imageAt returns the image at an address, or nil without one. An image without an id of its own gets the id
// of.
func imageAt(url *string, shop uuid.UUID) *record.Media {
	if url == nil {
		return nil
	}
	return record.WithURL(nil, *url, shop.String())
}
