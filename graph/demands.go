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
)

// demands are what technical fields must be answered with, as JSON of []demand sorted by key: unlike a list they compare by
// value, so that a filter names its count. Empty: nothing is demanded.
type demands string

// demand is what one field must be answered with. With a key alone, any answer does.
type demand struct {
	Key   string   `json:"k"`
	AnyOf []string `json:"o,omitempty"` // values of options, texts, "true" or "false"
	Min   *float64 `json:"a,omitempty"` // inclusive
	Max   *float64 `json:"z,omitempty"` // inclusive
}

// demandsOf reads the argument `values`.
func demandsOf(filters []*TechnicalFilter) (demands, error) {
	var bad fault.Fields
	all := make([]demand, 0, len(filters))
	for i, f := range filters {
		one := demand{Key: f.Key, AnyOf: slices.Compact(slices.Sorted(slices.Values(f.AnyOf))), Min: float(f.Min), Max: float(f.Max)}
		if one.Min != nil && one.Max != nil && *one.Min > *one.Max {
			bad.Add("values."+strconv.Itoa(i)+".min", "must not be above max")
		}
		all = append(all, one)
	}
	if len(all) == 0 || len(bad) > 0 {
		return "", bad.Err()
	}
	slices.SortStableFunc(all, func(a, b demand) int { return cmp.Compare(a.Key, b.Key) })
	text, err := json.Marshal(all)
	return demands(text), err
}

// float reads a number that has been checked; beyond its range it is the largest of its sign.
func float(d *Decimal) *float64 {
	if d == nil {
		return nil
	}
	n, _ := strconv.ParseFloat(string(*d), 64)
	n = min(max(n, -math.MaxFloat64), math.MaxFloat64)
	return &n
}

// list gives the demands one by one.
func (d demands) list() (all []demand) {
	if d != "" {
		if err := json.Unmarshal([]byte(d), &all); err != nil {
			panic(err) // demandsOf wrote it
		}
	}
	return all
}

// without gives the demands that are not of a field.
func (d demands) without(key string) demands {
	others := slices.DeleteFunc(d.list(), func(one demand) bool { return one.Key == key })
	if len(others) == 0 {
		return ""
	}
	text, err := json.Marshal(others)
	if err != nil {
		panic(err) // it was JSON before
	}
	return demands(text)
}

// narrow keeps the products whose answers are as demanded.
func (d demands) narrow(s *sql.Selector) {
	for _, one := range d.list() {
		s.Where(sql.P(func(b *sql.Builder) { answeredBy[b.Dialect()](b, s.C(product.FieldValues), one) }))
	}
}

// answeredBy writes that the answers in a column are as demanded. A number is no text: it is compared by min and max alone.
var answeredBy = map[string]func(b *sql.Builder, values string, a demand){
	dialect.SQLite: func(b *sql.Builder, values string, a demand) {
		b.WriteString("EXISTS (SELECT 1 FROM json_each(CAST(").Ident(values).WriteString(" AS text)) AS f")
		if a.AnyOf != nil {
			b.WriteString(", json_each(CASE f.type WHEN 'array' THEN f.value WHEN 'true' THEN '[\"true\"]' WHEN 'false' THEN '[\"false\"]' ELSE json_array(f.value) END) AS c")
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
	dialect.Postgres: func(b *sql.Builder, values string, a demand) {
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

func (a demand) ends() (ends []end) {
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
