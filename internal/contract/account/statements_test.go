package account_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/ent"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
)

// TestAccountStatements checks that the first requests of a signed-in page cost two statements: one for the
// session, one for the record.
func TestAccountStatements(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		var statements atomic.Int64
		counted := dialect.DebugWithContext(a.Store.Driver(), func(context.Context, ...any) { statements.Add(1) })
		service, err := app.New(&store.Store{DB: a.Store.DB,
			Client: tenancy.Guard(ent.NewClient(ent.Driver(counted)))},
			slog.New(slog.NewTextHandler(io.Discard, nil)), app.Options{Clock: a.Clock.Now, Key: a.Key,
				PasswordCost: shoptest.CheapPasswords})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { service.Close(context.Background()) })
		d := a.REST()
		c := d.Register(t, d.Cell(1))
		d.With(c.Access).Right(t, "createAddress", shoptest.HomeAddress)
		for path, most := range map[string]int64{"/auth/me": 2, "/auth/addresses": 2} {
			request := httptest.NewRequest(http.MethodGet, "/api/v1"+path, nil)
			request.Header.Set("Authorization", "Bearer "+c.Access)
			answer := httptest.NewRecorder()
			statements.Store(0)
			service.ServeHTTP(answer, request)
			if n := statements.Load(); answer.Code != 200 || n == 0 || n > most {
				t.Errorf("%s: %d with %d statements", path, answer.Code, n)
			}
		}
	})
}

// TestSignInStatements counts the statements of registrations and sign-ins, including BEGIN and COMMIT:
// each is a round trip to PostgreSQL.
func TestSignInStatements(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		s, counter := shoptest.OpenCounted(t, a.Database)
		counter.Trips = true
		service, err := app.New(s, slog.New(slog.NewTextHandler(io.Discard, nil)),
			app.Options{Clock: a.Clock.Now, Key: a.Key, PasswordCost: shoptest.CheapPasswords})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { service.Close(context.Background()) })
		send := func(what, path, body string, status, most int) (answer map[string]any) {
			t.Helper()
			request := httptest.NewRequest(http.MethodPost, "/api/v1/auth/"+path, strings.NewReader(body))
			w := httptest.NewRecorder()
			counter.Taken()
			service.ServeHTTP(w, request)
			if sent := counter.Taken(); w.Code != status || len(sent) > most {
				t.Errorf("%s: %d %s with %d statements, at most %d:\n%s", what, w.Code, w.Body, len(sent), most,
					strings.Join(sent, "\n"))
			}
			if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
				t.Fatal(err)
			}
			return answer
		}
		const account = `"cellNumber": "+989121234567", "password": "correct horse"`
		send("register", "register", `{"domain": "tools.example", "firstName": "A", "lastName": "B", `+
			account+`}`, 201, 11)
		pair := send("login", "login", "{"+account+"}", 200, 20)
		send("refresh", "refresh", fmt.Sprintf(`{"refreshToken": %q}`, pair["refreshToken"]), 200, 6)
	})
}
