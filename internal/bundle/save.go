package bundle

import (
	"slices"

	"entgo.io/ent/dialect/sql"
)

// writeSize records are written by one statement. SQLite's driver takes time by the square of its arguments.
const writeSize = 100

// saveInChunks writes records some at a time. Once a fault is found nothing is written any more: the transaction
// will be rolled back.
func saveInChunks[R any](im *importer, rows []R, write func(rows []R) error) error {
	if im.faults.any() {
		return nil
	}
	for some := range slices.Chunk(rows, writeSize) {
		if err := write(some); err != nil {
			return err
		}
	}
	return nil
}

// fixed are the columns that never change. Whose id is known is the tenant's own record: ids are read by
// its context.
var fixed = []string{"id", "tenant_id", "created_at"}

// overwrite makes an insert replace the record that has its id, but for some columns.
func overwrite(columns []string, except ...string) []sql.ConflictOption {
	return []sql.ConflictOption{
		sql.ConflictColumns("id"),
		sql.ResolveWith(func(u *sql.UpdateSet) {
			for _, column := range columns {
				if !slices.Contains(fixed, column) && !slices.Contains(except, column) {
					u.SetExcluded(column)
				}
			}
		}),
	}
}
