package shoptest

import (
	"testing"

	"storefront/internal/customer/member"
	"storefront/internal/locale/search"
)

// NamesAreSearched checks that the search texts of accounts and audit entries agree with their names.
func (p *Place) NamesAreSearched(t testing.TB) {
	t.Helper()
	for _, u := range p.Store.Client.User.Query().AllX(t.Context()) {
		if want := member.SearchText(u.FirstName, u.LastName, u.Email); u.SearchText != want {
			t.Errorf("the account %s is searched by %q, want %q", u.CellNumber, u.SearchText, want)
		}
	}
	for _, e := range p.Store.Client.AuditEntry.Query().AllX(t.Context()) {
		want := ""
		if e.RecordName != nil {
			want = search.Compact(*e.RecordName)
		}
		if e.SearchText != want {
			t.Errorf("the entry of %s is searched by %q, want %q", e.Action, e.SearchText, want)
		}
	}
}
