package sheets_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent/auditentry"
	"storefront/ent/staffmember"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
)

// many is the number of products in a sheet that needs several transactions.
const many = 1_500

func manyProducts() string {
	var sheet strings.Builder
	sheet.WriteString("slug,titleFa,sku,priceCurrency,price,stock\n")
	for i := range many {
		fmt.Fprintf(&sheet, "many-%d,x,MANY-%d,IRT,5,5\n", i, i)
	}
	return sheet.String()
}

// before returns the test shop on another instance, which calls f before it begins its nth transaction.
func (o testShop) before(
	t testing.TB, nth int, f func(of *shoptest.Accounts), settings ...func(*app.Options),
) testShop {
	t.Helper()
	begun := 0
	var watched *shoptest.Accounts
	watched = o.Watched(t, func(text string) {
		if text == "BEGIN" {
			if begun++; begun == nth {
				f(watched)
			}
		}
	}, settings...)
	crew := *o.Crew
	crew.Accounts = watched
	return testShop{&crew, o.owner}
}

// noted returns how many new products the last audit entry of an import says were found and written.
func (o testShop) noted(t testing.TB) (found, written int) {
	t.Helper()
	entry := o.Store.Client.AuditEntry.Query().Where(auditentry.Action("importSheet"), whole).
		Order(auditentry.ByID()).AllX(t.Context())
	var said struct {
		Records, Written map[string]struct{ Created int }
	}
	if err := json.Unmarshal(entry[len(entry)-1].After, &said); err != nil {
		t.Fatal(err)
	}
	return said.Records["products"].Created, said.Written["products"].Created
}

// recorded returns how many records of a kind have entries of imports.
func (o testShop) recorded(t testing.TB, kind string) int {
	t.Helper()
	return o.Store.Client.AuditEntry.Query().Where(auditentry.Action("importSheet"), auditentry.RecordIDNotNil(),
		auditentry.Kind(kind)).CountX(t.Context())
}

// TestAnImportThatStopsSaysWhatItWrote stops imports between two transactions. The answer says how much was
// written and why the import stopped, the audit log says how much, and the same sheet sent again writes the
// rest.
func TestAnImportThatStopsSaysWhatItWrote(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		code   string
		by     func(t *testing.T, o testShop, member shoptest.Worker, of *shoptest.Accounts, stop func())
	}{
		"the database is lost": {500, "INTERNAL",
			func(_ *testing.T, _ testShop, _ shoptest.Worker, of *shoptest.Accounts, _ func()) { of.Store.Close() }},
		"the right is gone": {403, "FORBIDDEN",
			func(t *testing.T, o testShop, member shoptest.Worker, _ *shoptest.Accounts, _ func()) {
				o.dismiss(t, member)
			}},
		"who sent it signs out": {401, "UNAUTHENTICATED",
			func(t *testing.T, _ testShop, member shoptest.Worker, _ *shoptest.Accounts, _ func()) {
				member.Do(t, `mutation { logout { message } }`, nil, nil)
			}},
		"the server stops": {503, "UNAVAILABLE",
			func(_ *testing.T, _ testShop, _ shoptest.Worker, _ *shoptest.Accounts, stop func()) { stop() }},
	} {
		t.Run(name, func(t *testing.T) {
			eachTestShop(t, func(t *testing.T, o testShop) {
				member := o.Staff(t, o.Tools, "editor")
				link, _ := o.link(t, member, o.Tools, "createProductImport")
				serving, stop := context.WithCancel(t.Context())
				defer stop()
				there := o.before(t, 3, func(of *shoptest.Accounts) { c.by(t, o, member, of, stop) },
					func(s *app.Options) { s.Imports = serving })
				got := there.sent(t, link, manyProducts())
				if got.Status != c.status || got.Code != c.code || got.Details == nil || got.Details.Stopped == nil {
					t.Fatalf("got %+v", got)
				}
				first := got.Details.Counts["products"].Created
				if got.Details.Written || first == 0 || first >= many || got.Details.Stopped.Code != c.code ||
					got.Details.Stopped.Message == "" || !strings.Contains(got.Message, "a part of it is written") ||
					got.Details.Counts["products"].Unchanged != 0 || got.Details.Counts["variants"].Created != first {
					t.Errorf("got %s %+v", got.Message, got.Details)
				}
				if found, written := o.noted(t); found != many || written != first {
					t.Errorf("the audit log says %d of %d, want %d of %d", written, found, first, many)
				}
				for _, kind := range []string{"product", "variant"} {
					if n := o.recorded(t, kind); n != first {
						t.Errorf("the audit log has %d of kind %s, want the %d that are written", n, kind, first)
					}
				}
				link, checkLink := o.link(t, o.owner, o.Tools, "createProductImport")
				left := o.sent(t, checkLink, manyProducts())
				again := o.sent(t, link, manyProducts())
				if left.Counts["products"].Created != many-first || again.Status != 200 || again.Stopped != nil ||
					again.Counts["products"].Created != many-first || again.Counts["products"].Unchanged != first {
					t.Errorf("sent again: got %+v, want %d new", again, many-first)
				}
				if found, written := o.noted(t); found != many-first || written != found {
					t.Errorf("sent again, the audit log says %d of %d, want all of %d", written, found, many-first)
				}
			})
		})
	}
}

