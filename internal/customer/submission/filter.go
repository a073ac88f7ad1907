package submission

import (
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"storefront/internal/fault"
)

// Filter selects submissions that meet all conditions given.
type Filter struct {
	Contains *string // a piece of a text, letter for letter
	Name     *string // the sender's whole name
	Email    *string // the sender's whole e-mail address
	Since    *time.Time
	Before   *time.Time
}

// Columns are the columns of a kind of submissions to which the conditions of a Filter refer.
type Columns struct {
	Name, Email string
	Texts       []string // searched beside name and e-mail
}

// Where returns the predicate of a filter. It notes a filter without a condition; path is where the filter stands.
func (f Filter) Where(path string, in Columns, bad *fault.Fields) func(*sql.Selector) {
	var all []func(*sql.Selector)
	if has(f.Contains) {
		all = append(all, holdsText(*f.Contains, append(in.Texts, in.Name, in.Email)))
	}
	if has(f.Name) {
		all = append(all, sql.FieldEQ(in.Name, *f.Name))
	}
	if has(f.Email) {
		all = append(all, sql.FieldEQ(in.Email, *f.Email))
	}
	if f.Since != nil {
		all = append(all, sql.FieldGTE("created_at", f.Since.UTC()))
	}
	if f.Before != nil {
		all = append(all, sql.FieldLT("created_at", f.Before.UTC()))
	}
	if len(all) == 0 {
		bad.Add(path, "must have at least one condition")
	}
	return sql.AndPredicates(all...)
}

func has(text *string) bool { return text != nil && *text != "" }

// holdsText returns the predicate that one of the columns contains a text exactly, on both databases.
func holdsText(text string, columns []string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		position := "instr"
		if s.Dialect() == dialect.Postgres {
			position = "strpos"
		}
		var any []*sql.Predicate
		for _, column := range columns {
			any = append(any, sql.P(func(b *sql.Builder) {
				b.WriteString(position + "(").Ident(s.C(column)).WriteString(", ").Arg(text).WriteString(") > 0")
			}))
		}
		s.Where(sql.Or(any...))
	}
}
