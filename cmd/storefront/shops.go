package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"storefront/ent"
	"storefront/internal/content/shopfile"
	"storefront/internal/database/store"
	"storefront/internal/platform/hostname"
)

// shops locks and unlocks shops, and moves them from one installation to another.
func shops(ctx context.Context, args []string, p program) error {
	var withoutCodes, now, ends bool
	var images string
	settings, words, err := loadWith("shop", args, p, func(f *flag.FlagSet) {
		f.BoolVar(&withoutCodes, "without-codes", false, "with import, where no SMS are sent: go on although nobody "+
			"of the file can prove their cell number; `storefront staff password` then lets its staff in")
		f.StringVar(&images, "media", "", mediaUsage+": export writes it, import reads it")
		f.BoolVar(&now, "now", false, "with export: do not wait for requests that began before the shop was locked, "+
			"because no server runs")
		f.BoolVar(&ends, "end-payments", false, "with export: do not wait until payments at gateways are settled, but "+
			"end them; staff then look in the gateways' panels which were paid")
	})
	if err != nil {
		return err
	}
	files := map[string]int{"lock": 1, "unlock": 1, "export": 2, "import": 1}
	if len(words) == 0 || files[words[0]] != len(words)-1 {
		return errors.New("say what to do: storefront shop export DOMAIN FILE|-, shop import FILE|-, " +
			"shop lock DOMAIN, shop unlock DOMAIN")
	}
	does, of := words[0], words[1]
	if does != "import" {
		host, ok := hostname.Normalize(of)
		if !ok {
			return fmt.Errorf("%q is no domain; `storefront tenant list` shows those there are", of)
		}
		of = host
	}
	if sends := settings.SMS.Provider != "none"; does == "import" && sends == withoutCodes {
		if sends {
			return errors.New("-without-codes is for where no SMS are sent: here codes prove the cell numbers of " +
				"the file")
		}
		return errors.New("no SMS are sent here (SMS_PROVIDER), and a shop's file has no passwords: nobody of the " +
			"shop could sign in. Set SMS_PROVIDER; or import with -without-codes, and then give each of the staff a " +
			"password by `storefront staff password DOMAIN CELL`; customers wait until SMS are sent")
	}
	s, err := openMigrated(ctx, settings)
	if err != nil {
		return err
	}
	defer s.Close()
	carried, err := carrierOf(ctx, settings, s, p, images, does == "import")
	if err != nil {
		return err
	}
	switch does {
	case "import":
		return importShop(ctx, s, p, of, shopfile.Options{WithoutCodes: withoutCodes}, carried)
	case "export":
		err = exportShop(ctx, s, p, export{of, words[2], now, ends}, carried)
	case "lock":
		err = tellSet(p.stdout, "locked")(shopfile.Close(ctx, s.Client, of))
	case "unlock":
		err = tellSet(p.stdout, "unlocked")(shopfile.Open(ctx, s.Client, of))
	}
	if ent.IsNotFound(err) {
		return fmt.Errorf("there is no tenant %s; `storefront tenant list` shows those there are", of)
	}
	return err
}

// tellSet returns a function that prints the new state of a shop.
func tellSet(stdout io.Writer, state string) func(*ent.Tenant, bool, error) error {
	return func(shop *ent.Tenant, changed bool, err error) error {
		if err != nil {
			return err
		}
		if !changed {
			state += " already"
		}
		_, err = fmt.Fprintf(stdout, "%s is %s\n", shop.Domain, state)
		return err
	}
}

// export is a shop to be written to a file.
type export struct {
	domain string
	to     string // the file; - is the output
	now    bool   // without waiting until no server writes to it
	ends   bool   // open payments at gateways, instead of waiting for them
}

// exportShop locks a shop, waits until no server writes to it, and writes it to a file. The shop stays
// locked even after an error, because a complete file may already be in use.
func exportShop(ctx context.Context, s *store.Store, p program, e export, carried *carrier) error {
	var shop *ent.Tenant
	var figures *shopfile.Figures
	write := func(w io.Writer) error { // only now, when the file is open: a shop is not locked for nothing
		closed, was, err := shopfile.Close(ctx, s.Client, e.domain)
		if err != nil {
			return err
		}
		if shop = closed; was {
			fmt.Fprintf(p.stderr, "%s is locked; `storefront shop unlock %s` unlocks it\n", e.domain, e.domain)
		}
		if !e.now {
			if err := shopfile.WaitUntilQuiet(ctx, *shop.ClosedAt); err != nil {
				return err
			}
		}
		if err := settlePayments(ctx, s, p, shop, e); err != nil {
			return err
		}
		figures, err = shopfile.Export(ctx, s, shop.ID, w)
		return err
	}
	var err error
	if e.to == "-" {
		err = write(p.stdout)
	} else {
		err = writeWhole(e.to, write)
	}
	if err != nil && shop != nil {
		return fmt.Errorf("%w (%s stays locked)", err, e.domain)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stderr, "%s: %s\n", e.domain, toldFigures(figures))
	if carried == nil {
		return nil
	}
	return carried.outWhole(ctx, shop)
}

// importShop writes the shop of a file and opens it.
func importShop(
	ctx context.Context, s *store.Store, p program, from string, o shopfile.Options, carried *carrier,
) error {
	if from == "-" {
		from = "/dev/stdin"
	}
	began := time.Now()
	open, remove, err := opened(ctx, from)
	if err != nil {
		return err
	}
	defer remove()
	done, err := shopfile.Import(ctx, s, open, o)
	if there, is := errors.AsType[*shopfile.ThereError](err); is && carried != nil { // files may still be missing
		fmt.Fprintf(p.stderr, "%s: %v; its images are brought\n", from, err)
		return carried.in(ctx, there.Shop)
	}
	if done == nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if err != nil {
		fmt.Fprintf(p.stderr, "%s: the shop is here, but: %v\n", from, err)
	}
	_, err = fmt.Fprintf(p.stdout,
		"%s is tenant %v, open, checked, in %.1f s: %s; %d persons new here, %d known here\n",
		done.Domain, done.Shop, time.Since(began).Seconds(), toldFigures(done.Figures), done.New, done.Met)
	for _, cell := range done.Waiting {
		if err == nil {
			_, err = fmt.Fprintf(p.stdout, "storefront staff password %s %s\n", done.Domain, cell)
		}
	}
	if err == nil {
		err = tellLeft(ctx, s, p, done.Shop)
	}
	if err == nil && carried != nil {
		err = carried.in(ctx, done.Shop)
	}
	return err
}

// toldFigures returns a summary of a shop's records.
func toldFigures(f *shopfile.Figures) string {
	rows := int64(0)
	for _, n := range f.Rows {
		rows += n
	}
	units := int64(0)
	for _, n := range f.Stock {
		units += max(n, 0)
	}
	return fmt.Sprintf("%d rows, %d products, %d units in stock, %d orders, %d persons",
		rows, f.Rows["products"], units, f.Rows["orders"], f.Rows["users"])
}