// TestAnImportThatStopsBeforeItBegan loses the right before the first transaction: the answer says that nothing is
// written.
func TestAnImportThatStopsBeforeItBegan(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		member := o.Staff(t, o.Tools, "editor")
		link, _ := o.link(t, member, o.Tools, "createProductImport")
		there := o.before(t, 1, func(*shoptest.Accounts) { o.dismiss(t, member) })
		got := there.sent(t, link, persian)
		if got.Status != 403 || got.Details == nil || got.Details.Written || got.Details.Stopped == nil ||
			got.Details.Counts["products"].Created != 0 || !strings.Contains(got.Message, "before anything of it") ||
			o.hasProduct(t, "lamp") {
			t.Errorf("got %+v", got)
		}
	})
}

// TestAnImportGoesOnWithoutItsClient closes the client's connection while the sheet is being written. All
// of it is written, and the audit log says so.
func TestAnImportGoesOnWithoutItsClient(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		link, _ := o.link(t, o.owner, o.Tools, "createProductImport")
		connected, hangUp := context.WithCancel(t.Context())
		there := o.before(t, 3, func(*shoptest.Accounts) { hangUp() })
		r := httptest.NewRequestWithContext(connected, http.MethodPost, "/"+link, strings.NewReader(manyProducts()))
		there.Service.ServeHTTP(httptest.NewRecorder(), r)
		if connected.Err() == nil {
			t.Fatal("the client has not hung up")
		}
		if found, written := o.noted(t); found != many || written != many {
			t.Errorf("the audit log says %d of %d, want all", written, found)
		}
		if got := o.sent(t, link, manyProducts()); got.Status != 200 || got.Counts["products"].Unchanged != many {
			t.Errorf("sent again: got %+v", got)
		}
	})
}

// TestAnImportGoesOnInAnotherRole makes an editor a manager, who may import as well, while their sheet is being
// written.
func TestAnImportGoesOnInAnotherRole(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		member := o.Staff(t, o.Tools, "editor")
		link, _ := o.link(t, member, o.Tools, "createProductImport")
		there := o.before(t, 3, func(*shoptest.Accounts) {
			found, err := o.Store.Client.StaffMember.Query().Where(staffmember.UserID(uuid.MustParse(member.ID))).
				Only(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			o.owner.Do(t, `mutation($shop: ID!, $id: ID!) {
				changeStaff(businessId: $shop, staffId: $id, role: manager) { staffMember { role } } }`,
				map[string]any{"shop": o.Tools, "id": found.ID}, nil)
		})
		got := there.sent(t, link, manyProducts())
		if got.Status != 200 || got.Counts["products"].Created != many {
			t.Errorf("got %+v, want all written", got)
		}
	})
}

// whole selects the entries that concern no single record.
func whole(s *sql.Selector) { s.Where(sql.IsNull(auditentry.FieldRecordID)) }
