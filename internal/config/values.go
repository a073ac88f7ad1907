package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"storefront/internal/app"
	"storefront/internal/platform/tracing"
	"storefront/internal/record"
	"storefront/internal/sale/gateway"
	"storefront/internal/server/origin"
)

// Each function below reads the value of a setting: it checks a text, which checked stores, or returns a function that
// also stores what it reads in *to.

// checked returns the read function of a setting whose text is stored if check finds no fault.
func checked[T ~string](to *T, check func(string) error) func(string) error {
	return func(value string) error {
		err := check(value)
		if err == nil {
			*to = T(value)
		}
		return err
	}
}

// pace reads how many times shorter windows are: 1:600.
func pace(to *record.Pace) func(string) error {
	return func(value string) error {
		shorter, isRatio := strings.CutPrefix(value, "1:")
		n, err := strconv.Atoi(shorter)
		if !isRatio || err != nil || n < 1 || n > 3600 {
			return fmt.Errorf("is %q; it must be a ratio from 1:1 to 1:3600", value)
		}
		*to = record.Pace(n)
		return nil
	}
}

func optional(read func(string) error) func(string) error {
	return func(value string) error {
		if value == "" {
			return nil
		}
		return read(value)
	}
}

func text(value string) error {
	if strings.ContainsFunc(value, unicode.IsControl) {
		return errors.New("must not hold line breaks or other control characters")
	}
	return nil
}

func otlpHeaders(to *Secret) func(string) error {
	return func(value string) error {
		_, err := tracing.Headers(value)
		*to = Secret(value)
		return err
	}
}

func oneOf(values ...string) func(string) error {
	return func(value string) error {
		if !slices.Contains(values, value) {
			named := slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "" })
			return fmt.Errorf("is %q; it must be one of %s", value, strings.Join(named, ", "))
		}
		return nil
	}
}

func onOff(to *bool) func(string) error { return word(to, "off", "on") }

// word reads one of two words, the second of which is true.
func word(to *bool, no, yes string) func(string) error {
	return func(value string) error {
		*to = value == yes
		return oneOf(yes, no)(value)
	}
}

func clientLimits(to *app.ClientLimits) func(string) error {
	return func(value string) error {
		var given bool
		err := onOff(&given)(value)
		if given {
			*to = app.UsualLimits
		}
		return err
	}
}

func count(to *int, least int64) func(string) error {
	return func(value string) error {
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil || n < least {
			return fmt.Errorf("is %q; it must be a whole number from %d on", value, least)
		}
		*to = int(n)
		return nil
	}
}

// size reads a number of bytes.
func size(to *int64) func(string) error {
	units := []struct {
		name  string
		bytes int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}}
	return func(value string) error {
		number, unit := value, int64(0)
		for _, u := range units {
			if digits, ok := strings.CutSuffix(value, u.name); ok {
				number, unit = digits, u.bytes
			}
		}
		n, err := strconv.ParseUint(number, 10, 20)
		if err != nil || unit == 0 && n > 0 {
			return fmt.Errorf("is %q; it must be a size with its unit (512KiB, 64MiB, 1GiB), or 0", value)
		}
		*to = int64(n) * unit
		return nil
	}
}

func duration(to *time.Duration) func(string) error {
	return func(value string) error {
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 {
			return fmt.Errorf("is %q; it must be a time with its unit: 90s, 15m, 720h", value)
		}
		*to = d
		return nil
	}
}

func address(value string) error {
	host, port, err := net.SplitHostPort(value)
	if err != nil {
		return fmt.Errorf(
			"is %q; it must be host:port, 127.0.0.1:8080, or :8080 for every address of the machine", value)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("is %q; its port must be a number from 0 to 65535", value)
	}
	if strings.ContainsAny(host, "/@ ") {
		return fmt.Errorf("is %q; it must begin with a host, without http://", value)
	}
	return nil
}

