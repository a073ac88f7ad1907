package main

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	t.Parallel()
	toolchain := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	clean := &debug.BuildInfo{
		Main:     debug.Module{Version: "v0.0.0-20261122060000-4801ef3abcde"},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "4801ef3"}, {Key: "vcs.modified", Value: "false"}},
	}
	changed := &debug.BuildInfo{
		Main:     debug.Module{Version: "(devel)"},
		Settings: []debug.BuildSetting{{Key: "vcs.modified", Value: "true"}, {Key: "vcs.revision", Value: "4801ef3"}},
	}
	for name, c := range map[string]struct {
		version, commit string
		built           *debug.BuildInfo
		want            string
	}{
		"stamped by Go":     {"", "", clean, "storefront v0.0.0-20261122060000-4801ef3abcde\ncommit 4801ef3\n"},
		"set by the linker": {"1.2.0", "86a0749", clean, "storefront 1.2.0\ncommit 86a0749\n"},
		"of a changed tree": {"", "", changed, "storefront (devel)\ncommit 4801ef3 with changes\n"},
		"outside of git": {"", "", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}},
			"storefront (devel)\ncommit (unknown)\n"},
		"without information": {"", "", nil, "storefront (unknown)\ncommit (unknown)\n"},
	} {
		if got := versionOf(c.version, c.commit, c.built); got != c.want+toolchain {
			t.Errorf("%s: got %q", name, got)
		}
	}
	out := (settings{}).succeed(t, "version")
	if !strings.HasPrefix(out, "storefront ") || !strings.HasSuffix(out, toolchain) {
		t.Errorf("version prints %q", out)
	}
}
