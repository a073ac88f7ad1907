package main

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/bench/figures"
	"storefront/cmd/internal/stage"
)

// folderOf is where files of a shop are: with those that stay, or with those of this run.
func (p *place) folderOf(s shop) string {
	if p.kept != "" && !s.private {
		return p.o.keep
	}
	return p.folder
}

// name is the name of a shop's database on the server.
func (p *place) name(s shop) string {
	if p.kept != "" && !s.private {
		return "bench_" + p.kept + "_" + s.key
	}
	return "bench_" + p.run + "_" + s.key
}

// database returns the URL of a shop's database.
func (p *place) database(kind string, s shop) string {
	if kind == sqlite {
		return "sqlite://" + filepath.Join(p.folderOf(s), s.key+".db")
	}
	u := *p.admin
	u.Path = "/" + p.name(s)
	return u.String()
}

// create makes the empty database of a shop, in the place of one that was not loaded to its end.
func (p *place) create(ctx context.Context, kind string, s shop, template string) error {
	if kind == sqlite {
		path := filepath.Join(p.folderOf(s), s.key+".db")
		for _, file := range []string{path, path + "-wal", path + "-shm"} {
			if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
				return err
			}
		}
		return nil
	}
	return p.onServer(func(db *sql.DB) error {
		if p.kept == "" || s.private {
			p.made = append(p.made, p.name(s))
		}
		if _, err := db.ExecContext(ctx, "DROP DATABASE IF EXISTS "+p.name(s)+" WITH (FORCE)"); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, "CREATE DATABASE "+p.name(s)+" TEMPLATE "+template)
		return err
	})
}

// load imports a shop by the service's own command and records what that cost, unless it is there from an earlier run.
func (p *place) load(ctx context.Context, kind string, s shop) error {
	whole := filepath.Join(p.folderOf(s), kind+"-"+s.key+".loaded")
	if _, err := os.Stat(whole); err == nil {
		if p.loaded[whole] {
			return nil
		}
		p.loaded[whole] = true
		_, err := stage.Run(ctx, []string{"DATABASE_URL=" + p.database(kind, s)}, p.binary, "migrate")
		return err
	}
	p.loaded[whole] = true
	file, err := p.bundle(s)
	if err != nil {
		return err
	}
	if err := p.create(ctx, kind, s, "template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'"); err != nil {
		return err
	}
	environment := []string{"DATABASE_URL=" + p.database(kind, s)}
	if _, err := stage.Run(ctx, environment, p.binary, "migrate"); err != nil {
		return err
	}
	spent, err := stage.Run(ctx, environment, p.binary, "import", file)
	if err != nil {
		return err
	}
	p.out.add(figures.Figure{Group: figures.Imports, Database: kind, Shop: s.name, Operation: "import into an empty database",
		Seconds: spent.Time.Seconds(), CPU: float64(spent.CPU.Microseconds()), Memory: mib(spent.Peak)})
	if kind == postgres {
		if err := p.tidy(ctx, s); err != nil {
			return err
		}
	}
	return os.WriteFile(whole, nil, 0o600)
}

// tidy does to a database of PostgreSQL what autovacuum does within a minute or so, and leaves tables without
// rows alone as that does: once such a table is analyzed, connections look through it for each foreign key
// that names it, and go on when it has grown.
func (p *place) tidy(ctx context.Context, s shop) error {
	db, err := sql.Open("postgres", p.database(postgres, s))
	if err != nil {
		return err
	}
	defer db.Close()
	var tables string
	err = db.QueryRowContext(ctx, `SELECT string_agg(oid::regclass::text, ', ') FROM pg_class
		WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0`).Scan(&tables)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "VACUUM (ANALYZE) "+tables)
	return err
}

// bundle returns the file of a shop's bundle, and writes it where it is generated.
func (p *place) bundle(s shop) (string, error) {
	if s.file != "" {
		return filepath.Join(p.root, s.file), nil
	}
	path := filepath.Join(p.folder, s.key+".json")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	return path, errors.Join(catalog.Write(file, s.products), file.Close())
}

// copy makes a shop of this run alone from one that is loaded, for what writes.
func (p *place) copy(ctx context.Context, kind string, of shop, key string) (shop, error) {
	s := of
	s.key, s.private = key, true
	if kind == postgres {
		return s, p.create(ctx, kind, s, p.name(of))
	}
	if err := p.create(ctx, kind, s, ""); err != nil {
		return s, err
	}
	db, err := sql.Open("sqlite", strings.TrimPrefix(p.database(kind, of), "sqlite://"))
	if err != nil {
		return s, err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "VACUUM INTO $1", strings.TrimPrefix(p.database(kind, s), "sqlite://"))
	return s, err
}
