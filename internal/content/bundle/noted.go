package bundle

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/audit"
)

// Noted makes Import write an entry of the shop's audit log. The entry has the name of the file, how many
// records of each section are new or different, and how many of these were written. It is written with the
// first changes, and each transaction updates it, so that it is right even for an interrupted import. An
// import without changes has no entry. Its author is the member of staff or the program in the context, else
// a command.
func Noted(file string) Option {
	return func(im *importer) { im.noted = &noted{record.NewID(), "import", "bundle", file} }
}

// noted describes the entry of an import in the audit log.
type noted struct {
	entry              uuid.UUID
	action, kind, file string
}

// enter writes the entry with the records written so far, or amends it.
func (im *importer) enter(ctx context.Context, tx *ent.Tx, done Sections) error {
	if im.noted == nil {
		return nil
	}
	content := map[string]any{
		"file": im.noted.file, "records": im.summary.Sections.changes(), "written": done.changes(),
	}
	if im.written.entered {
		return audit.Amend(ctx, tx, im.summary.Tenant, im.noted.entry, content)
	}
	return audit.Record(im.byWhom(ctx), tx, im.noted.action,
		audit.Change{Entry: im.noted.entry, Kind: im.noted.kind, After: content})
}

// byWhom returns a context with an author for entries: the staff or program of ctx, else a command of the shop.
func (im *importer) byWhom(ctx context.Context) context.Context {
	if _, known := request.StaffOf(ctx); known {
		return ctx
	}
	return request.WithStaff(ctx, request.Staff{Business: im.summary.Tenant})
}
