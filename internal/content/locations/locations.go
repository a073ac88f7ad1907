// Package locations holds the tree of countries, the provinces of Iran and their cities, which is part of
// every installation. SOURCES.md says where it comes from.
package locations

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/csv"
	"encoding/hex"
	"fmt"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/installation"
	"storefront/ent/location"
	"storefront/ent/tenant"
	"storefront/internal/content/derive"
	"storefront/internal/database"
	"storefront/internal/database/migration"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

//go:embed locations.csv
var table []byte

// Step returns the migration step that loads the tree. A changed table has a new name, so it is loaded
// again: nodes keep their ids and get their new names; none is deleted.
func Step(dialectName string) migration.Step {
	sum := sha256.Sum256(table)
	return migration.Step{
		Name: "locations-" + hex.EncodeToString(sum[:6]),
		Run: func(ctx context.Context, tx dialect.Tx) error {
			return load(ctx, ent.NewClient(ent.Driver(within{tx, dialectName})))
		},
	}
}

// within is a driver whose statements run inside the caller's transaction.
type within struct {
	dialect.ExecQuerier
	name string
}

func (w within) Tx(context.Context) (dialect.Tx, error) { return dialect.NopTx(w), nil }
func (within) Close() error                             { return nil }
func (w within) Dialect() string                        { return w.name }

// batch is how many nodes one statement writes, bounded by the number of parameters of a statement.
const batch = 500

func load(ctx context.Context, client *ent.Client) error {
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		return fmt.Errorf("locations.csv: %w", err)
	}
	var nodes []*ent.LocationCreate
	for _, row := range rows[1:] { // parents stand before their children
		level, slug, parent, name, nameFa, code := record.LocationLevel(row[0]), row[1], row[2], row[3], row[4],
			row[5]
		node := client.Location.Create().SetID(idOf(level, slug)).SetLevel(level).SetSlug(slug).SetName(name).
			SetNameFa(nameFa)
		switch level {
		case record.Country:
			node.SetCode(code)
		case record.Province:
			node.SetCode(code).SetParentID(idOf(record.Country, parent))
		case record.City: // its code in the table is a statistical one, not of ISO 3166
			node.SetParentID(idOf(record.Province, parent))
		}
		nodes = append(nodes, node)
	}
	for len(nodes) > 0 {
		n := min(batch, len(nodes))
		err := client.Location.CreateBulk(nodes[:n]...).
			OnConflict(sql.ConflictColumns(location.FieldID), sql.ResolveWithNewValues()).Exec(ctx)
		if err != nil {
			return fmt.Errorf("writing locations: %w", err)
		}
		nodes = nodes[n:]
	}
	if err := client.Tenant.Update().AddContentVersion(1).Exec(ctx); err != nil { // lists of shops name cities
		return fmt.Errorf("raising content versions: %w", err)
	}
	return nil
}

// idOf returns the id of a node, the same in every installation.
func idOf(level record.LocationLevel, slug string) uuid.UUID {
	return record.StableID(0, string(level)+"/"+slug)
}

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
	if err := derive.RaiseSale(ctx, tx, tenant.SaleVersionGT(0)); err != nil {
		return err
	}
	return tx.Tenant.Update().AddContentVersion(1).Exec(ctx)
}
