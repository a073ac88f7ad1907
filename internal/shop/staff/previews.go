package staff

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/audit"
)

// previewedBy maps the kinds of records that have previews to the permission to make one, and to the mutation that
// does.
var previewedBy = map[record.SlugKind]struct {
	may    Permission
	action string
}{
	record.SlugProduct:     {EditCatalog, "createProductPreview"},
	record.SlugUserProduct: {ManageListings, "createUserProductPreview"},
	record.SlugBlog:        {EditContent, "createBlogPreview"},
	record.SlugPortfolio:   {EditContent, "createPortfolioPreview"},
}

const previewedRecord = "id" // parameter of a link

// PreviewOf is a record that a preview shows, with its titles and its customer for the audit log.
type PreviewOf struct {
	Kind     record.SlugKind
	ID       uuid.UUID
	Name     string
	NameEn   *string
	Customer *uuid.UUID
}

// Preview returns the text of a link that shows its bearer one record of the context's shop, whatever its
// status, and when it expires.
func (l *Links) Preview(
	ctx context.Context, of PreviewOf, life time.Duration,
) (text string, expires time.Time, err error) {
	by := previewedBy[of.Kind]
	text, expires, err = l.Make(ctx, "preview "+string(of.Kind), by.may, life,
		map[string]string{previewedRecord: of.ID.String()})
	if err != nil {
		return "", time.Time{}, err
	}
	entry := audit.Change{
		Kind: string(of.Kind), ID: of.ID, Name: of.Name, NameEn: of.NameEn,
		Before: map[string]any{"previewUntil": nil}, After: map[string]any{"previewUntil": expires},
	}
	if of.Customer != nil {
		entry.Customer = *of.Customer
	}
	return text, expires, transaction.Run(ctx, l.Store, func(tx *ent.Tx) error {
		return audit.Record(ctx, tx, by.action, entry)
	})
}

// Previewed returns the id of the record of a kind that a preview shows. It fails with NOT_FOUND, always in
// the same way, for a preview of another shop, kind or service, for an expired one, and if its maker has
// lost the permission. Unlike other links, a preview outlives the session in which it was made.
func (l *Links) Previewed(
	ctx context.Context, business uuid.UUID, kind record.SlugKind, text string,
) (id uuid.UUID, err error) {
	link, err := l.Signer.Read("preview "+string(kind), text)
	if err != nil || link.Business != business {
		return uuid.Nil, NoPreview()
	}
	maker, ctx, err := (&Pass{Link: link, links: l}).asker(ctx, l.Store)
	if maker.SecondFactor == request.FactorUnproven { // the session had proved it when the preview was made
		maker.SecondFactor = request.FactorProven
	}
	if err == nil {
		err = Check(ctx, maker, previewedBy[kind].may)
	}
	switch {
	case fault.Is(err, fault.Forbidden), fault.Is(err, fault.Unauthenticated),
		fault.Is(err, fault.SecondFactorRequired):
		return uuid.Nil, NoPreview()
	case err != nil:
		return uuid.Nil, err
	}
	id, err = uuid.Parse(link.Parameters[previewedRecord])
	if err != nil {
		return uuid.Nil, NoPreview()
	}
	return id, nil
}

// NoPreview returns the error for a preview that is not valid.
func NoPreview() error {
	return fault.New(fault.NotFound, "this preview shows nothing here, or not any more; ask for a new one")
}
