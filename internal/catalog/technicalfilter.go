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
	"storefront/graph/model"
	"storefront/internal/fault"
	"storefront/internal/money"
	"storefront/internal/record"
)

// technicalFilter holds conditions on technical values. It is the JSON of []answerCondition sorted by key, so
// that it is comparable and requests with equal filters share one count; empty for no conditions.
type technicalFilter string

// answerCondition is a condition on the value of one field. With only a key, any value matches.
type answerCondition struct {
	Key   string   `json:"k"`
	AnyOf []string `json:"o,omitempty"` // values of options, texts, "true" or "false"
	Min   *float64 `json:"a,omitempty"` // inclusive
	Max   *float64 `json:"z,omitempty"` // inclusive

	// Asked holds the categories whose form has the field, by the JSON kind of its values. Any other value is
	// hidden from the public, and meets no condition.
	Asked map[record.JSONKind]categoryIDs `json:"c"`
}

// categoryIDs are ids of categories, marshaled as a JSON list.
type categoryIDs []string

func (c categoryIDs) String() string {
	text, _ := json.Marshal([]string(c)) // never fails
	return string(text)
}

// technicalFilterOf reads the argument `values` for a shop whose categories have the forms.
func technicalFilterOf(filters []*model.TechnicalFilter, forms formsByCategory) (technicalFilter, error) {
	var bad fault.Fields
	all := make([]answerCondition, 0, len(filters))
	for i, f := range filters {
		one := answerCondition{
			Key: f.Key, AnyOf: slices.Compact(slices.Sorted(slices.Values(f.AnyOf))),
			Min: finiteFloat(f.Min), Max: finiteFloat(f.Max), Asked: forms.asking(f.Key),
		}
		if f.Min != nil && f.Max != nil && money.Compare(string(*f.Min), string(*f.Max)) > 0 {
			bad.Add("values."+strconv.Itoa(i)+".min", "must not be above max")
		}
		all = append(all, one)
	}
	if len(all) == 0 || len(bad) > 0 {
		return "", bad.Err()
	}
	slices.SortStableFunc(all, func(a, b answerCondition) int { return cmp.Compare(a.Key, b.Key) })
	text, err := json.Marshal(all)
	return technicalFilter(text), err
}

// finiteFloat returns a checked number as a float64. A number out of range becomes the largest of its sign.
func finiteFloat(d *model.Decimal) *float64 {
	if d == nil {
		return nil
	}
	n, _ := strconv.ParseFloat(string(*d), 64)
	n = min(max(n, -math.MaxFloat64), math.MaxFloat64)
	return &n
}

func (f technicalFilter) conditions() (all []answerCondition) {
	if f != "" {
		if err := json.Unmarshal([]byte(f), &all); err != nil {
			panic(err) // technicalFilterOf wrote it
		}
	}
	return all
}

// without returns the filter without the conditions on one field.
func (f technicalFilter) without(key string) technicalFilter {
	others := slices.DeleteFunc(f.conditions(), func(one answerCondition) bool { return one.Key == key })
	if len(others) == 0 {
		return ""
	}
	text, err := json.Marshal(others)
	if err != nil {
		panic(err) // it was JSON before
	}
	return technicalFilter(text)
}

// narrow keeps the products whose values meet all conditions.
func (f technicalFilter) narrow(s *sql.Selector) {
	for _, one := range f.conditions() {
		s.Where(sql.P(func(b *sql.Builder) {
			writeCondition[b.Dialect()](b, s.C(product.FieldValues), s.C(product.FieldCategoryID), one)
		}))
	}
}

// writeCondition writes, by dialect, the predicate that a product meets a condition. values and category are
// the columns of its values and its category. A number is compared with min and max only, never as text.
var writeCondition = map[string]func(b *sql.Builder, values, category string, a answerCondition){
	dialect.SQLite: func(b *sql.Builder, values, category string, a answerCondition) {
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
	dialect.Postgres: func(b *sql.Builder, values, category string, a answerCondition) {
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
func (a answerCondition) writeKind(b *sql.Builder, category, before, after string) {
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

func (a answerCondition) ends() (ends []end) {
	if a.Min != nil {
		ends = append(ends, end{">= ", *a.Min})
	}
	if a.Max != nil {
		ends = append(ends, end{"<= ", *a.Max})
	}
	return ends
}

func texts(values []string) []any {
	all := make([]any, len(values))
	for i, value := range values {
		all[i] = value
	}
	return all
}
