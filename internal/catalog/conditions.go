package catalog

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

// conditions are on the options of variants, or on technical values. They are the JSON of []keyCondition sorted by
// key, so that they are comparable; empty for none.
type conditions string

// keyCondition is a condition on the value of one variation, or of one field. With only a key, any value matches.
type keyCondition struct {
	Key   string   `json:"k"`
	AnyOf []string `json:"o,omitempty"` // keys or values of options, texts, "true" or "false"
	Min   *float64 `json:"a,omitempty"` // inclusive
	Max   *float64 `json:"z,omitempty"` // inclusive

	// Asked holds the categories whose form has the field, by the JSON kind of its values. Any other value is
	// hidden from the public, and meets no condition.
	Asked map[record.JSONKind]categoryIDs `json:"c,omitempty"`
}

func conditionsOf(all []keyCondition) conditions {
	if len(all) == 0 {
		return ""
	}
	slices.SortStableFunc(all, func(a, b keyCondition) int { return cmp.Compare(a.Key, b.Key) })
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // texts and finite numbers can always be marshaled
	}
	return conditions(text)
}

func (c conditions) list() (all []keyCondition) {
	if c != "" {
		if err := json.Unmarshal([]byte(c), &all); err != nil {
			panic(err) // conditionsOf wrote it
		}
	}
	return all
}

func (c conditions) without(key string) conditions {
	return conditionsOf(slices.DeleteFunc(c.list(), func(one keyCondition) bool { return one.Key == key }))
}

func distinct(values []string) []string { return slices.Compact(slices.Sorted(slices.Values(values))) }

// OptionFilter keeps the variants that have one of the values of a variation. Without values it keeps all.
type OptionFilter struct {
	Key   string // of the variation
	AnyOf []string
}

// TechnicalFilter keeps the records whose answer to a field of their form is one of some texts, or within bounds.
type TechnicalFilter struct {
	Key      string // of the field
	AnyOf    []string
	Min, Max *json.Number // inclusive
}

func optionConditions(options []*OptionFilter) conditions {
	var all []keyCondition
	for _, one := range options {
		if len(one.AnyOf) > 0 {
			all = append(all, keyCondition{Key: one.Key, AnyOf: distinct(one.AnyOf)})
		}
	}
	return conditionsOf(all)
}

// technicalConditions reads the argument `values` for a shop whose categories have the forms.
func technicalConditions(filters []*TechnicalFilter, forms formsByCategory) (conditions, error) {
	var bad fault.Fields
	all := make([]keyCondition, len(filters))
	for i, f := range filters {
		all[i] = keyCondition{
			Key: f.Key, AnyOf: distinct(f.AnyOf), Min: finiteFloat(f.Min), Max: finiteFloat(f.Max),
			Asked: forms.asking(f.Key),
		}
		if f.Min != nil && f.Max != nil && money.Compare(string(*f.Min), string(*f.Max)) > 0 {
			bad.Add("values."+strconv.Itoa(i)+".min", "must not be above max")
		}
	}
	return conditionsOf(all), bad.Err()
}

// finiteFloat returns a checked number as a float64. A number out of range becomes the largest of its sign.
func finiteFloat(d *json.Number) *float64 {
	if d == nil {
		return nil
	}
	n, _ := strconv.ParseFloat(string(*d), 64)
	n = min(max(n, -math.MaxFloat64), math.MaxFloat64)
	return &n
}

// narrowVariants keeps the variants whose options meet all conditions. With inListOrder, variants are read in
// the order of the list and each is checked; otherwise all matching variants are found first.
func (c conditions) narrowVariants(s *sql.Selector, inListOrder bool) {
	options := s.C(variant.FieldOptions)
	for _, one := range c.list() {
		s.Where(sql.P(func(b *sql.Builder) {
			if !inListOrder || b.Dialect() != dialect.Postgres {
				writeOption[b.Dialect()](b, options, one)
				return
			}
			b.WriteString("COALESCE(") // PostgreSQL then expects half of the rows to match, not one in 200
			writeOption[b.Dialect()](b, options, one)
			b.WriteString(", FALSE)")
		}))
	}
}

// writeOption writes, by dialect, the predicate that the options in a column meet a condition.
var writeOption = map[string]func(b *sql.Builder, options string, c keyCondition){
	dialect.SQLite: func(b *sql.Builder, options string, c keyCondition) {
		b.WriteString("EXISTS (SELECT 1 FROM json_each(CAST(").Ident(options).
			WriteString(" AS text)) AS o WHERE o.key = ").
			Arg(c.Key).WriteString(" AND o.value IN (").Args(texts(c.AnyOf)...).WriteString("))")
	},
	dialect.Postgres: func(b *sql.Builder, options string, c keyCondition) {
		b.WriteString("(").Ident(options).WriteString(" ->> CAST(").Arg(c.Key).WriteString(" AS text)) IN (").
			Args(texts(c.AnyOf)...).WriteString(")")
	},
}

