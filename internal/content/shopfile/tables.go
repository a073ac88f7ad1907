package shopfile

import (
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/schema/field"

	"storefront/ent"
)

type table struct {
	name    string
	columns []column
	shop    string // the column that names the shop; "" for users
	where   string // which rows of the shop are moved: SQL; "": all
	itself  string // the column that refers to another row of the same table
	counted bool   // ids are assigned by the database: the rows get new ones, in the same order
	refers  []reference
	names   string // the column with the person whose row it is, if there is one
}

// reference is a column that refers to a row of a moved table, possibly the same one.
type reference struct{ column, to string }

type column struct {
	name  string
	kind  field.Type
	other bool // it refers to a person who need not be in the file
}

// travels reports whether the rows of a table are moved: those that refer to the shop, and the accounts of its
// persons. What else an account has stays: ways to sign in, addresses, and what it did with other shops.
func travels(table ent.Table) bool {
	return table.Name == "users" || table.Name == "tenants" ||
		table.Name != "order_days" && // is made again of the orders
			table.Name != "shop_events" && // are delivered: what waits for webhooks travels as deliveries
			slices.ContainsFunc(table.References, func(r ent.Reference) bool { return r.To == "tenants" })
}

// tables returns the tables whose rows are moved, each after those that it refers to.
func tables() (tables []*table, err error) {
	left := slices.DeleteFunc(slices.Clone(ent.Tables), func(of ent.Table) bool { return !travels(of) })
	for len(left) > 0 {
		var waiting []ent.Table
		for _, of := range left {
			if slices.ContainsFunc(of.References, func(r ent.Reference) bool {
				return r.To != of.Name && slices.ContainsFunc(left, func(o ent.Table) bool { return o.Name == r.To })
			}) {
				waiting = append(waiting, of)
			} else {
				tables = append(tables, tableOf(of, tables))
			}
		}
		if len(waiting) == len(left) {
			return nil, fmt.Errorf("of the tables, %d refer to each other", len(left))
		}
		left = waiting
	}
	return tables, nil
}

// stays are the columns of rows that travel which have their defaults at the new place: the shop is open there, its
// events are numbered again, and its gateway accounts have neither credentials nor customers.
var stays = map[string]bool{
	"tenants.closed_at": true, "webhook_endpoints.number": true,
	"gateway_accounts.secrets": true, "gateway_accounts.active": true,
}

// tableOf describes a table; those that it refers to are in before.
func tableOf(source ent.Table, before []*table) *table {
	t := &table{name: source.Name}
	if source.Name == "tenants" {
		t.shop = "id"
	}
	for _, r := range source.References {
		moved := r.To == source.Name || slices.ContainsFunc(before, func(b *table) bool { return b.name == r.To })
		if moved {
			t.refers = append(t.refers, reference{r.Column, r.To})
		}
		switch r.To {
		case source.Name:
			t.itself = r.Column
		case "tenants":
			t.shop = r.Column
		}
	}
	if p := source.Personal; p != nil {
		t.where = p.Where
		if slices.Contains(t.refers, reference{p.Of, "users"}) || p.Of == "customer_id" {
			t.names = p.Of
		}
	}
	for _, c := range source.Columns {
		if c.Name == "id" && c.Type.Integer() {
			t.counted = true
			continue
		}
		if stays[source.Name+"."+c.Name] {
			continue
		}
		if p := source.Personal; p == nil || p.Travelled == nil || slices.Contains(p.Travelled, c.Name) {
			other := c.Name != t.names && t.shop != "" && slices.Contains(t.refers, reference{c.Name, "users"})
			t.columns = append(t.columns, column{c.Name, c.Type, other})
		}
	}
	return t
}

// ofShop returns the condition of the rows that are moved: $1 is the shop. persons selects the ids of the
// persons.
func (t *table) ofShop(persons string) string {
	if t.shop == "" {
		return "users.id IN (" + persons + ")"
	}
	condition := t.name + "." + t.shop + " = $1"
	if t.where != "" {
		condition += " AND " + t.where
	}
	return condition
}

// personsOf returns the query for the persons whose rows a shop has: $1 is the shop.
func personsOf(all []*table) string {
	var parts []string
	for _, t := range all {
		if t.names != "" && t.shop != "" {
			parts = append(parts, fmt.Sprintf("SELECT %[1]s.%[2]s FROM %[1]s WHERE %[3]s AND %[1]s.%[2]s IS NOT NULL",
				t.name, t.names, t.ofShop("")))
		}
	}
	return strings.Join(parts, " UNION ")
}
