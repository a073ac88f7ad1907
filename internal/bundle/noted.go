package bundle

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/audit"
	"storefront/internal/auth"
)

// Noted makes Import note in the shop's audit log from which file it imported, how many records of each section it
// found to be new or different, and how many of them it has written. The entry is written with the first of the
// changes, and each transaction adds what it writes, so that the entry is right for an import that is stopped, too; one
// that changes nothing is not noted. Who imported is the member of staff, or the program, of the context; without one
// it is a command.
func Noted(file string) Option { return NotedAs("import", "bundle", file) }

// NotedAs is Noted for an import of another kind of file.
func NotedAs(action, kind, file string) Option {
	return func(im *importer) { im.noted = &noted{newID(), action, kind, file} }
}

// noted is how an import is noted.
type noted struct {
	entry              uuid.UUID
	action, kind, file string
}

// note writes the entry.
func (im *importer) note() *part {
	entry := write{do: func(ctx context.Context, tx *ent.Tx) error {
		return audit.Record(im.byWhom(ctx), tx, im.noted.action, audit.Change{
			Entry: im.noted.entry, Kind: im.noted.kind, After: im.notedAs(nil)})
	}}
	return &part{weight: 1, plan: func(context.Context, *ent.Tx) (*unit, error) {
		return &unit{writes: []write{entry}}, nil
	}}
}

// byWhom names the shop where no member of staff and no program imports: it is a command.
func (im *importer) byWhom(ctx context.Context) context.Context {
	if _, known := auth.StaffOf(ctx); known {
		return ctx
	}
	return auth.WithStaff(ctx, auth.Staff{Business: im.tenant})
}

// noteDone adds the records written so far to the entry.
func (im *importer) noteDone(ctx context.Context, tx *ent.Tx, done Sections) error {
	if im.noted == nil {
		return nil
	}
	return audit.Amend(ctx, tx, im.tenant, im.noted.entry, im.notedAs(done))
}

// notedAs is what the entry says once some records are written.
func (im *importer) notedAs(done Sections) map[string]any {
	return map[string]any{"file": im.noted.file, "records": im.summary.Sections.changes(), "written": done.changes()}
}
