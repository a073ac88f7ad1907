package bundle

import "testing"

func TestNumberedPaths(t *testing.T) {
	var paths numberedPaths
	want := []string{"products[0]", "products[4294967295].variants[7]", "products[12].variants[100]", "brands", "",
		"input.variants[3]", "a[1].b[2].c[3]", `a["x"].b[1]`}
	var kept []numberedPath
	for _, path := range want {
		kept = append(kept, paths.add(path))
	}
	for i, path := range want {
		if got := paths.text(kept[i]); got != path {
			t.Errorf("got the path %q, want %q", got, path)
		}
	}
	if len(paths.forms) != len(want)-1 {
		t.Errorf("forms: %q", paths.forms)
	}
}
