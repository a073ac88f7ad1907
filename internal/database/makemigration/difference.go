package main

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"ariga.io/atlas/sql/migrate"
	"entgo.io/ent/dialect/sql/schema"

	ent "storefront/ent/migrate"
)

// difference applies files to an empty database and returns the file that leads from there to the ent
// schema, or nil if there is no difference.
func difference(ctx context.Context, dialectName string, files fs.FS, version,
	name string) (migrate.File, error) {
	written, err := replayable(files)
	if err != nil {
		return nil, err
	}
	before, err := written.Files()
	if err != nil {
		return nil, err
	}
	db, discard, err := scratch(ctx, dialectName)
	if err != nil {
		return nil, err
	}
	defer discard()
	options := append(rules(dialectName),
		schema.WithDir(written),
		schema.WithMigrationMode(schema.ModeReplay),
		schema.WithDialect(dialectName),
		schema.WithFormatter(versioned(version)),
	)
	if err := ent.NewSchema(db).NamedDiff(ctx, name, options...); err != nil {
		return nil, err
	}
	after, err := written.Files()
	if err != nil || len(after) == len(before) {
		return nil, err
	}
	return after[len(after)-1], nil
}

// replayable copies the files and adds the checksums that the engine asks for. They are not in the
// repository, where they would have to be renewed at each correction.
func replayable(files fs.FS) (*migrate.MemDir, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return nil, err
	}
	dir := new(migrate.MemDir)
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		if strings.Contains("\n"+string(text), "\n-- batches from ") {
			continue // it only changes rows
		}
		if err := dir.WriteFile(name, text); err != nil {
			return nil, err
		}
	}
	sums, err := dir.Checksum()
	if err != nil {
		return nil, err
	}
	if err := migrate.WriteSumFile(dir, sums); err != nil {
		return nil, fmt.Errorf("sum the files: %w", err)
	}
	return dir, nil
}

// versioned is the time that names the files of both dialects.
type versioned string

func (v versioned) Format(plan *migrate.Plan) ([]migrate.File, error) {
	plan.Version = string(v)
	return migrate.DefaultFormatter.Format(plan)
}
