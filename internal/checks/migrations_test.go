package checks_test

import (
	"maps"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"storefront/internal/database/versions/releases"
)

// contractions are migrations since then that remove something, with the release that no longer used it. The
// released version must not use a name that is removed.
var contractions = map[string]string{}

// contracts matches statements after which the released version might fail: they remove a name, or refuse rows
// that it writes.
var contracts = regexp.MustCompile(`(?i)\b(?:DROP\s+(?:TABLE|COLUMN|TYPE|VIEW)|RENAME\b|SET\s+NOT\s+NULL|` +
	`ALTER\s+COLUMN\s+\S+\s+(?:SET\s+DATA\s+)?TYPE|DROP\s+DEFAULT|TRUNCATE)\b`)

var (
	addedColumn = regexp.MustCompile(`(?is)\bADD\s+COLUMN\s+"?(\w+)"?([^,;]*)`)
	newUnique   = regexp.MustCompile(`(?i)\bCREATE\s+UNIQUE\s+INDEX\s+(?:\S+\s+)?ON\s+"?(\w+)"?\s*\(([^)]*)\)`)
	newTable    = regexp.MustCompile(`(?i)\bCREATE\s+TABLE\s+"?(\w+)"?`)
	altered     = regexp.MustCompile(`(?i)^\s*ALTER\s+TABLE\s+"?(\w+)"?\s`)
	dropTable   = regexp.MustCompile(`(?i)^\s*DROP\s+TABLE\s+"?(\w+)"?\s*$`)
	dropColumn  = regexp.MustCompile(`(?i)\bDROP\s+COLUMN\s+"?(\w+)"?`)
	constraint  = regexp.MustCompile(`(?i)\bADD\s+CONSTRAINT\s+"?(\w+)"?(?:\s+FOREIGN\s+KEY\s+\("?(\w+)"?\))?`)
	sqlComments = regexp.MustCompile(`(?m)--.*$`)
)

// names are tables, and columns as table.column.
type names map[string]bool

// add adds what a migration makes.
func (n names) add(text string) {
	text = sqlComments.ReplaceAllString(text, "")
	for _, table := range newTable.FindAllStringSubmatch(text, -1) {
		n[table[1]] = true
	}
	for statement := range strings.SplitSeq(text, ";") {
		if table := altered.FindStringSubmatch(statement); table != nil {
			for _, column := range addedColumn.FindAllStringSubmatch(statement, -1) {
				n[table[1]+"."+column[1]] = true
			}
		}
	}
}

// withoutDropsOf returns a statement without the parts that remove one of these names.
func withoutDropsOf(n names, statement string) string {
	if table := dropTable.FindStringSubmatch(statement); table != nil && n[table[1]] {
		return ""
	}
	table := altered.FindStringSubmatch(statement)
	if table == nil {
		return statement
	}
	return dropColumn.ReplaceAllStringFunc(statement, func(drop string) string {
		if n[table[1]+"."+dropColumn.FindStringSubmatch(drop)[1]] {
			return ""
		}
		return drop
	})
}

// contractionsOf returns the parts of a PostgreSQL migration with which the released version might fail. since has
// what the migrations between the release and this one have made, which the released version does not use.
func contractionsOf(text string, since names) (found []string) {
	text = sqlComments.ReplaceAllString(text, "")
	made := maps.Clone(since)
	for _, table := range newTable.FindAllStringSubmatch(text, -1) {
		made[table[1]] = true
	}
	// new columns that the released version leaves null, so that a unique index does not refuse its rows
	unfilled := map[string]bool{}
	for _, column := range addedColumn.FindAllStringSubmatch(text, -1) {
		upper := strings.ToUpper(column[2])
		unfilled[column[1]] = !strings.Contains(upper, "NOT NULL") && !strings.Contains(upper, "DEFAULT")
	}
	for statement := range strings.SplitSeq(text, ";") {
		if table := altered.FindStringSubmatch(statement); table != nil && made[table[1]] {
			continue
		}
		statement = withoutDropsOf(since, statement)
		if bad := contracts.FindString(statement); bad != "" {
			found = append(found, bad)
		}
		for _, added := range constraint.FindAllStringSubmatch(statement, -1) {
			instead := regexp.MustCompile(`(?i)DROP\s+CONSTRAINT\s+"?` + added[1] + `\b`).MatchString(statement)
			ofNew := added[2] != "" && regexp.MustCompile(`(?i)ADD\s+COLUMN\s+"?`+added[2]+`\b`).MatchString(statement)
			// a constraint replaces the column's former one, or belongs to a new column
			if !(instead && added[2] != "") && !ofNew {
				found = append(found, "the constraint "+added[1])
			}
		}
		for _, column := range addedColumn.FindAllStringSubmatch(statement, -1) {
			upper := strings.ToUpper(column[2])
			if strings.Contains(upper, "NOT NULL") && !strings.Contains(upper, "DEFAULT") &&
				!strings.Contains(upper, "GENERATED") {
				found = append(found, "the column "+column[1]+", which the released version does not fill")
			}
		}
		index := newUnique.FindStringSubmatch(statement)
		if index != nil && !made[index[1]] && !anyOf(unfilled, index[2]) {
			found = append(found, "a unique index on "+index[1]+", which may refuse what the released version writes")
		}
	}
	return found
}

