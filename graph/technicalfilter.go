package graph

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"storefront/ent/product"
	"storefront/internal/fault"
	"storefront/internal/money"
)

// technicalFilter are the conditions on answers to technical forms, as JSON of []answerCondition sorted by
// key. Unlike a slice it is compared by value, so that two requests with equal filters share one count.
// Empty: no conditions.
type technicalFilter string

// answerCondition is what the answer to one field must be. With a key alone, any answer will do.
type answerCondition struct {
	Key   string   `json:"k"`
	AnyOf []string `json:"o,omitempty"` // values of options, texts, "true" or "false"
	Min   *float64 `json:"a,omitempty"` // inclusive
	Max   *float64 `json:"z,omitempty"` // inclusive
}

// technicalFilterOf reads the argument `values`.
func technicalFilterOf(filters []*TechnicalFilter) (technicalFilter, error) {
	var bad fault.Fields
	all := make([]answerCondition, 0, len(filters))
	for i, f := range filters {
		one := answerCondition{
			Key: f.Key, AnyOf: slices.Compact(slices.Sorted(slices.Values(f.AnyOf))),
			Min: finiteFloat(f.Min), Max: finiteFloat(f.Max),
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

// finiteFloat reads a number that has been checked; one beyond the range is the largest of its sign.
func finiteFloat(d *Decimal) *float64 {
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

// without leaves out the conditions on one field.
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

// narrow keeps the products whose answers meet all conditions.
func (f technicalFilter) narrow(s *sql.Selector) {
	for _, one := range f.conditions() {
		s.Where(sql.P(func(b *sql.Builder) { writeCondition[b.Dialect()](b, s.C(product.FieldValues), one) }))
	}
}

// writeCondition writes, for each dialect, that the answers in a column meet a condition. A number is
// compared with min and max alone, never as text.
var writeCondition = map[string]func(b *sql.Builder, values string, a answerCondition){
	dialect.SQLite: func(b *sql.Builder, values string, a answerCondition) {
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
		b.WriteString(")")
	},
	dialect.Postgres: func(b *sql.Builder, values string, a answerCondition) {
		answer := func(arrow string) {
			b.WriteString("(").Ident(values).WriteString(" " + arrow + " CAST(").Arg(a.Key).WriteString(" AS text))")
		}
		answer("->")
		b.WriteString(" IS NOT NULL")
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
