package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// changes are imagined changes of the project. The files that each touches by hand are a patch in testdata; tests are
// not among them. Commands make the rest, and show that the change works.
var changes = []struct{ name, patch, commands string }{
	{"a field", "field", `
		make -s generate migration NAME=weight
		go build ./...
		go test -short ./internal/content/bundle ./internal/content/plan`},
	{"a list", "list", `
		make -s generate
		go build ./...
		go test -short ./internal/catalog
		go test -short -run 'Lists|Contract' ./internal/checks`},
	{"a mutation", "mutation", `
		make -s generate
		go build ./...
		go test -short ./internal/sale/order
		go test -short -run 'Mutation|Shops|Farsi' ./internal/checks`},
	{"a rule about comments", "comment", `
		go build ./...
		go test -short -run Comment ./internal/contract/catalog
		go test -short -run Farsi ./internal/checks`},
}

// touched finds the files of a patch.
var touched = regexp.MustCompile(`(?m)^diff --git a/(\S+)`)

// printChanges prints how many files by hand each change touches. It tries each in a copy of what git has staged.
func printChanges() error {
	for _, c := range changes {
		name := filepath.Join("internal/checks/weight/testdata", c.patch+".patch")
		patch, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := try(string(patch), c.commands); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		files, documents := touched.FindAllStringSubmatch(string(patch), -1), 0
		for _, file := range files {
			if strings.HasSuffix(file[1], ".md") {
				documents++
			}
		}
		row("files by hand: %s | %d; documents: %d", c.name, len(files)-documents, documents)
	}
	return nil
}

// try applies a patch to a copy of the project, and runs commands there.
func try(patch, commands string) error {
	folder, err := os.MkdirTemp("", "weight")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := exec.Command("git", "checkout-index", "--all", "--prefix="+folder+"/").Run(); err != nil {
		return fmt.Errorf("copy the project: %w", err)
	}
	run := exec.Command("sh", "-ec", "git apply -\n"+commands)
	run.Dir, run.Stdin, run.Stdout, run.Stderr = folder, strings.NewReader(patch), os.Stderr, os.Stderr
	return run.Run()
}
