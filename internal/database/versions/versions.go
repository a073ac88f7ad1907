// Package versions holds the schema's history: one SQL file for each change, for each kind of database.
//
// internal/database/makemigration writes the files from ent/schema. They are reviewed and corrected before
// they are committed, and never changed after a release; until the first one there is one file of each kind.
package versions

import "embed"

// Files is what migration.Run takes: sqlite3/*.sql and postgres/*.sql.
//
//go:embed sqlite3/*.sql postgres/*.sql
var Files embed.FS
