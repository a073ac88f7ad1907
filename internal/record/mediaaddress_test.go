package record

import (
	"strings"
	"testing"
)

// TestWiderThanAllWidths asks for an image that is wider than all of its narrower ones.
func TestWiderThanAllWidths(t *testing.T) {
	const folder = "/media/0190a0a0-0000-7000-8000-000000000001/0190a0a0-0000-7000-8000-000000000002/"
	wide := &Media{URL: folder + "0123456789abcdef-3000x2000.jpg"}
	for width, want := range map[int]string{
		2500: wide.URL, 1921: wide.URL, 1920: folder + "0123456789abcdef-3000x2000-1920.webp",
		1: folder + "0123456789abcdef-3000x2000-160.webp",
	} {
		if got := wide.Address(&width, nil); got != want {
			t.Errorf("%d: got %s, want %s", width, got, want)
		}
	}
	if set := *wide.Srcset(nil); !strings.HasSuffix(set, "-1920.webp 1920w, "+wide.URL+" 3000w") {
		t.Errorf("got %s", set)
	}
	for _, size := range []string{"1920", "1000"} {
		narrow := &Media{URL: folder + "0123456789abcdef-" + size + "x500.jpg"}
		if set := *narrow.Srcset(nil); strings.Count(set, " "+size+"w") != 1 || !strings.HasSuffix(set, " "+size+"w") {
			t.Errorf("%s: got %s", size, set)
		}
	}
}
