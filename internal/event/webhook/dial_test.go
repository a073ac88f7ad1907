package webhook

import (
	"net/netip"
	"strings"
	"testing"

	"storefront/internal/fault"
)

func TestOnlyPublicAddresses(t *testing.T) {
	for _, text := range []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1",
		"127.255.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.168.1.1",
		"198.18.0.1", "203.0.113.7", "224.0.0.1", "240.0.0.1",
		"255.255.255.255", "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
		"64:ff9b::a00:1", "2002:a00:1::", "2001::1", "2001:db8::1", "fc00::1", "fd00:ec2::254", "fe80::1",
		"fe80::1%eth0", "fec0::1", "ff02::1", "100::1",
	} {
		if isPublic(netip.MustParseAddr(text)) {
			t.Errorf("%s is public", text)
		}
		if onlyPublic("tcp", netip.AddrPortFrom(netip.MustParseAddr(text), 443).String(), nil) == nil {
			t.Errorf("%s is dialed", text)
		}
	}
	for _, text := range []string{
		"1.1.1.1", "9.9.9.9", "100.63.0.1", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1",
	} {
		if !isPublic(netip.MustParseAddr(text)) {
			t.Errorf("%s is not public", text)
		}
	}
	if isPublic(netip.Addr{}) || onlyPublic("tcp", "no address", nil) == nil {
		t.Error("no address is public")
	}
}

func TestCheckURL(t *testing.T) {
	const form, scheme = "must be an address such as https://shop.example/events", "must begin with https://"
	const more, inside = "must have no user, password or fragment", "must not lead into a private network"
	const port, host = "must have a port from 1 to 65535, or none",
		"must name a host that can exist on the internet, such as shop.example"
	const unseen = "must have no invisible characters, such as direction marks"
	for text, wrong := range map[string]string{
		"https://shop.example/events?x=1": "", "https://1.1.1.1:8443/": "", "https://[2606:4700::1111]/": "",
		"http://shop.example/": scheme, "ftp://shop.example/": scheme,
		"shop.example": form, "https://": form, "https:shop.example": form,
		"https://a:b@shop.example": more, "https://shop.example/#x": more,
		"https://localhost/": inside, "https://a.localhost./": inside, "https://127.0.0.1/": inside,
		"https://[::1]/": inside, "https://169.254.169.254/": inside,
		"https://metadata.google.internal/": inside, "https://0/": host, "https://a..b/": host,
		"https://receiver/": host, "https://.example/": host, "https://a.example../": host,
		"https://0x7f.1/": host, "https://1.2.3/": host, "https://1.1.1.1./": host,
		"https://a_b.example/": host, "https://-a.example/": host,
		"https://" + strings.Repeat("a", 64) + ".example/": host, "https://%00.example/": form,
		"https://shop.example:0/": port, "https://shop.example:65536/": port, "https://shop.example:00/": port,
		"https://shop.example:99999999999999999999/": port, "https://shop.example:65535/": "",
		"https://shop.example:/": "", "https://shop\u200e.example/": unseen,
		"https://shop.example/\u202eevil": unseen, "https://shop.example/\ufeff": unseen,
		"https://shop.example/a\u2066b": unseen, "https://shop.example/?a=\u061c": unseen,
		"https://\u0641\u0631\u0648\u0634\u06af\u0627\u0647.example/\u062e\u0627\u0646\u0647\u200c\u0645\u0646": "",
		"https://shop.example/a b": "", "https://shop.example./": "",
	} {
		var bad fault.Fields
		(&Service{}).checkURL(text, &bad)
		said := ""
		if len(bad) > 0 {
			said = bad[0].Message
		}
		if said != wrong {
			t.Errorf("%s: %q, want %q", text, said, wrong)
		}
	}
	for text, fits := range map[string]bool{
		"http://127.0.0.1:80/": true, "http://receiver:8080/": true, "https://my_receiver/": true,
		"http://localhost/": true, "http://0/": false, "http://a..b/": false, "http://receiver:0/": false,
	} {
		var bad fault.Fields
		(&Service{Options: Options{Private: true}}).checkURL(text, &bad)
		if (len(bad) == 0) != fits {
			t.Errorf("%s inside the network: %v", text, bad)
		}
	}
}
