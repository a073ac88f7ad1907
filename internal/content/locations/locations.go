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
	"storefront/ent/location"
	"storefront/internal/database/migration"
	"storefront/internal/record"
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
	tx   dialect.Tx
	name string
}

func (w within) Tx(context.Context) (dialect.Tx, error) { return nested{w.tx}, nil }
func (w within) Close() error                           { return nil }
func (w within) Dialect() string                        { return w.name }

func (w within) Exec(ctx context.Context, query string, args, v any) error {
	return w.tx.Exec(ctx, query, args, v)
}

func (w within) Query(ctx context.Context, query string, args, v any) error {
	return w.tx.Query(ctx, query, args, v)
}

// nested is a transaction whose end is left to the transaction around it.
type nested struct{ dialect.ExecQuerier }

func (nested) Commit() error   { return nil }
func (nested) Rollback() error { return nil }

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
