package main

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"entgo.io/ent/dialect"

	"storefront/internal/database/versions"
	"storefront/internal/database/versions/releases"
)

// TestNoMigrationHoldsCustomersUp checks the migrations since the first release.
func TestNoMigrationHoldsCustomersUp(t *testing.T) {
	all, err := releases.Read("../versions/releases.json")
	if err != nil {
		t.Fatal(err)
	}
	names, err := fs.Glob(versions.Files, dialect.Postgres+"/*.sql")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if len(all) == 0 || path.Base(name) <= all[0].Last(dialect.Postgres) {
			continue
		}
		text, err := fs.ReadFile(versions.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range holdups(string(text)) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

func TestHoldups(t *testing.T) {
	for text, n := range map[string]int{
		`CREATE TABLE "a" ("id" uuid); CREATE INDEX "i" ON "a" ("id"); ALTER TABLE "a" ADD CHECK (true);`:     0,
		"-- Of names.\nCREATE INDEX CONCURRENTLY \"i\" ON \"a\" USING gin (\"name\");\n":                      0,
		`DROP INDEX CONCURRENTLY IF EXISTS "i";`:                                                              0,
		`ALTER TABLE "a" ADD COLUMN "n" bigint NOT NULL DEFAULT 0, ADD COLUMN "m" text NULL;`:                 0,
		`ALTER TABLE "a" ADD CONSTRAINT "f" FOREIGN KEY ("b") REFERENCES "b" ("id") NOT VALID;`:               0,
		`ALTER TABLE "a" VALIDATE CONSTRAINT "f";`:                                                            0,
		`ALTER TABLE "a" SET (fillfactor = 80);`:                                                              0,
		`CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN UPDATE a SET n = 1; END $$;`: 0,
		`CREATE TABLE "a" ("id" uuid); CREATE FUNCTION f() RETURNS int AS $$ SELECT 1; $$;`:                   0,
		`DROP FUNCTION f(int); CREATE FUNCTION f() RETURNS int AS $$ SELECT 1; $$;`:                           0,
		`CREATE TRIGGER t AFTER INSERT ON a EXECUTE FUNCTION f();`:                                            0,
		`DROP TRIGGER t ON a;`: 0,
		"-- Names.\n-- batches from 0\nSELECT 1;\nUPDATE a SET n = 1;": 0,
		`CREATE INDEX "i" ON "a" ("name");`:                            1,
		`DROP INDEX "i";`:                                              1,
		`UPDATE "a" SET "n" = 1;`:                                      1,
		`DELETE FROM "a";`:                                             1,
		`ALTER TABLE "a" ADD COLUMN "n" boolean NULL GENERATED ALWAYS AS (m > 0) STORED;`:                      1,
		`ALTER TABLE "a" ADD COLUMN "n" timestamptz NOT NULL DEFAULT now();`:                                   1,
		`ALTER TABLE "a" ADD COLUMN "b" uuid NULL REFERENCES "b" ("id");`:                                      1,
		`ALTER TABLE "a" ALTER COLUMN "n" TYPE text;`:                                                          1,
		`ALTER TABLE "a" ALTER COLUMN "n" SET NOT NULL;`:                                                       1,
		`ALTER TABLE "a" ADD CONSTRAINT "u" UNIQUE ("n");`:                                                     1,
		`ALTER TABLE "a" ADD CONSTRAINT "c" CHECK (n > 0);`:                                                    1,
		`ALTER TABLE "a" ADD CONSTRAINT "c" CHECK (n > 0) NOT VALID; ALTER TABLE "a" VALIDATE CONSTRAINT "c";`: 1,
		`ALTER TABLE "a" ADD COLUMN "n" bigint NULL; ALTER TABLE "b" ADD COLUMN "n" bigint NULL;`:              1,
		`CREATE TABLE "a" ("id" uuid); ALTER TABLE "b" ADD COLUMN "n" bigint NULL;`:                            1,
		`CREATE TRIGGER t AFTER INSERT ON a EXECUTE FUNCTION f(); DROP TABLE b;`:                               1,
		`DROP TRIGGER t ON a; DROP TRIGGER t ON b;`:                                                            1,
		`LOCK TABLE "a";`: 1,
	} {
		if faults := holdups(text); len(faults) != n {
			t.Errorf("%s: got %q, want %d", text, faults, n)
		}
	}
}

// TestSplit checks that the split files of the whole ent schema lead to the same tables.
func TestSplit(t *testing.T) {
	files := split("-- Create \"b\" table\nCREATE TABLE \"b\" (\"id\" uuid NOT NULL);\n-- Create index \"i\"\n" +
		"CREATE INDEX \"i\" ON \"b\" (\"id\");\n-- Create index \"j\"\nCREATE INDEX \"j\" ON \"a\" (\"id\");\n" +
		"-- Drop index \"k\"\nDROP INDEX \"k\";\n" +
		"-- Modify \"a\" table\nALTER TABLE \"a\" ADD COLUMN \"n\" bigint NULL;\n")
	want := []string{
		"-- Create \"b\" table\nCREATE TABLE \"b\" (\"id\" uuid NOT NULL);\n-- Create index \"i\"\n" +
			"CREATE INDEX \"i\" ON \"b\" (\"id\");\n",
		"-- Create index \"j\"\nCREATE INDEX CONCURRENTLY \"j\" ON \"a\" (\"id\");\n",
		"-- Drop index \"k\"\nDROP INDEX CONCURRENTLY IF EXISTS \"k\";\n",
		"-- Modify \"a\" table\nALTER TABLE \"a\" ADD COLUMN \"n\" bigint NULL;\n",
	}
	if !slices.Equal(files, want) {
		t.Errorf("got %q", files)
	}
	for _, file := range files {
		if faults := holdups(file); len(faults) > 0 {
			t.Error(faults)
		}
	}
	names, err := named("20261231235959", "more", 2)
	if err != nil || !slices.Equal(names, []string{"20261231235959_more.sql", "20270101000000_more.sql"}) {
		t.Error(names, err)
	}
}

// TestFilesAreReplayed checks that a difference is found after files with concurrent indexes and with
// batches.
func TestFilesAreReplayed(t *testing.T) {
	files := fstest.MapFS{}
	names, err := fs.Glob(versions.Files, dialect.Postgres+"/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(versions.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		files[path.Base(name)] = &fstest.MapFile{Data: text}
	}
	files["20990101000000_more.sql"] = &fstest.MapFile{Data: []byte(
		"CREATE INDEX CONCURRENTLY \"extra\" ON \"carts\" (\"checkouts\");\n")}
	files["20990101000001_more.sql"] = &fstest.MapFile{Data: []byte(
		"-- batches from 0\nSELECT max($1);\nSELECT $1, $2;\n")}
	file, err := difference(t.Context(), dialect.Postgres, files, "20990101000002", "less")
	if err != nil || file == nil || !strings.Contains(string(file.Bytes()), `DROP INDEX "extra"`) {
		t.Errorf("got %v, %v, want that the index is dropped", file, err)
	}
}
