// Command weight prints measures of the project: lines of code, how many files by hand some imagined changes touch,
// the size of the binary, and the cost of building and generating. Times are for an idle machine; compare them only
// within one run.
//
//	go run ./internal/checks/weight [-lines]
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

func main() {
	log.SetFlags(0)
	lines := flag.Bool("lines", false, "count lines only, and build nothing")
	flag.Parse()
	if err := printLines(); err != nil {
		log.Fatal(err)
	}
	if *lines {
		return
	}
	if err := printChanges(); err != nil {
		log.Fatal(err)
	}
	if err := printBuilds(); err != nil {
		log.Fatal(err)
	}
}

func row(format string, args ...any) { fmt.Printf("| "+format+" |\n", args...) }

// generated is the line that generated code has, as the go command knows it.
var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// printLines prints the lines of Go by what they are for.
func printLines() error {
	const folders = "{{if not .Standard}}{{.Dir}}{{end}}"
	list, err := exec.Command("go", "list", "-deps", "-f", folders, "./cmd/storefront").Output()
	if err != nil {
		return fmt.Errorf("list the packages of the service: %w", err)
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	inBinary := map[string]bool{}
	for dir := range strings.Lines(string(list)) {
		if folder, err := filepath.Rel(root, strings.TrimSpace(dir)); err == nil {
			inBinary[folder] = true
		}
	}
	// Files that git ignores, as tools write them into the tree, do not belong to the project.
	files, err := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "*.go").Output()
	if err != nil {
		return fmt.Errorf("list the files of the project: %w", err)
	}
	count := map[string]int{}
	for path := range strings.SplitSeq(strings.TrimSuffix(string(files), "\x00"), "\x00") {
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was removed, but not from git's index
		}
		if err != nil {
			return err
		}
		count[kindOf(path, text, inBinary[filepath.Dir(path)])] += bytes.Count(text, []byte("\n"))
	}
	for _, kind := range []string{byHand, trials, generatedLines, tests, tools} {
		row("lines of Go: %s | %d", kind, count[kind])
	}
	return nil
}

const (
	byHand         = "by hand, in the binary"
	trials         = "trial programs and benchmarks"
	generatedLines = "generated"
	tests          = "tests and what only they use"
	tools          = "schemas, generators, examples"
)

func kindOf(path string, text []byte, inBinary bool) string {
	switch {
	case generated.Match(text):
		return generatedLines
	case strings.HasSuffix(path, "_test.go"):
		return tests
	case inBinary:
		return byHand
	case strings.HasPrefix(path, "cmd/"):
		return trials
	case strings.HasPrefix(path, "ent/"), strings.HasPrefix(path, "examples/"),
		strings.HasPrefix(path, "internal/generate/"),
		strings.Contains(path, "makemigration"):
		return tools
	default:
		return tests
	}
}

// printBuilds prints the size of the binary, and the cost of building and generating it.
func printBuilds() error {
	folder, err := os.MkdirTemp("", "weight")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	environment := append(os.Environ(), "GOCACHE="+filepath.Join(folder, "cache"), "CGO_ENABLED=0",
		"GOFLAGS=-gcflags=all=-dwarf=false") // as in the Makefile
	binary := filepath.Join(folder, "storefront")
	build := []string{"go", "build", "-buildvcs=false", "-ldflags=-s", "-o", binary}
	if err := timed("cold build", environment, append(build, "./cmd/storefront")...); err != nil {
		return err
	}
	info, err := os.Stat(binary)
	if err != nil {
		return err
	}
	row("binary | %.1f MB", float64(info.Size())/1e6)
	for _, file := range []string{"graph/categories.go", "internal/list/batch.go", "internal/sale/order/checkout.go"} {
		overlay, err := changed(folder, file)
		if err != nil {
			return err
		}
		command := append(build[:len(build):len(build)], "-overlay", overlay, "./cmd/storefront")
		if err := timed("build after a changed line in "+file, environment, command...); err != nil {
			return err
		}
	}
	return timed("make generate", environment, "make", "-s", "generate")
}

// changed returns the name of a file for go build's flag -overlay that adds a line to file.
func changed(folder, file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	longer := filepath.Join(folder, filepath.Base(file))
	text = append(text, "\nvar _ = \"a line more\"\n"...)
	if err := os.WriteFile(longer, text, 0o600); err != nil {
		return "", err
	}
	absolute, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {absolute: longer}})
	if err != nil {
		return "", err
	}
	overlay := longer + ".json"
	return overlay, os.WriteFile(overlay, replaced, 0o600)
}

// timed runs a command and prints its wall-clock and processor times, and the memory of its largest process.
func timed(what string, environment []string, command ...string) error {
	run := exec.Command(command[0], command[1:]...)
	run.Env, run.Stderr = environment, os.Stderr
	begin := time.Now()
	if err := run.Run(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	took, state := time.Since(begin), run.ProcessState
	usage := state.SysUsage().(*syscall.Rusage)
	row("%s | %.0f s, %.0f s of processor, largest process %.1f GiB", what, took.Seconds(),
		(state.UserTime() + state.SystemTime()).Seconds(), float64(usage.Maxrss)/(1<<20))
	return nil
}
