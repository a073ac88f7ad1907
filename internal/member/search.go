package member

import (
	"entgo.io/ent/dialect/sql"

	"storefront/ent/user"
	"storefront/internal/search"
)

// SearchText makes the search_text of an account. Code that writes one of these columns also writes
// search_text.
func SearchText(firstName, lastName, email *string) string {
	var texts []string
	for _, text := range []*string{firstName, lastName, email} {
		if text != nil {
			texts = append(texts, *text)
		}
	}
	return search.CompactAll(texts...)
}

// CalledBy selects the accounts whose name, e-mail address or cell number contains each word of a search. An
// Iranian number is also found in its local form: 0912… is +98912….
func CalledBy(query *string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		search.FindsAll(s, query, func(piece string) *sql.Predicate {
			return sql.Or(search.Holds(s.C(user.FieldSearchText), piece), sql.P(func(b *sql.Builder) {
				cell := s.C(user.FieldCellNumber)
				b.WriteString("(").Ident(cell).WriteString(" || ' ' || REPLACE(").Ident(cell).
					WriteString(", '+98', '0')) LIKE ").Arg("%" + piece + "%")
			}))
		})
	}
}
