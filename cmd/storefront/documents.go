package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"runtime/debug"
	"time"
)

// printing returns the command of a name that prints a text.
func printing(name string, text func() string) func(context.Context, []string, program) error {
	return func(_ context.Context, args []string, p program) error {
		if _, err := load(name, args, p); err != nil {
			return err
		}
		_, err := fmt.Fprint(p.stdout, text())
		return err
	}
}

// The linker sets these (make build VERSION=1.2.0). If they are empty, Go's own build information is used.
var version, commit string

// builtVersion returns what was built: the version, the commit, and the Go version with its platform.
func builtVersion() string {
	built, _ := debug.ReadBuildInfo() // nil without module support: then only the Go version is known
	return versionOf(version, commit, built)
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

// healthcheck asks the server with the same settings whether it is alive. It is for containers that have no
// other program.
func healthcheck(ctx context.Context, args []string, p program) error {
	settings, err := load("healthcheck", args, p)
	if err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(settings.ListenAddr)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	ctx, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet,
		"http://"+net.JoinHostPort(host, port)+"/healthz", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("/healthz answers %s", answer.Status)
	}
	return nil
}
