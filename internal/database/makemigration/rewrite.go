package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"
)

// These lines enclose what rewrite writes. What is before and behind them was written by hand, and stays.
const (
	begins = "-- Written by makemigration from ent/schema.\n"
	ends   = "-- Written by hand.\n"
)

// rewrite replaces the files of a folder by one that makes the ent schema. The new file has a new name, so that a
// database of the old ones is refused (migration.Run).
func rewrite(ctx context.Context, folder, kind, version string) error {
	const base = "_begin.sql"
	old, err := filepath.Glob(filepath.Join(folder, "*.sql")) // sorted
	if err != nil {
		return err
	}
	var last string
	for _, path := range old {
		if strings.HasSuffix(path, base) {
			last = path
		}
	}
	text, err := os.ReadFile(last)
	if err != nil {
		return err
	}
	before, rest, begun := strings.Cut(string(text), begins)
	_, after, ended := strings.Cut(rest, ends)
	if !begun || !ended {
		return fmt.Errorf("%s lacks the line %q or %q", last, begins, ends)
	}
	first := fstest.MapFS{}
	if before != "" {
		first["0.sql"] = &fstest.MapFile{Data: []byte(before)}
	}
	made, err := difference(ctx, kind, first, version, "begin")
	if err != nil {
		return err
	}
	path := filepath.Join(folder, version+base)
	err = os.WriteFile(path, []byte(before+begins+string(made.Bytes())+ends+after), 0o644)
	if err != nil {
		return err
	}
	fmt.Println(path)
	for _, path := range old {
		if err := os.Remove(path); err != nil {
			return err
		}
		if path != last {
			fmt.Printf("%s is gone: what it had by hand belongs to the end of the file above\n", path)
		}
	}
	return nil
}