// list reads values separated by commas. The error names every wrong value.
func list[T any](to *[]T, readOne func(string) (T, error)) func(string) error {
	return func(value string) error {
		var all []T
		var wrong []string
		for part := range strings.SplitSeq(value, ",") {
			part = strings.TrimSpace(part)
			if part == "" {
				continue
			}
			read, err := readOne(part)
			if err != nil {
				wrong = append(wrong, fmt.Sprintf("%q %v", part, err))
				continue
			}
			all = append(all, read)
		}
		if len(wrong) > 0 {
			return fmt.Errorf("is wrong: %s", strings.Join(wrong, "; "))
		}
		*to = all
		return nil
	}
}

// gateways reads addresses of payment gateways by their names: zibal=https://relay.example.
func gateways(to *map[string]string) func(string) error {
	return func(value string) error {
		addresses := map[string]string{}
		err := list(new([]string), func(part string) (string, error) {
			name, address, _ := strings.Cut(part, "=")
			if addresses[name] != "" {
				return "", errors.New("is there twice")
			}
			addresses[name] = address
			return name, gateway.CheckAddress(name, address)
		})(value)
		*to = addresses
		return err
	}
}

// webOrigin reads an origin and leaves out the default port of its scheme, as browsers do.
func webOrigin(value string) (origin.Origin, error) {
	o, err := origin.Parse(value)
	if o.Scheme == "https" && o.Port == "443" || o.Scheme == "http" && o.Port == "80" {
		o.Port = ""
	}
	return o, err
}

// a token of RFC 9110, but not "*", which means all headers
var headerForm = regexp.MustCompile("^[!#$%&'+.^_`|~0-9A-Za-z-]+$")

// headerName reads the name of a request header that pages may send.
func headerName(value string) (string, error) {
	if !headerForm.MatchString(value) {
		return "", errors.New("must be the name of a header: x-client-version")
	}
	if strings.EqualFold(value, "X-Api-Key") || strings.EqualFold(value, "Cookie") {
		return "", errors.New("must not come from pages")
	}
	return strings.ToLower(value), nil
}

// network reads 10.0.0.0/8, or a single address.
func network(value string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(value); err == nil && addr.Zone() == "" {
		addr = addr.Unmap()
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	prefix, err := netip.ParsePrefix(value)
	if err != nil || prefix.Addr().Is4In6() {
		return netip.Prefix{}, errors.New("must be an address or a network: 10.0.0.1 or 10.0.0.0/8")
	}
	return prefix.Masked(), nil
}

const maxFile = 64 << 10 // bytes

// fileText reads the file that the value names and stores its text. The package that uses the text checks its
// content.
func fileText(to *string) func(string) error {
	return func(path string) error {
		file, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("names a file that cannot be read: %w", err)
		}
		defer file.Close()
		content, err := io.ReadAll(io.LimitReader(file, maxFile+1))
		if err != nil {
			return fmt.Errorf("names a file that cannot be read: %w", err)
		}
		if len(bytes.TrimSpace(content)) == 0 || len(content) > maxFile || !utf8.Valid(content) {
			return fmt.Errorf("names %q, which is no text of 1 to %d bytes", path, maxFile)
		}
		*to = string(content)
		return nil
	}
}

// bucketForm is the path of a bucket's URL: its name, and a folder in it.
var bucketForm = regexp.MustCompile(`^/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[0-9A-Za-z_-][0-9A-Za-z_.-]*)*/?$`)

func bucketURL(value string) error {
	u, err := url.Parse(value)
	if err != nil || webURL(value) != nil || u.User != nil || !bucketForm.MatchString(u.Path) {
		return errors.New("must be the address of a bucket, without keys: https://s3.example/shop-images")
	}
	return nil
}

// webURL reads a URL. Its errors do not repeat the value, which may hold a password.
func webURL(value string) error {
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.RawQuery != "" ||
		u.Fragment != "" {
		return errors.New("must be an http or https address, without a query: https://api.example/v1")
	}
	return nil
}
