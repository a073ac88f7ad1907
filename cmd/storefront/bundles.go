package main

import (
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"storefront/ent"
	"storefront/internal/config"
	"storefront/internal/content/bundle"
	"storefront/internal/content/stored"
	"storefront/internal/database/store"
	"storefront/internal/platform/hostname"
)

// importBundles loads tenant bundles, and stops at the first that is refused.
func importBundles(ctx context.Context, args []string, p program) error {
	var atomic bool
	var metricsFile, images string
	settings, files, err := loadWith("import", args, p, func(f *flag.FlagSet) {
		f.BoolVar(&atomic, "atomic", false,
			"write each bundle in one transaction, behind which customers may have to wait")
		f.StringVar(&images, "media", "", mediaUsage+" that an export has written beside the bundle")
		f.StringVar(&metricsFile, "metrics-file", "",
			"a file to write what was imported to, for the textfile collector of Prometheus' node exporter")
	})
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return errors.New("import needs the bundles to load: storefront import [-atomic] FILE…")
	}
	if len(files) > 1 && images != "" {
		return errors.New("-media is of one bundle")
	}
	var options []bundle.Option
	if atomic {
		options = append(options, bundle.Atomic)
	}
	s, err := openWith(ctx, settings, (*store.Store).Migrate)
	if err != nil {
		return err
	}
	defer s.Close()
	carried, err := carrierOf(ctx, settings, s, p, images, true)
	if err != nil {
		return err
	}
	metrics := newImportMetrics()
	var changed []string
	for _, file := range files {
		began := time.Now()
		noted := append(slices.Clone(options), bundle.Noted(filepath.Base(file)))
		open, remove, err := opened(ctx, file)
		if err != nil {
			return errors.Join(fmt.Errorf("%s: %w", file, err), metrics.failed(metricsFile))
		}
		summary, err := importBeside(ctx, s, carried, open, p, noted)
		remove()
		if err != nil {
			return errors.Join(fmt.Errorf("%s: %w", file, err), metrics.failed(metricsFile))
		}
		metrics.add(summary, time.Since(began))
		if summary.Changed() {
			changed = stored.Tables()
		}
		fmt.Fprintf(p.stdout, "%s: %s %s in %.1f s\n", file, summary.Domain, summary,
			time.Since(began).Seconds())
	}
	key, err := knownKey(settings)
	if err == nil && key != nil {
		err = tellUnreadable(ctx, s, p, key, settings.OtherKey)
	}
	return errors.Join(s.Settle(ctx, changed...), metrics.write(metricsFile), err)
}

// importBeside imports a bundle, with images from a folder if one is given. A new shop is made first, because
// the addresses of its images contain its id.
func importBeside(
	ctx context.Context, s *store.Store, carried *carrier, open bundle.Opener, p program, options []bundle.Option,
) (summary bundle.Summary, err error) {
	named, known, err := carried.beside(ctx, s, open)
	if err != nil {
		return summary, err
	}
	summary, err = bundle.Import(ctx, s, named, progressOn(p.stderr), options...)
	if err != nil || known {
		return summary, err
	}
	if named, _, err = carried.beside(ctx, s, open); err == nil {
		_, err = bundle.Import(ctx, s, named, progressOn(p.stderr), options...)
	}
	return summary, err
}

// progressOn returns a function that shows the progress of an import on a terminal, or nil if w is not one.
func progressOn(w io.Writer) func(bundle.Progress) {
	if !config.IsTerminal(w) {
		return nil
	}
	return func(p bundle.Progress) {
		end := ""
		if p.Done == p.Total {
			end = "\n"
		}
		doing := "check"
		if p.Writing {
			doing = "write"
		}
		fmt.Fprintf(w, "\r%s %-16s %d of %d%s", doing, p.Section, p.Done, p.Total, end)
	}
}

// exportBundle writes a tenant's bundle to standard output or, with -o, to a file. A failure does not change
// the file.
func exportBundle(ctx context.Context, args []string, p program) error {
	var to, images string
	settings, domains, err := loadWith("export", args, p, func(f *flag.FlagSet) {
		f.StringVar(&to, "o", "", "the file to write, gzipped when it ends in .gz; without it standard output")
		f.StringVar(&images, "media", "", mediaUsage+" to write beside the bundle")
	})
	if err != nil {
		return err
	}
	if len(domains) != 1 {
		return errors.New("export needs one tenant: storefront export DOMAIN [-o FILE]")
	}
	domain, ok := hostname.Normalize(domains[0])
	if !ok {
		return fmt.Errorf("%q is no domain; `storefront tenant list` shows those there are", domains[0])
	}
	s, err := openMigrated(ctx, settings)
	if err != nil {
		return err
	}
	defer s.Close()
	carried, err := carrierOf(ctx, settings, s, p, images, false)
	if err != nil {
		return err
	}
	if to == "" {
		err = bundle.Export(ctx, s, domain, p.stdout)
	} else {
		err = exportTo(ctx, s, domain, to)
	}
	if err == nil && carried != nil {
		err = carried.outOf(ctx, s, domain)
	}
	if ent.IsNotFound(err) {
		return fmt.Errorf("there is no tenant %s; `storefront tenant list` shows those there are", domain)
	}
	return err
}

// exportTo writes a bundle to a file.
func exportTo(ctx context.Context, s *store.Store, domain, path string) error {
	return writeWhole(path, func(to io.Writer) error {
		if !strings.HasSuffix(path, ".gz") {
			return bundle.Export(ctx, s, domain, to)
		}
		packed := gzip.NewWriter(to)
		if err := bundle.Export(ctx, s, domain, packed); err != nil {
			return err
		}
		return packed.Close()
	})
}

// writeWhole writes a file that only its owner can read. It writes a new file next to it and then renames
// that, so that a failure does not change the file, and a process that has the old file open does not read
// the new content. Anything else, such as a pipe, is written directly. A link, such as /dev/stdout, is followed.
func writeWhole(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		to, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(to), to.Close())
	}
	if file, err := filepath.EvalSymlinks(path); err == nil {
		path = file
	}
	part, err := os.CreateTemp(filepath.Dir(path), ".export-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // after success it no longer exists
	if err := errors.Join(write(part), part.Sync(), part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}

// opened returns an Opener of a bundle. A source that can be read only once, such as a pipe, is first copied
// to a file that only its owner can read; remove deletes it.
func opened(ctx context.Context, path string) (open bundle.Opener, remove func(), err error) {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() || info.IsDir() { // the import reports the error
		return bundle.File(path), func() {}, nil
	}
	from, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer from.Close()
	defer context.AfterFunc(ctx, func() { from.Close() })() // the pipe may stay silent
	whole, err := os.CreateTemp("", "storefront-import-*")  // mode 0600
	if err != nil {
		return nil, nil, err
	}
	_, err = io.Copy(whole, from)
	if err := errors.Join(err, whole.Close()); err != nil {
		return nil, nil, errors.Join(ctx.Err(), err, os.Remove(whole.Name()))
	}
	return bundle.File(whole.Name()), func() { os.Remove(whole.Name()) }, nil
}
