package migration

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/database"
)

// Unknown returns the migrations in a database that are not in files: a newer version applied them.
func Unknown(ctx context.Context, db *database.DB, files fs.FS) (names []string, err error) {
	recorded, err := records(ctx, db.Driver(), db.Dialect)
	for name := range recorded {
		_, missing := fs.Stat(files, db.Dialect+"/"+name)
		if strings.HasSuffix(name, fileSuffix) && missing != nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, err
}

// Behind reports whether the database has some of the files and lacks others: it is in use by an older version.
func Behind(ctx context.Context, db *database.DB, files fs.FS) (bool, error) {
	waiting, all, err := waitingOf(ctx, db, files, nil)
	return len(waiting) > 0 && len(waiting) < all, err
}

// Pending reports whether Run with the same files and steps would change anything. It would not in a
// database that a newer version has migrated, since a version removes nothing that the one before it uses.
// It fails if a migration declares this version too old.
func Pending(ctx context.Context, db *database.DB, files fs.FS, steps ...Step) (bool, error) {
	waiting, _, err := waitingOf(ctx, db, files, steps)
	return len(waiting) > 0, err
}

// waitingOf returns the changes that a database lacks, and how many there are in all.
func waitingOf(ctx context.Context, db *database.DB, files fs.FS, steps []Step) (waiting []change, all int, err error) {
	changes, err := migrationsOf(db.Dialect, files, steps)
	if err == nil {
		waiting, err = pendingOf(ctx, db.Driver(), db.Dialect, changes)
	}
	return waiting, len(changes), err
}

const (
	fileSuffix = ".sql"   // distinguishes the records of files from those of steps
	needsMark  = "needs " // begins the record of the oldest file that a version must know
	atMark     = "at "    // begins the record of where a file with batches stands
)

type change struct {
	name string
	step func(ctx context.Context, tx dialect.Tx) error // nil for a file
	file migrationFile
}

func migrationsOf(name string, files fs.FS, steps []Step) ([]change, error) {
	paths, err := fs.Glob(files, name+"/*"+fileSuffix) // sorted
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("there are no files %s/*.sql", name)
	}
	var changes []change
	for _, p := range paths {
		text, err := fs.ReadFile(files, p)
		if err != nil {
			return nil, err
		}
		file, err := readMigration(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path.Base(p), err)
		}
		changes = append(changes, change{name: path.Base(p), file: file})
	}
	for _, s := range steps {
		if strings.HasSuffix(s.Name, fileSuffix) {
			return nil, fmt.Errorf("the step %s has the name of a file", s.Name)
		}
		changes = append(changes, change{name: s.Name, step: s.Run})
	}
	return changes, nil
}

// pendingOf returns the changes that are not recorded. A recorded file that is not among them belongs to a
// newer version, whose steps have newer content than the ones here; a recorded step may also belong to an
// older version.
func pendingOf(ctx context.Context, db dialect.ExecQuerier, kind string, changes []change) ([]change, error) {
	tables, err := count(ctx, db, tablesThere[kind]) // first: a migration commits both together
	if err != nil {
		return nil, err
	}
	recorded, err := records(ctx, db, kind)
	if err == nil && len(recorded) == 0 && tables > 0 {
		err = fmt.Errorf("the database has %d tables and none of this service: it is another program's, or what is in "+
			"it came without schema_migrations; give the service a database of its own", tables)
	}
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, c := range changes {
		known[c.name] = true
	}
	for name := range recorded {
		if least, ok := strings.CutPrefix(name, needsMark); ok && !known[least+fileSuffix] {
			return nil, fmt.Errorf("a newer version has migrated the database for versions that know %s%s, which this "+
				"one does not: start a newer one", least, fileSuffix)
		}
	}
	var files, steps []change
	for _, c := range changes {
		switch {
		case recorded[c.name]:
		case c.step != nil:
			steps = append(steps, c)
		default:
			files = append(files, c)
		}
		delete(recorded, c.name)
	}
	for _, name := range slices.Sorted(maps.Keys(recorded)) {
		switch {
		case !strings.HasSuffix(name, fileSuffix):
		case len(files) > 0:
			return nil, fmt.Errorf("the database was made by another line of versions: it has %s, which is "+
				"unknown here, and lacks %s; `export` each shop by the program that made it, and `import` it "+
				"into a new database (docs/operations.md, Upgrading)", name, files[0].name)
		default:
			return nil, nil
		}
	}
	return append(files, steps...), nil
}

// records returns the names in the table of records; none if there is no such table yet.
func records(ctx context.Context, db dialect.ExecQuerier, kind string) (map[string]bool, error) {
	recorded := map[string]bool{}
	if exists, err := count(ctx, db, recordsExist[kind]); err != nil || exists == 0 {
		return recorded, err
	}
	err := database.EachRow(ctx, db, "SELECT name FROM schema_migrations", []any{}, func(row *entsql.Rows) error {
		var name string
		err := row.Scan(&name)
		recorded[name] = true
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read schema_migrations: %w", err)
	}
	return recorded, nil
}

var (
	tablesThere = map[string]string{ // those of extensions do not count
		dialect.SQLite: "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name <> 'schema_migrations' " +
			"AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
		dialect.Postgres: "SELECT count(*) FROM pg_class c WHERE relkind IN ('r', 'p') AND relname <> " +
			"'schema_migrations' AND relnamespace = to_regnamespace(current_schema()) AND NOT EXISTS (" +
			"SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')",
	}
	recordsExist = map[string]string{
		dialect.SQLite:   "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'",
		dialect.Postgres: "SELECT count(to_regclass('schema_migrations'))",
	}
	recordsMade = map[string]string{
		dialect.SQLite: "CREATE TABLE IF NOT EXISTS schema_migrations " +
			"(name text PRIMARY KEY, applied_at datetime NOT NULL)",
		dialect.Postgres: "CREATE TABLE IF NOT EXISTS schema_migrations " +
			"(name text PRIMARY KEY, applied_at timestamptz NOT NULL)",
	}
)
