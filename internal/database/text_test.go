package database_test

import (
	"slices"
	"testing"

	"entgo.io/ent/dialect/sql"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/testkit/testdb"
)

// TestStatement checks that a parameter may occur in several places, and that an error names one without a
// value.
func TestStatement(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db, err := database.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		on := ent.NewClient(ent.Driver(db.Driver())).Raw()
		if on.Dialect() != db.Dialect {
			t.Errorf("the dialect is %q", on.Dialect())
		}
		made := database.Statement("CREATE TABLE things (id integer, twin integer, name text)")
		if _, err := made.Exec(t.Context(), on, nil); err != nil {
			t.Fatal(err)
		}
		write := database.Statement("INSERT INTO things (id, twin, name) VALUES ($id, $id, $name), " +
			"($other_id, $id, $name)")
		values := database.Values{"id": 7, "other_id": 8, "name": "a $1 b"}
		if n, err := write.Exec(t.Context(), on, values); err != nil || n != 2 {
			t.Errorf("%d rows, %v", n, err)
		}
		read := database.Statement("SELECT id, twin FROM things WHERE twin = $id AND name = $name ORDER BY id")
		var ids []int
		err = read.Each(t.Context(), on, values, func(row *sql.Rows) error {
			var id, twin int
			err := row.Scan(&id, &twin)
			ids = append(ids, id, twin)
			return err
		})
		if err != nil || !slices.Equal(ids, []int{7, 7, 8, 7}) {
			t.Errorf("got %v, %v", ids, err)
		}
		var id, twin int
		if found, err := read.Row(t.Context(), on, values, &id, &twin); err != nil || !found || id != 7 {
			t.Errorf("%v, %d, %v", found, id, err)
		}
		values["id"] = 9
		if found, err := read.Row(t.Context(), on, values, &id, &twin); err != nil || found {
			t.Errorf("got %v, %v", found, err)
		}
		delete(values, "name")
		if _, err := read.Row(t.Context(), on, values, &id, &twin); err == nil {
			t.Error("a parameter without a value is taken")
		}
	})
}
