package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set by the linker (make build VERSION=1.2.0); empty: the version that Go stamps into the binary.
var version string

// printVersion prints what was built: the version, the commit, and the Go version with its platform.
func printVersion(_ context.Context, args []string, p program) error {
	if _, err := load("version", args, p); err != nil {
		return err
	}
	built, _ := debug.ReadBuildInfo() // nil without module support: then nothing but Go itself is known
	_, err := fmt.Fprint(p.stdout, versionOf(version, built))
	return err
}

// versionOf describes a build in three lines. What is not known of it says so.
func versionOf(linked string, built *debug.BuildInfo) string {
	number, commit := linked, ""
	if built != nil {
		number = cmp.Or(number, built.Main.Version)
		changed := ""
		for _, setting := range built.Settings {
			switch {
			case setting.Key == "vcs.revision":
				commit = setting.Value
			case setting.Key == "vcs.modified" && setting.Value == "true":
				changed = " with changes"
			}
		}
		if commit != "" {
			commit += changed
		}
	}
	return fmt.Sprintf("storefront %s\ncommit %s\n%s %s/%s\n",
		cmp.Or(number, "(unknown)"), cmp.Or(commit, "(unknown)"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
