package database_test

import (
	"path/filepath"
	"testing"

	"storefront/internal/database"
)

func TestDescribe(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"sqlite://shop.db?synchronous=normal", "sqlite://" + here + "/shop.db"},
		{"postgres://shop:hunter2@db.example/shop?application_name=hunter2", "postgres://db.example:5432/shop"},
		{"postgres://shop:hunter2@one:5433,two/shop", "postgres://one:5433,two:5432/shop"},
		{"postgres://shop:hunter2@[::1]/a%20shop", "postgres://[::1]:5432/a%20shop"},
		{"postgres://db/shop?password=hunter2&user=shop", "postgres://db:5432/shop"},
		{"postgres://hunter2:%zz@db/shop", ""},
	} {
		url, want := c[0], c[1]
		if got := database.Describe(url); got != want {
			t.Errorf("%s: got %q, want %q", url, got, want)
		}
	}
}
