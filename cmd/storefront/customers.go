package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/google/uuid"

	"storefront/internal/auth"
	"storefront/internal/fault"
	"storefront/internal/personal"
	"storefront/internal/phone"
)

// customerData exports or erases the data of a customer in a shop. Without a domain it does so for the whole
// account, in every shop.
func customerData(ctx context.Context, args []string, p program) error {
	var file string
	settings, words, err := loadWith("customer", args, p, func(f *flag.FlagSet) {
		f.StringVar(&file, "o", "", "with export: the file to write, for its owner alone; empty: standard output")
	})
	if err != nil {
		return err
	}
	exports := len(words) > 0 && words[0] == "export"
	if len(words) < 2 || len(words) > 3 || !exports && words[0] != "erase" {
		return errors.New("say what to do: storefront customer export DOMAIN CELL [-o FILE], or " +
			"customer erase DOMAIN CELL; without DOMAIN it is the whole account, in every shop")
	}
	if !exports && file != "" {
		return errors.New("-o belongs to customer export")
	}
	typed := words[len(words)-1]
	cell, ok := phone.Normalize(typed)
	if !ok {
		return fmt.Errorf("%q is no cell number; write it as +989121234567", typed)
	}
	s, err := openMigrated(ctx, settings)
	if err != nil {
		return err
	}
	defer s.Close()
	shop := uuid.Nil
	if len(words) == 3 {
		if shop, err = shopOf(ctx, s, words[1]); err != nil {
			return err
		}
	}
	who, err := personal.ByCell(ctx, s.Client, cell)
	if err != nil {
		return inWords(err)
	}
	if exports {
		give := func() (*personal.Export, error) { return personal.HandOut(ctx, s.Client, who.ID) }
		if shop != uuid.Nil {
			here := auth.WithStaff(ctx, auth.Staff{Business: shop})
			give = func() (*personal.Export, error) { return personal.ExportAt(here, s.Client, shop, who.ID) }
		}
		found, err := give()
		if err != nil {
			return inWords(err)
		}
		return writeExport(p.stdout, file, found)
	}
	var erased personal.Figures
	if shop == uuid.Nil {
		erased, err = personal.Account(ctx, s.Client, "closeAccount", who.ID)
	} else {
		erased, err = personal.At(auth.WithStaff(ctx, auth.Staff{Business: shop}), s.Client, shop, who.ID)
	}
	if err != nil {
		return inWords(err)
	}
	fmt.Fprintf(p.stdout,
		"%s is erased: %d orders without the person; %d opinions without a name; %d listings, %d messages, "+
			"%d favorites and %d images deleted\n", cell, erased.Orders, erased.Opinions, erased.Listings,
		erased.Messages, erased.Favorites, erased.Uploads)
	return nil
}

// inWords returns an error with the message of a refusal for people.
func inWords(err error) error {
	if refused, ok := errors.AsType[*fault.Error](err); ok && refused.Code != fault.Internal {
		return errors.New(refused.Message)
	}
	return err
}

// writeExport writes an export of personal data as indented JSON.
func writeExport(stdout io.Writer, file string, found *personal.Export) error {
	text, err := json.MarshalIndent(found, "", "  ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if file != "" {
		return writeWhole(file, func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
	}
	_, err = stdout.Write(text)
	return err
}
