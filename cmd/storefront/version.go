package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// The linker sets these (make build VERSION=1.2.0). If they are empty, Go's own build information is used.
var version, commit string

// printVersion prints what was built: the version, the commit, and the Go version with its platform.
func printVersion(_ context.Context, args []string, p program) error {
	if _, err := load("version", args, p); err != nil {
		return err
	}
	built, _ := debug.ReadBuildInfo() // nil without module support: then only the Go version is known
	_, err := fmt.Fprint(p.stdout, versionOf(version, commit, built))
	return err
}

// versionOf describes a build in three lines. Unknown values are marked as such.
func versionOf(number, commit string, built *debug.BuildInfo) string {
	if built != nil {
		number = cmp.Or(number, built.Main.Version)
		stamped, changed := "", ""
		for _, setting := range built.Settings {
			switch {
			case setting.Key == "vcs.revision":
				stamped = setting.Value
			case setting.Key == "vcs.modified" && setting.Value == "true":
				changed = " with changes"
			}
		}
		if commit == "" && stamped != "" {
			commit = stamped + changed
		}
	}
	return fmt.Sprintf("storefront %s\ncommit %s\n%s %s/%s\n",
		cmp.Or(number, "(unknown)"), cmp.Or(commit, "(unknown)"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
