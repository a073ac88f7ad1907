package locations

import (
	"context"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/installation"
	"storefront/ent/location"
	"storefront/internal/content/derive"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

// New is a node that an operator adds to the tree.
type New struct {
	Level        record.LocationLevel
	Slug         string
	Name, NameFa string
	Parent       *string // its slug, on the level above; nil for countries
	Code         *string // ISO 3166; nil for cities
}

// parents maps a level to the one above it.
var parents = map[record.LocationLevel]record.LocationLevel{
	record.Province: record.Country, record.City: record.Province,
}

// Add adds a node to the tree, with its entry in the audit log. It fails with VALIDATION_FAILED for invalid
// members and with CONFLICT for a slug that is taken. A later version of the built-in tree may adopt the
// node.
func Add(ctx context.Context, store *ent.Client, n New) (made *ent.Location, err error) {
	var bad fault.Fields
	if search.Slug(n.Slug) != n.Slug {
		bad.Add("input.slug", "must be written as a slug: %s", search.Slug(n.Slug))
	}
	above, hasParent := parents[n.Level]
	switch {
	case hasParent && n.Parent == nil:
		bad.Add("input.parentSlug", "is required")
	case !hasParent && n.Parent != nil:
		bad.Add("input.parentSlug", "must be absent: nothing is above a country")
	}
	if n.Level == record.City && n.Code != nil {
		bad.Add("input.code", "must be absent: a city has none")
	}
	if err := bad.Err(); err != nil {
		return nil, err
	}
	ctx = derive.WillRaise(ctx)
	err = transaction.Run(ctx, store, func(tx *ent.Tx) error {
		create := tx.Location.Create().SetID(idOf(n.Level, n.Slug)).SetLevel(n.Level).SetSlug(n.Slug).SetName(n.Name).
			SetNameFa(n.NameFa).SetNillableCode(n.Code)
		if hasParent {
			parent, err := tx.Location.Query().Where(location.LevelEQ(above), location.Slug(*n.Parent)).Only(ctx)
			if ent.IsNotFound(err) {
				bad.Add("input.parentSlug", "names no %s", above)
				return bad.Err()
			}
			if err != nil {
				return err
			}
			create.SetParentID(parent.ID)
		}
		if made, err = create.Save(ctx); database.IsUnique(err) {
			return fault.New(fault.Conflict, "there is a %s with this slug already", n.Level)
		}
		if err != nil {
			return err
		}
		of := audit.Change{Kind: "location", ID: made.ID, After: made}
		if err := audit.Record(ctx, tx, "createLocation", of); err != nil {
			return err
		}
		return raise(ctx, tx)
	})
	return made, err
}

// Change sets the names and the code of a node that are not nil, with an entry in the audit log.
func Change(
	ctx context.Context, store *ent.Client, id uuid.UUID, name, nameFa, code *string,
) (changed *ent.Location, err error) {
	ctx = derive.WillRaise(ctx)
	err = transaction.Run(ctx, store, func(tx *ent.Tx) error {
		before, err := tx.Location.Get(ctx, id)
		if err != nil {
			return err
		}
		if before.Level == record.City && code != nil {
			return fault.Invalid("input.code", "must be absent: a city has none")
		}
		update := tx.Location.UpdateOneID(id).SetNillableName(name).SetNillableNameFa(nameFa).SetNillableCode(code)
		if changed, err = update.Save(ctx); err != nil {
			return err
		}
		of := audit.Change{Kind: "location", ID: id, Before: before, After: changed}
		if err := audit.Record(ctx, tx, "updateLocation", of); err != nil {
			return err
		}
		return raise(ctx, tx)
	})
	return changed, err
}

// raise invalidates the stored answers about locations, and those of all shops, since their lists name
// cities.
func raise(ctx context.Context, tx *ent.Tx) error {
	err := tx.Installation.Create().SetID(1).SetVersion(1).OnConflict(sql.ConflictColumns(installation.FieldID),
		sql.ResolveWith(func(u *sql.UpdateSet) { u.Add(installation.FieldVersion, 1) })).Exec(ctx)
	if err != nil {
		return err
	}
	return tx.Tenant.Update().AddContentVersion(1).Exec(ctx)
}
