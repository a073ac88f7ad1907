package media

import (
	"context"
	"net/url"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/record"
	"storefront/internal/staff"
)

const (
	linkTime  = 15 * time.Minute // how long the use of an upload address may begin
	uploading = "upload image"   // what it is for
)

// UploadPath is where images are uploaded to. The link stands in the query.
const UploadPath = record.MediaPath + "uploads"

// Upload is an image that is coming: whose it is, and what is said of it.
type Upload struct {
	Shop uuid.UUID
	Name *string // what the uploader calls the file
	// Still fails once the uploader has lost the right to upload.
	Still func(ctx context.Context, client *ent.Client) error
}

// NewLink returns the address to which the staff of a context may upload images to a shop, relative to that of
// GraphQL, and when it expires.
func (s *Service) NewLink(ctx context.Context, shop uuid.UUID, name *string) (to string, expires time.Time, err error) {
	if err := s.place(); err != nil {
		return "", time.Time{}, err
	}
	_, bytes, err := s.Usage(ctx, shop)
	if err == nil {
		err = s.checkQuota(bytes, 1)
	}
	if err != nil {
		return "", time.Time{}, err
	}
	said := map[string]string{}
	if name != nil {
		said["name"] = *name
	}
	link, expires, err := s.Links.Make(ctx, uploading, staff.EditContent, linkTime, said)
	return UploadPath + "?link=" + url.QueryEscape(link), expires, err
}
