package shopfile

import (
	"fmt"
	"slices"

	"entgo.io/ent/schema/field"

	"storefront/ent"
)

// table is a table whose rows are moved with a shop.
type table struct {
	name    string
	columns []column
	shop    string // the column that names the shop; "" if the rows belong to persons
	person  string // if the rows belong to persons, the column that names the person
	itself  string // the column that refers to another row of the same table
	counted bool   // ids are assigned by the database: the rows get new ones, in the same order
	refers  []reference
}

// reference is a column that refers to a row of a moved table, possibly the same one.
type reference struct{ column, to string }

type column struct {
	name string
	kind field.Type
}

// ofPersons are the tables whose rows are moved with the persons that a shop's rows refer to, if these
// persons are new at the new place, and the column that names the person. Access tokens are moved with their
// shop, so that its programs keep working; the old place refuses them, as the shop is closed there.
var ofPersons = map[string]string{
	"users":            "id",
	"addresses":        "user_id",
	"idempotency_keys": "user_id", // without the answers, which may hold secrets; the requests are not run again
}

// staying are the tables whose rows are not moved, each with the reason.
var staying = map[string]string{
	"authenticators":    "are sealed under a key of the installation: who has one switches another on",
	"file_removals":     "are of files that stay here",
	"installations":     "is of the installation",
	"locations":         "are of the installation, with the same ids everywhere",
	"order_days":        "are made anew of the orders",
	"one_time_codes":    "are worth something for minutes, and of a cell number",
	"partners":          "are of the installation",
	"partner_keys":      "are of the installation",
	"partner_messages":  "are of the installation",
	"recovery_codes":    "stay with the second factor",
	"rate_events":       "begin anew",
	"rate_keys":         "begin anew",
	"refresh_tokens":    "end, as sessions do",
	"sessions":          "end: tokens are signed by another key",
	"sign_in_addresses": "are what an installation has seen itself",
}

// unsent are columns that are not moved: they get their defaults.
var unsent = map[string][]string{"idempotency_keys": {"answer", "size"}, "tenants": {"closed_at"}}

// traveling returns the tables whose rows are moved, each after those that it refers to. A table belongs to
// the shop if it refers to tenants. It fails for a table without a rule.
func traveling(all []ent.Table) (tables []*table, err error) {
	for len(tables)+len(staying) < len(all) {
		before := len(tables)
		for _, of := range all {
			if staying[of.Name] != "" || slices.ContainsFunc(tables, func(t *table) bool { return t.name == of.Name }) {
				continue
			}
			t, ready, err := tableOf(of, tables)
			if err != nil {
				return nil, err
			}
			if ready {
				tables = append(tables, t)
			}
		}
		if len(tables) == before {
			return nil, fmt.Errorf("of the tables, %d refer to each other", len(all)-len(staying)-before)
		}
	}
	return tables, nil
}

// tableOf describes a table, and reports whether all tables that it refers to are in before.
func tableOf(of ent.Table, before []*table) (t *table, ready bool, err error) {
	t = &table{name: of.Name, person: ofPersons[of.Name]}
	for _, c := range of.Columns {
		if c.Name == "id" && c.Type.Integer() {
			t.counted = true
		}
		t.columns = append(t.columns, column{c.Name, c.Type})
	}
	if of.Name == "tenants" {
		t.shop = "id"
	}
	for _, r := range of.References {
		if staying[r.To] == "" {
			t.refers = append(t.refers, reference{r.Column, r.To})
		}
		switch {
		case r.To == of.Name:
			t.itself = r.Column
			continue
		case staying[r.To] != "":
			continue
		case r.To == "tenants":
			t.shop = r.Column
		}
		if !slices.ContainsFunc(before, func(b *table) bool { return b.name == r.To }) {
			return nil, false, nil
		}
	}
	if t.shop == "" && t.person == "" {
		return nil, false, fmt.Errorf("nothing says whether the rows of %s travel with a shop: see shopfile/tables.go",
			of.Name)
	}
	return t, true, nil
}

// tables returns the moved tables of this version.
func tables() ([]*table, error) { return traveling(ent.Tables) }

// written returns the columns that are in a file.
func (t *table) written() (columns []column) {
	for _, c := range t.columns {
		if !slices.Contains(unsent[t.name], c.name) && (c.name != "id" || !t.counted) {
			columns = append(columns, c)
		}
	}
	return columns
}

// ofShop returns the condition of the rows that are moved: $1 is the shop. persons selects the ids of the
// persons.
func (t *table) ofShop(persons string) string {
	if t.shop != "" {
		return t.name + "." + t.shop + " = $1"
	}
	of := t.name + "." + t.person + " IN (" + persons + ")"
	if t.name == "idempotency_keys" { // also of the shop's programs
		of = "(" + of + " OR token_id IN (SELECT id FROM access_tokens WHERE business_id = $1))"
	}
	return of
}

// personsOf returns the query for the persons that a shop's rows refer to: $1 is the shop.
func personsOf(all []*table) (query string) {
	for _, t := range all {
		for _, r := range t.refers {
			if t.shop == "" || r.to != "users" {
				continue
			}
			if query != "" {
				query += " UNION "
			}
			query += fmt.Sprintf("SELECT %[1]s.%[2]s FROM %[1]s WHERE %[1]s.%[3]s = $1 AND %[1]s.%[2]s IS NOT NULL",
				t.name, r.column, t.shop)
		}
	}
	return query
}
