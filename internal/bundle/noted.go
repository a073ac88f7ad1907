package bundle

import (
	"context"

	"storefront/ent"
	"storefront/internal/audit"
	"storefront/internal/auth"
)

// Noted makes Import note in the shop's audit log from which file it imported, and how many records of each
// section it found to be new or different. The entry is written with the first of the changes, so that an
// import which is stopped is there too; one that changes nothing is not noted. Who imported is the member of staff, or
// the program, of the context; without one it is a command.
func Noted(file string) Option { return NotedAs("import", "bundle", file) }

// NotedAs is Noted for an import of another kind of file.
func NotedAs(action, kind, file string) Option {
	return func(im *importer) { im.noted = &noted{action, kind, file} }
}

// noted is how an import is noted.
type noted struct{ action, kind, file string }

// note writes the entry.
func (im *importer) note() *part {
	counts := map[string]any{}
	for section, c := range im.summary.Sections {
		if c.Created+c.Updated > 0 {
			counts[section] = map[string]int{"created": c.Created, "updated": c.Updated}
		}
	}
	entry := write{do: func(ctx context.Context, tx *ent.Tx) error {
		if _, known := auth.StaffOf(ctx); !known {
			ctx = auth.WithStaff(ctx, auth.Staff{Business: im.tenant}) // no user: a command
		}
		return audit.Record(ctx, tx, im.noted.action, audit.Change{
			Kind: im.noted.kind, After: map[string]any{"file": im.noted.file, "records": counts}})
	}}
	return &part{weight: 1, plan: func(context.Context, *ent.Tx) (*unit, error) {
		return &unit{writes: []write{entry}}, nil
	}}
}
