// recordrelease adds a release to internal/database/versions/releases.json, by the migrations of its commit:
//
//	go run ./internal/database/recordrelease VERSION COMMIT
//
// What it writes is committed behind that commit, which it names. Without arguments it prints the commit of the
// last release, if there is one. It works in the module's root and needs git.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"

	"storefront/internal/database/versions/releases"
)

const folder = "internal/database/versions"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "recordrelease:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	const file = folder + "/releases.json"
	all, err := releases.Read(file)
	switch {
	case err != nil:
		return err
	case len(args) == 0 && len(all) == 0:
		return nil
	case len(args) == 0:
		fmt.Println(all[len(all)-1].Commit)
		return nil
	case len(args) != 2 || !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(args[0]):
		return errors.New("name the version and its commit, as in: recordrelease 0.2.0 HEAD")
	}
	for _, r := range all {
		if r.Version == args[0] {
			return fmt.Errorf("%s is released: %s", r.Version, r.Commit)
		}
	}
	added, err := at(args[0], args[1])
	if err != nil {
		return err
	}
	broken := releases.Broken(all, func(kind, name string) ([]byte, error) {
		return git("show", added.Commit+":"+path.Join(folder, kind, name))
	})
	if len(broken) > 0 {
		return errors.New(strings.Join(broken, "\n"))
	}
	return releases.Write(file, append(all, added))
}

// at returns the release made from a commit.
func at(version, commit string) (r releases.Release, err error) {
	name, err := git("rev-parse", "--verify", commit+"^{commit}")
	if err != nil {
		return r, err
	}
	r = releases.Release{Version: version, Commit: strings.TrimSpace(string(name)),
		Migrations: map[string]map[string]string{}}
	list, err := git("ls-tree", "-r", "--name-only", r.Commit, folder+"/")
	if err != nil {
		return r, err
	}
	for _, file := range strings.Fields(string(list)) {
		if path.Ext(file) != ".sql" {
			continue
		}
		text, err := git("show", r.Commit+":"+file)
		if err != nil {
			return r, err
		}
		kind := path.Base(path.Dir(file))
		if r.Migrations[kind] == nil {
			r.Migrations[kind] = map[string]string{}
		}
		r.Migrations[kind][path.Base(file)] = releases.Sum(text)
	}
	if len(r.Migrations) == 0 {
		return r, fmt.Errorf("%s has no migrations", r.Commit)
	}
	return r, nil
}

func git(args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, said.Bytes())
	}
	return out, nil
}