// anyOf reports whether a set contains any of the columns, which are separated by commas.
func anyOf(set map[string]bool, columns string) bool {
	for column := range strings.SplitSeq(columns, ",") {
		if set[strings.Trim(column, ` "`)] {
			return true
		}
	}
	return false
}

// TestMigrationsExpand checks that migrations since the last release remove nothing that it has, so that its servers
// work on beside those of this version, and can be started again. Names that are no longer used are removed a release
// later; those that were made since may go at once. The migrations of SQLite come from the same schema, but rewrite
// whole tables, so that their statements do not show what changes. Before the first release there is one migration
// for each kind of database.
func TestMigrationsExpand(t *testing.T) {
	all, err := releases.Read(filepath.Join(root, "internal/database/versions/releases.json"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "internal/database/versions/postgres/*.sql"))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		ofSQLite, err := filepath.Glob(filepath.Join(root, "internal/database/versions/sqlite3/*.sql"))
		if err != nil || len(files) != 1 || len(ofSQLite) != 1 {
			t.Errorf("there is no release yet, but %q and %q; make migration writes one of each (%v)", files, ofSQLite,
				err)
		}
		return
	}
	since, released := names{}, all[len(all)-1].Last("postgres")
	for _, path := range files {
		name := filepath.Base(path)
		if name <= released {
			continue
		}
		text := read(t, "internal/database/versions/postgres/"+name)
		found := contractionsOf(text, since)
		since.add(text)
		_, agreed := contractions[name]
		if agreed && !strings.Contains("\n"+text, "\n-- needs ") {
			t.Errorf("%s does not say which migration a version must know to work with it", name)
		}
		if len(found) > 0 && !agreed {
			t.Errorf("%s: %s; servers of the last release would fail: take it away a release later", name,
				strings.Join(found, ", "))
		}
	}
}

func TestContractionsOf(t *testing.T) {
	since := names{}
	since.add(`CREATE TABLE "new" ("id" uuid NOT NULL);
		ALTER TABLE "a" ADD COLUMN "late" bigint NULL, ADD COLUMN "later" int;`)
	for text, n := range map[string]int{
		`ALTER TABLE "a" ADD COLUMN "b" bigint NULL, ADD COLUMN "c" bigint NOT NULL DEFAULT 0;
			CREATE INDEX "x" ON "a" ("b");`: 0,
		`CREATE TABLE "n" ("id" uuid NOT NULL); CREATE UNIQUE INDEX "u" ON "n" ("id");`:                              0,
		`CREATE TABLE "n" ("id" uuid); ALTER TABLE "n" ADD CONSTRAINT "f" FOREIGN KEY ("id") REFERENCES "a" ("id");`: 0,
		`-- DROP TABLE a` + "\nSELECT 1;":                                 0,
		`DROP INDEX "x"; ALTER TABLE "a" ALTER COLUMN "b" DROP NOT NULL;`: 0,
		`DROP TABLE "a";`: 1,
		`DROP TABLE "new"; CREATE TABLE "new" ("id" bigint)`:       0,
		`DROP TABLE "new", "a";`:                                   1,
		`ALTER TABLE "new" ALTER COLUMN "id" SET NOT NULL;`:        0,
		`ALTER TABLE "a" DROP COLUMN "late", DROP COLUMN "later";`: 0,
		`ALTER TABLE "a" DROP COLUMN "late", DROP COLUMN "early";`: 1,
		`ALTER TABLE "b" DROP COLUMN "late";`:                      1,
		`DROP TABLE "b"; CREATE TABLE "b" ("id" uuid NOT NULL);`:   1,
		`ALTER TABLE "a" DROP COLUMN "b",
			ADD COLUMN "c" bigint NOT NULL;`: 2,
		`alter table a rename column b to c;`:            1,
		`ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL;`: 1,
		`ALTER TABLE "a" ALTER COLUMN "b" TYPE integer;`: 1,
		`ALTER TABLE "a" DROP CONSTRAINT "f",
			ADD CONSTRAINT "f" FOREIGN KEY ("u") REFERENCES "users" ("id") ON DELETE SET NULL;`: 0,
		`ALTER TABLE "a" ADD COLUMN "u" uuid NULL, ADD CONSTRAINT "f" FOREIGN KEY ("u") REFERENCES "users" ("id");`: 0,
		`ALTER TABLE "a" ADD CONSTRAINT "f" FOREIGN KEY ("u") REFERENCES "users" ("id");`:                           1,
		`ALTER TABLE "a" ADD COLUMN "k" bytea NULL; CREATE UNIQUE INDEX "u" ON "a" ("b", "k");`:                     0,
		`ALTER TABLE "a" ADD COLUMN "k" int NOT NULL DEFAULT 0; CREATE UNIQUE INDEX "u" ON "a" ("k");`:              1,
		`CREATE UNIQUE INDEX "u" ON "a" ("b");`:                                                                     1,
		`ALTER TABLE "a" ADD CONSTRAINT "positive" CHECK (b > 0);`:                                                  1,
	} {
		if found := contractionsOf(text, since); len(found) != n {
			t.Errorf("contractionsOf(%s): got %v, want %d", text, found, n)
		}
	}
}
