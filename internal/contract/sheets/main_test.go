package sheets_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/ent/staffmember"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
	"storefront/internal/testkit/testdb/isolation"
)

// TestMain refuses statements on a shop's tables that do not name the shop.
func TestMain(m *testing.M) { isolation.Main(m, "internal/contract/sheets") }

// kinds holds the kinds of sheets, with the mutations that return links for export and import.
var kinds = map[string]struct{ out, in string }{
	"products": {"createProductExport", "createProductImport"}, "offers": {"createOfferExport", "createOfferImport"},
	"orders": {"createOrderExport", ""}, "payments": {"createPaymentExport", ""},
	"customers": {"createCustomerExport", ""},
}

// testShop is the service, with an owner of the tool shop.
type testShop struct {
	*shoptest.Crew
	owner shoptest.Worker
}

func eachTestShop(t *testing.T, f func(t *testing.T, o testShop)) {
	t.Helper()
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) { f(t, testShop{c, c.Staff(t, c.Tools, record.Owner)}) })
}

// link requests a link, and for an import also the link that only checks.
func (o testShop) link(t testing.TB, by shoptest.Worker, shop, mutation string) (url, checkURL string) {
	t.Helper()
	fields := "url expiresAt"
	if strings.HasSuffix(mutation, "Import") {
		fields += " checkUrl"
	}
	var got map[string]struct{ URL, CheckURL string }
	by.Do(t, `mutation($shop: ID!) { `+mutation+`(businessId: $shop) { `+fields+` } }`, map[string]any{"shop": shop},
		&got)
	return got[mutation].URL, got[mutation].CheckURL
}

func (o testShop) exports(t testing.TB, kind string) string {
	t.Helper()
	url, _ := o.link(t, o.owner, o.Tools, kinds[kind].out)
	return url
}

// at sends a request to a link.
func (o testShop) at(t testing.TB, method, link string, body io.Reader, headers ...string) shoptest.Answer {
	t.Helper()
	return o.Fetch(t, method, "/"+link, body, headers...)
}

// got follows a link to a sheet.
func (o testShop) got(t testing.TB, link string) string {
	t.Helper()
	answer := o.at(t, http.MethodGet, link, nil)
	if answer.Status != http.StatusOK {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	return string(answer.Body)
}

// outcome is the answer to a sheet that was sent.
type outcome struct {
	Status   int
	Code     string
	Message  string
	Details  *found
	Language string
	found
}

type found struct {
	Written bool
	Counts  map[string]struct{ Created, Updated, Unchanged int }
	Faults  []struct {
		Row     int
		Column  *string
		Message string
	}
	Total   int
	Stopped *struct{ Code, Message string }
}

// places returns the rows and columns of the faults.
func (f found) places() (all string) {
	for _, one := range f.Faults {
		column := "-"
		if one.Column != nil {
			column = *one.Column
		}
		all += strings.TrimSpace(string(shownNumber(one.Row))) + " " + column + "; "
	}
	return strings.TrimSuffix(all, "; ")
}

func shownNumber(n int) []byte {
	text, _ := json.Marshal(n)
	return text
}

// sent sends a sheet to a link.
func (o testShop) sent(t testing.TB, link, sheet string, headers ...string) outcome {
	t.Helper()
	headers = append([]string{"Content-Type", "text/csv"}, headers...)
	return read(t, o.at(t, http.MethodPost, link, strings.NewReader(sheet), headers...))
}

func read(t testing.TB, answer shoptest.Answer) outcome {
	t.Helper()
	got := outcome{Status: answer.Status, Language: answer.Header.Get("Content-Language")}
	if err := json.Unmarshal(answer.Body, &got); err != nil {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	return got
}

// refused checks that an answer is the given error, with the headers of an error.
func refused(t testing.TB, what string, answer shoptest.Answer, status int, code string) {
	t.Helper()
	if got := read(t, answer); got.Status != status || got.Code != code || got.Message == "" ||
		answer.Header.Get("Cache-Control") != "no-store" || answer.Header.Get("Content-Disposition") != "" {
		t.Errorf("%s: got %d %v %s, want %d %s", what, answer.Status, answer.Header, answer.Body, status, code)
	}
}

// dismiss removes all roles of a person.
func (o testShop) dismiss(t testing.TB, who shoptest.Worker) {
	t.Helper()
	_, err := o.Store.Client.StaffMember.Delete().Where(staffmember.UserID(uuid.MustParse(who.ID))).Exec(t.Context())
	if err != nil {
		t.Error(err)
	}
}
