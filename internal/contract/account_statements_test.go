package contract_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/ent"
	"storefront/internal/app"
	"storefront/internal/store"
	"storefront/internal/tenancy"
)

// TestAccountStatements checks that the first requests of a signed-in page cost two statements: one for the
// session, one for the record.
func TestAccountStatements(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		var statements atomic.Int64
		counted := dialect.DebugWithContext(a.store.Driver(), func(context.Context, ...any) { statements.Add(1) })
		service, err := app.New(&store.Store{DB: a.store.DB,
			Client: tenancy.Guard(ent.NewClient(ent.Driver(counted)))},
			slog.New(slog.NewTextHandler(io.Discard, nil)), app.Options{Clock: a.clock.now, Key: a.key, PasswordCost: cheap})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { service.Close(context.Background()) })
		d := a.rest()
		c := d.register(t, d.cell(1))
		d.with(c.access).right(t, "createAddress", homeAddress)
		for path, most := range map[string]int64{"/auth/me": 2, "/auth/addresses": 2} {
			request := httptest.NewRequest(http.MethodGet, "/api/v1"+path, nil)
			request.Header.Set("Authorization", "Bearer "+c.access)
			answer := httptest.NewRecorder()
			statements.Store(0)
			service.ServeHTTP(answer, request)
			if n := statements.Load(); answer.Code != 200 || n == 0 || n > most {
				t.Errorf("%s: %d with %d statements", path, answer.Code, n)
			}
		}
	})
}