func (c conditions) narrowValues(s *sql.Selector) {
	for _, one := range c.list() {
		s.Where(sql.P(func(b *sql.Builder) {
			writeCondition[b.Dialect()](b, s.C(product.FieldValues), s.C(product.FieldCategoryID), one)
		}))
	}
}

// writeCondition writes, by dialect, the predicate that a product meets a condition. values and category are
// the columns of its values and its category. A number is compared with min and max only, never as text.
var writeCondition = map[string]func(b *sql.Builder, values, category string, a keyCondition){
	dialect.SQLite: func(b *sql.Builder, values, category string, a keyCondition) {
		b.WriteString("EXISTS (SELECT 1 FROM json_each(CAST(").Ident(values).WriteString(" AS text)) AS f")
		if a.AnyOf != nil {
			b.WriteString(", json_each(CASE f.type WHEN 'array' THEN f.value WHEN 'true' THEN '[\"true\"]'" +
				" WHEN 'false' THEN '[\"false\"]' ELSE json_array(f.value) END) AS c")
		}
		b.WriteString(" WHERE f.key = ").Arg(a.Key)
		if a.AnyOf != nil {
			b.WriteString(" AND c.value IN (").Args(texts(a.AnyOf)...).WriteString(")")
		}
		for _, end := range a.ends() {
			b.WriteString(" AND f.type IN ('integer', 'real') AND f.value " + end.op).Arg(end.value)
		}
		b.WriteString(" AND CASE f.type WHEN 'text' THEN 'string' WHEN 'integer' THEN 'number'" +
			" WHEN 'real' THEN 'number' WHEN 'true' THEN 'boolean' WHEN 'false' THEN 'boolean' ELSE f.type END = ")
		a.writeKind(b, category, "(SELECT value FROM json_each(", "))")
		b.WriteString(")")
	},
	dialect.Postgres: func(b *sql.Builder, values, category string, a keyCondition) {
		answer := func(arrow string) {
			b.WriteString("(").Ident(values).WriteString(" " + arrow + " CAST(").Arg(a.Key).WriteString(" AS text))")
		}
		b.WriteString("jsonb_typeof(")
		answer("->")
		b.WriteString(") = ")
		a.writeKind(b, category,
			"(SELECT CAST(value AS uuid) FROM jsonb_array_elements_text(CAST(", " AS jsonb)) AS c(value))")
		if a.AnyOf != nil {
			b.WriteString(" AND EXISTS (SELECT 1 FROM jsonb_array_elements_text(CASE jsonb_typeof(")
			answer("->")
			b.WriteString(") WHEN 'array' THEN ")
			answer("->")
			b.WriteString(" WHEN 'number' THEN '[]'::jsonb ELSE jsonb_build_array(")
			answer("->")
			b.WriteString(") END) AS c(value) WHERE c.value IN (").Args(texts(a.AnyOf)...).WriteString("))")
		}
		for _, end := range a.ends() {
			b.WriteString(" AND CASE WHEN jsonb_typeof(")
			answer("->")
			b.WriteString(") = 'number' THEN CAST(")
			answer("->>")
			b.WriteString(" AS double precision) " + end.op).Arg(end.value).WriteString(" ELSE false END")
		}
	},
}

// writeKind writes an expression for the JSON kind that a product's value must have, by its category; null if
// its form lacks the field. before and after surround the list of categories.
func (a keyCondition) writeKind(b *sql.Builder, category, before, after string) {
	if len(a.Asked) == 0 {
		b.WriteString("NULL")
		return
	}
	b.WriteString("CASE")
	for _, kind := range slices.Sorted(maps.Keys(a.Asked)) {
		b.WriteString(" WHEN ").Ident(category).WriteString(" IN " + before).Arg(a.Asked[kind].String()).
			WriteString(after + " THEN '" + string(kind) + "'")
	}
	b.WriteString(" END")
}

// end is one end of a range, as an operator and its value.
type end struct {
	op    string
	value float64
}

func (a keyCondition) ends() (ends []end) {
	if a.Min != nil {
		ends = append(ends, end{">= ", *a.Min})
	}
	if a.Max != nil {
		ends = append(ends, end{"<= ", *a.Max})
	}
	return ends
}

func texts(values []string) []any {
	return convert.All(values, func(value string) any { return value })
}
