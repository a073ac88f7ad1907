package webhook

import (
	"net/netip"
	"testing"

	"storefront/internal/fault"
)

func TestOnlyPublicAddresses(t *testing.T) {
	for _, text := range []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.1", "169.254.169.254",
		"172.16.0.1", "172.31.255.255", "192.0.0.192", "192.168.1.1", "198.18.0.1", "203.0.113.7", "224.0.0.1", "240.0.0.1",
		"255.255.255.255", "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::",
		"2001::1", "2001:db8::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "100::1",
	} {
		if isPublic(netip.MustParseAddr(text)) {
			t.Errorf("%s is public", text)
		}
		if onlyPublic("tcp", netip.AddrPortFrom(netip.MustParseAddr(text), 443).String(), nil) == nil {
			t.Errorf("%s is dialed", text)
		}
	}
	for _, text := range []string{"1.1.1.1", "9.9.9.9", "100.63.0.1", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1"} {
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
	for text, wrong := range map[string]string{
		"https://shop.example/events?x=1": "", "https://1.1.1.1:8443/": "", "https://[2606:4700::1111]/": "",
		"http://shop.example/": scheme, "ftp://shop.example/": scheme,
		"shop.example": form, "https://": form, "https:shop.example": form,
		"https://a:b@shop.example": more, "https://shop.example/#x": more,
		"https://localhost/": inside, "https://a.localhost./": inside, "https://127.0.0.1/": inside, "https://[::1]/": inside,
		"https://169.254.169.254/": inside, "https://metadata.google.internal/": inside,
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
	var bad fault.Fields
	(&Service{private: true}).checkURL("http://127.0.0.1:80/", &bad)
	if len(bad) > 0 {
		t.Errorf("allowed, but %v", bad)
	}
}
