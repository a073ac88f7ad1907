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
	"storefront/internal/bundle"
	"storefront/internal/hostname"
	"storefront/internal/sheet"
	"storefront/internal/shop"
	"storefront/internal/store"
)

const csvArguments = "export KIND DOMAIN | import KIND DOMAIN FILE"

// sheets exports data of a shop as CSV, and imports products and offers from CSV.
func sheets(ctx context.Context, args []string, p program) error {
	var check bool
	to := "-"
	settings, words, err := loadWith("csv", args, p, func(f *flag.FlagSet) {
		f.Init("csv "+csvArguments, flag.ContinueOnError)
		f.BoolVar(&check, "check", false, "with import: say what is wrong and what would change, and write nothing")
		f.StringVar(&to, "o", to, "with export: the file to write; - is standard output")
	})
	if err != nil {
		return err
	}
	kind := sheet.Kind("")
	if len(words) > 1 {
		kind = sheet.Kind(words[1])
	}
	exports := len(words) == 3 && words[0] == "export" && kind.Known()
	imports := len(words) == 4 && words[0] == "import" && kind.Imported()
	switch {
	case !exports && !imports:
		return errors.New("say what to do: storefront csv export products|offers|orders|customers DOMAIN [-o FILE], " +
			"or storefront csv import products|offers DOMAIN FILE|- [-check]")
	case exports && check:
		return errors.New("-check is for csv import: an export changes nothing")
	case imports && to != "-":
		return errors.New("-o is for csv export: an import writes no file")
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
		return exportSheet(ctx, s, p, of, kind, to)
	}
	return importSheet(ctx, s, p, of, kind, words[3], check)
}

func exportSheet(ctx context.Context, s *store.Store, p program, shop *ent.Tenant, kind sheet.Kind, to string) error {
	write := func(w io.Writer) error { return sheet.Export(ctx, s, shop, kind, w, nil) }
	if to == "-" {
		return write(p.stdout)
	}
	return writeWhole(to, write)
}

func importSheet(
	ctx context.Context, s *store.Store, p program, shop *ent.Tenant, kind sheet.Kind, from string, check bool,
) error {
	in, name := io.Reader(os.Stdin), "standard input"
	if from != "-" {
		file, err := os.Open(from)
		if err != nil {
			return err
		}
		defer file.Close()
		in, name = file, filepath.Base(from)
	}
	done, err := sheet.Import{Kind: kind, Check: check, File: name}.Into(ctx, s, shop, in)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if check {
		fmt.Fprintf(p.stdout, "%s: nothing is written; it would be: %s\n", name, done)
		return nil
	}
	fmt.Fprintf(p.stdout, "%s: %s %s\n", name, done.Domain, done)
	if done.Changed() {
		return s.Settle(ctx, bundle.Tables()...)
	}
	return nil
}
