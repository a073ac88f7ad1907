package origin

import "testing"

func TestParse(t *testing.T) {
	for _, good := range []string{
		"https://shop.ir", "http://localhost:3000", "https://xn--mgba3a4f16a.xn--mgba3a4f16a", "http://127.0.0.1",
		"http://[::1]:8080", "https://a_b.shop.ir:65535", "http://127.9.9.9:1",
	} {
		o, err := Parse(good)
		if err != nil {
			t.Errorf("Parse(%q): %v", good, err)
		} else if o.String() != good {
			t.Errorf("Parse(%q) reads %q", good, o)
		}
	}
	for _, bad := range []string{
		"", "null", "*", "shop.ir", "https://", "https://*", "https://*.shop.ir", "https://shop.ir/",
		"https://shop.ir/path", "https://shop.ir?x", "https://shop.ir#x", "https://user@shop.ir",
		"https://user:word@shop.ir", "ftp://shop.ir", "https://shop.ir:", "https://shop.ir:0",
		"https://shop.ir:080", "https://shop.ir:65536", "https://shop.ir:x",
		"https://shop..ir", "https://.shop.ir", "https://shop.ir.", "https://shop ir", "https://shop.ir,https://b.ir",
		"https://[::1", "https://[fe80::1%25eth0]", "https://فروشگاه.ir", "https://shop.ir\x00",
		"https://\u212aala.ir", "https://shop%2eir",
		"file://", "https:/shop.ir", "javascript://shop.ir",
	} {
		if o, err := Parse(bad); err == nil {
			t.Errorf("Parse(%q) reads %q, want an error", bad, o)
		}
	}
}

func TestParseFoldsCase(t *testing.T) {
	o, err := Parse("HTTPS://Shop.IR:444")
	if err != nil || o != (Origin{"https", "shop.ir", "444"}) {
		t.Errorf("got %+v, %v", o, err)
	}
}

func TestLoopback(t *testing.T) {
	for s, want := range map[string]bool{
		"http://localhost": true, "https://localhost:5173": true, "http://127.0.0.1:80": true,
		"http://127.200.3.4": true, "http://[::1]:3000": true, "http://localhost.shop.ir": false,
		"http://127.0.0.1.shop.ir": false, "http://128.0.0.1": false, "http://0.0.0.0": false,
		"http://[::2]": false, "http://[::ffff:127.0.0.1]": false,
		"http://notlocalhost": false,
	} {
		o, err := Parse(s)
		if err != nil {
			t.Errorf("Parse(%q): %v", s, err)
		} else if o.Loopback() != want {
			t.Errorf("%q loopback: %t, want %t", s, !want, want)
		}
	}
}

// FuzzParse checks that the text of a parsed origin parses to the same origin.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"https://shop.ir", "null", "http://[::1]:80", "https://a@b", "HTTP://LOCALHOST", "https://127.1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		o, err := Parse(s)
		if err != nil {
			return
		}
		again, err := Parse(o.String())
		if err != nil || again != o {
			t.Errorf("%q: got %+v, %v when read again, want %+v", s, again, err, o)
		}
	})
}
