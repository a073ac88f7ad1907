package migration

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// A file of a migration is one transaction, with a bound on PostgreSQL on the time it waits for a lock, unless it is
// one of these:
//
//	CREATE INDEX CONCURRENTLY …;          is the only statement, as DROP INDEX CONCURRENTLY IF EXISTS is, and runs
//	                                      outside of transactions. An index that was left half made is made again.
//
//	-- batches from KEY                   has two statements, which run again and again, each time in a transaction
//	SELECT …;                             that records where it stands: the first gives as text the last key of the
//	UPDATE …;                             rows that follow the key $1, null or no row when there are none; the
//	                                      second changes those behind $1 up to $2. A batch should take some tens of
//	                                      milliseconds.
//
// And it may say, in a line of its own:
//
//	-- needs FILE.sql                     versions of the program that do not know that file do not work any more
type migrationFile struct {
	begin   string // the key that batches begin at; empty: no batches
	first   string // the statement that finds the end of a batch
	text    string
	outside string // the index that is created or dropped outside of transactions
	made    bool   // created, not dropped
	needs   string
}

var (
	batchesLine = regexp.MustCompile(`^-- batches from (\S+)$`)
	needsLine   = regexp.MustCompile(`^-- needs (\S+)\.sql$`)
	concurrent  = regexp.MustCompile(`(?i)^(CREATE(?: UNIQUE)?|DROP) INDEX CONCURRENTLY ` +
		`(?:IF (?:NOT )?EXISTS )?"?(\w+)"?`)
)

func readMigration(text string) (f migrationFile, err error) {
	f.text = text
	var statements strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(line), "--") {
			statements.WriteString(line)
			continue
		}
		line = strings.TrimSuffix(line, "\n")
		if needs := needsLine.FindStringSubmatch(line); needs != nil {
			f.needs = needs[1]
		}
		if from := batchesLine.FindStringSubmatch(line); from != nil {
			f.begin = from[1]
		}
	}
	bare := strings.TrimSpace(statements.String())
	if index := concurrent.FindStringSubmatch(bare); index != nil {
		if strings.Count(bare, ";") > 1 {
			return f, fmt.Errorf("the index %s is made or dropped concurrently beside other statements", index[2])
		}
		f.made, f.outside = !strings.EqualFold(index[1], "drop"), index[2]
	}
	if f.begin != "" {
		first, second, two := strings.Cut(bare, ";\n")
		if !two {
			return f, fmt.Errorf("batches need two statements")
		}
		f.first, f.text = first, second
	}
	return f, nil
}

func (f migrationFile) run(ctx context.Context, tx dialect.Tx, from string) (next string, err error) {
	if f.begin == "" {
		return "", tx.Exec(ctx, f.text, []any{}, nil)
	}
	if from == "" {
		from = f.begin
	}
	rows := new(entsql.Rows)
	if err := tx.Query(ctx, f.first, []any{from}, rows); err != nil {
		return "", err
	}
	var last sql.NullString
	err = entsql.ScanOne(rows, &last)
	if closed := rows.Close(); err == nil {
		err = closed
	}
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	if err != nil || last.String == "" {
		return "", err
	}
	return last.String, tx.Exec(ctx, f.text, []any{from, last.String}, nil)
}

// indexState is 0 if there is no such index, 1 if it is invalid because its creation was interrupted, and 2
// if it is valid.
const indexState = `SELECT COALESCE((SELECT 1 + indisvalid::int FROM pg_index WHERE indexrelid = to_regclass($1)), 0)`

// runOutside creates or drops an index outside of transactions.
func (f migrationFile) runOutside(ctx context.Context, db dialect.ExecQuerier) error {
	if f.made {
		state, err := count(ctx, db, indexState, f.outside)
		if err != nil || state == 2 {
			return err
		}
		if state == 1 {
			if err := db.Exec(ctx, `DROP INDEX CONCURRENTLY IF EXISTS "`+f.outside+`"`, []any{}, nil); err != nil {
				return err
			}
		}
	}
	return db.Exec(ctx, f.text, []any{}, nil)
}
