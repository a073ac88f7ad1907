package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"storefront/ent"
	"storefront/internal/audit"
	"storefront/internal/auth"
	"storefront/internal/bundle"
	"storefront/internal/hostname"
	"storefront/internal/sheet"
	"storefront/internal/shop"
	"storefront/internal/store"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
)

// sheets writes CSV of what a shop has, and brings CSV of products and offers into it.
func sheets(ctx context.Context, args []string, p program) error {
	var check bool
	to := "-"
	settings, words, err := loadWith("csv", args, p, func(f *flag.FlagSet) {
		f.BoolVar(&check, "check", false, "with import: say what is wrong and what would change, and write nothing")
		f.StringVar(&to, "o", to, "with export: the file to write; - is standard output")
	})
	if err != nil {
		return err
	}
	exports := len(words) == 3 && words[0] == "export" && sheetOf[words[1]] != nil
	imports := len(words) == 4 && words[0] == "import" && (words[1] == "products" || words[1] == "offers")
	if !exports && !imports {
		return errors.New("say what to do: storefront csv export products|offers|orders|customers DOMAIN [-o FILE], " +
			"or storefront csv import products|offers DOMAIN FILE|- [-check]")
	}
	host, ok := hostname.Normalize(words[2])
	if !ok {
		return fmt.Errorf("%q is no domain; `storefront tenant list` shows those there are", words[2])
	}
	s, err := openMigrated(ctx, settings)
	if err != nil {
		return err
	}
	defer s.Close()
	of, err := shop.Find(ctx, s.Client, host)
	if ent.IsNotFound(err) {
		return fmt.Errorf("there is no tenant %s; `storefront tenant list` shows those there are", host)
	}
	if err != nil {
		return err
	}
	if exports {
		return exportSheet(ctx, s, p, of, words[1], to)
	}
	return importSheet(ctx, s, p, of, words[3], check)
}

// sheetOf are the sheets that can be written, each with how many records it has of persons.
var sheetOf = map[string]func(context.Context, *store.Store, *ent.Tenant, io.Writer) (persons int, err error){
	"products": func(ctx context.Context, s *store.Store, shop *ent.Tenant, to io.Writer) (int, error) {
		return 0, sheet.ExportProducts(ctx, s, shop, to)
	},
	"offers": func(ctx context.Context, s *store.Store, shop *ent.Tenant, to io.Writer) (int, error) {
		return 0, sheet.ExportOffers(ctx, s, shop, to)
	},
	"orders":    sheet.ExportOrders,
	"customers": sheet.ExportCustomers,
}

func exportSheet(ctx context.Context, s *store.Store, p program, shop *ent.Tenant, kind, to string) error {
	persons := 0
	write := func(w io.Writer) (err error) {
		persons, err = sheetOf[kind](ctx, s, shop, w)
		return err
	}
	var err error
	if to == "-" {
		err = write(p.stdout)
	} else {
		err = writeWhole(to, write)
	}
	if err != nil || persons == 0 {
		return err
	}
	// Who took persons' data out of the shop stands in its audit log.
	ctx = auth.WithStaff(tenancy.In(ctx, shop.ID), auth.Staff{Business: shop.ID})
	return transaction.Run(ctx, s.Client, func(tx *ent.Tx) error {
		return audit.Record(ctx, tx, "exportSheet", audit.Change{Kind: kind, After: map[string]any{"records": persons}})
	})
}

func importSheet(ctx context.Context, s *store.Store, p program, shop *ent.Tenant, from string, check bool) error {
	in, name := io.Reader(os.Stdin), "standard input"
	if from != "-" {
		file, err := os.Open(from)
		if err != nil {
			return err
		}
		defer file.Close()
		in, name = file, filepath.Base(from)
	}
	done, err := sheet.ImportProducts(ctx, s, shop, in, check, bundle.Noted(name))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if check {
		fmt.Fprintf(p.stdout, "%s: nothing is written; it would be: %s\n", name, told(done))
		return nil
	}
	fmt.Fprintf(p.stdout, "%s: %s %s\n", name, done.Domain, told(done))
	if done.Changed() {
		return s.Settle(ctx, bundle.Tables()...)
	}
	return nil
}
