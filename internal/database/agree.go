package database

import (
	"context"
	"fmt"

	entsql "entgo.io/ent/dialect/sql"
)

// Agree returns the value of a column of the installation, which is the same for all servers. If the column is empty or
// has the value instead, Agree first sets it to mine; of several servers that do so at once, the first wins.
func Agree(ctx context.Context, on Executor, column, mine, instead string) (agreed string, err error) {
	read := func() error {
		text := "SELECT " + column + " FROM installations WHERE id = 1"
		err := EachRow(ctx, on, text, []any{}, func(row *entsql.Rows) error { return row.Scan(&agreed) })
		if err != nil {
			return fmt.Errorf("read %s: %w", column, err)
		}
		return nil
	}
	if err := read(); err != nil || agreed != "" && agreed != instead {
		return agreed, err
	}
	text := "INSERT INTO installations (id, " + column + ") VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET " + column +
		" = excluded." + column + " WHERE installations." + column + " IN ('', $2)"
	if err := on.Exec(ctx, text, []any{mine, instead}, nil); err != nil {
		return "", fmt.Errorf("write %s: %w", column, err)
	}
	return agreed, read()
}
