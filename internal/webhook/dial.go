package webhook

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// errPrivate refuses an address inside the service's own network.
var errPrivate = errors.New("webhook: the address is not public")

// notPublic are the networks that no endpoint of a stranger may make the service call: its own host and
// network, and the metadata of a cloud's machines among them (169.254.169.254, fd00:ec2::254). IANA's
// special-purpose registries have them. Those of IPv6 that hold an address of IPv4 lead to that one.
var notPublic = networks(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
	"192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/3", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23",
	"2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10",
	"ff00::/8",
)

func networks(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// isPublic reports whether an address may be called. One of IPv4 in the form of IPv6 counts as what it is.
func isPublic(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	for _, network := range notPublic {
		if network.Contains(addr) {
			return false
		}
	}
	return addr.IsValid()
}

// onlyPublic is asked for the address that is dialed, after a name was resolved: no answer of DNS can come between.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %w", errPrivate, err)
	}
	if !isPublic(to.Addr()) {
		return errPrivate
	}
	return nil
}

const (
	attemptTime   = 10 * time.Second // of an attempt, from the name's resolution to the end of the answer
	handshakeTime = 5 * time.Second

	// StopTime is how long what is under way may take to come to its end, and to be written down, once Run is to stop.
	StopTime = attemptTime + 2*time.Second

	headerLimit = 16 << 10 // bytes of an answer's headers
	bodyLimit   = 4 << 10  // bytes of an answer's body that are read; more ends the connection
)

// newClient makes the client that calls endpoints. It follows no redirect, which is an answer like any other,
// and asks no proxy of the environment.
func newClient(private bool) *http.Client {
	dialer := &net.Dialer{Timeout: handshakeTime}
	if !private {
		dialer.Control = onlyPublic
	}
	return &http.Client{
		Transport: &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: handshakeTime,
			ResponseHeaderTimeout: attemptTime, MaxResponseHeaderBytes: headerLimit, DisableCompression: true,
			MaxIdleConns: 2 * mostRunners, MaxIdleConnsPerHost: mostUnderWay, IdleConnTimeout: time.Minute,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
