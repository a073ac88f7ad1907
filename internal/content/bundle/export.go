package bundle

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"

	"storefront/internal/content/element"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/shop"
)

// Export writes a bundle with all content of the tenant of a domain: records of every status, and every
// member even if null, each element on a line of its own. Elements are in the order of their ids, and an
// import makes ids in the order of the file, so that ties in lists are broken alike. Comments and items of
// groups whose record is gone are left out.
//
// If there is no such tenant, it fails with an error for which ent.IsNotFound is true. Export writes to w
// while it reads, so after an error the output is incomplete.
func Export(ctx context.Context, db *store.Store, domain string, w io.Writer) error {
	tx, err := db.Client.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return fmt.Errorf("begin the export: %w", err)
	}
	defer tx.Rollback() // it only reads
	t, err := shop.Find(ctx, tx.Client(), domain)
	if err != nil {
		return fmt.Errorf("find the tenant %s: %w", domain, err)
	}
	out := bufio.NewWriterSize(w, 64<<10)
	out.WriteString(`{"format":"` + Format + `"`) // it keeps its first error
	open, end := "", ""                           // the section of the last element, and what ends it
	err = element.Read(tenancy.In(ctx, t.ID), tx.Client(), t, func(section string, one any) error {
		text, err := json.Marshal(one, json.Deterministic(true))
		if err != nil {
			return err
		}
		switch {
		case section == open:
			out.WriteString(",\n")
		case shapeOf(section) == '{':
			out.WriteString(end + ",\n\"" + section + "\":")
			open, end = section, ""
		default:
			out.WriteString(end + ",\n\"" + section + "\":[\n")
			open, end = section, "]"
		}
		_, err = out.Write(text)
		return err
	})
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	out.WriteString(end + "}\n")
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	return nil
}
