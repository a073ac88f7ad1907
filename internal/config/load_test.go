package config

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/customer/account"
	"storefront/internal/server/origin"
)

// env returns a getenv function over a map.
type env map[string]string

func (e env) get(name string) string { return e[name] }

// presets is the configuration of a service without any setting, as contract 4.2 lists it.
func presets() Config {
	times := account.Defaults
	times.Unused = 720 * time.Hour
	return Config{
		DatabaseURL: "sqlite://storefront.db", DatabaseByDefault: true, ListenAddr: "127.0.0.1:8080",
		Settings: app.Settings{
			DrainTime: time.Second, CacheSize: 64 << 20, MediaQuota: 2 << 30,
			Times: times, Limits: account.UsualLimits, ClientLimits: app.UsualLimits, ShopSMSInDay: 100,
		},
		SMS: SMS{Provider: "none"}, MediaRegion: "us-east-1",
	}
}

const key32 = "0123456789abcdef0123456789abcdef"

func TestPresets(t *testing.T) {
	for _, vars := range []env{
		nil, {"LISTEN_ADDR": "", "OTP_RESEND": " ", "TOKEN_SIGNING_KEY": "", "HOME": "/x", "UNKNOWN": "x"},
	} {
		c, rest, err := Load("serve", nil, vars.get, nil)
		if err != nil || len(rest) != 0 || !reflect.DeepEqual(c, presets()) {
			t.Errorf("got %+v, %q, %v", c, rest, err)
		}
	}
}

// templateFile creates a file for SMS_HTTP_TEMPLATE and returns its path.
func templateFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "provider.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEverySetting(t *testing.T) {
	template := templateFile(t, "{}\n")
	times := account.Defaults
	times.Resend, times.Closed, times.Unused = 0, 5*time.Hour, 6*time.Hour
	want := Config{
		DatabaseURL: "postgres://shop:p%40ss@db/shop?sslmode=disable", ListenAddr: ":9000", MetricsAddr: "[::1]:9100",
		MediaBucket: "https://s3.example/images/media", MediaRegion: "eu-1",
		MediaKeyID: "id", MediaKey: "media-key", TracesTo: "http://collector:4318", TraceHeaders: "api-key=x%20y",
		SigningKey: key32,
		SMS: SMS{Provider: "magfa", BaseURL: "https://sms.example/api", APIKey: "user/domain:word",
			Sender: "3000", Template: "{}\n"},
		Settings: app.Settings{
			Origins: []origin.Origin{
				{Scheme: "https", Host: "admin.example"}, {Scheme: "http", Host: "panel.example", Port: "8080"},
			},
			Headers: []string{"x-client-version", "x-datadog-origin"},
			TrustedProxies: []netip.Prefix{
				netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.7/32"),
				netip.MustParsePrefix("fd00::/8"),
			},
			NoExplorer: true, DrainTime: 20 * time.Second, CacheSize: 1 << 30,
			MediaURL: "https://cdn.example", MediaQuota: 3 << 20, PublicURL: "https://api.example/",
			Keep:            app.Keep{Carts: 2 * time.Hour, Contacts: 3 * time.Hour, Audit: 4 * time.Hour},
			PrivateWebhooks: true, Times: times,
			GatewayURLs: map[string]string{
				"zibal": "http://127.0.0.1:8080", "zarinpal": "http://127.0.0.1:8081",
				"zarinpal-sandbox": "http://[::1]:8082", "stripe": "http://localhost:8083",
			},
			GatewayTime:         600,
			Limits:              account.Limits{CodesInMinute: 60, CodesToAddress: 7, CodesInHour: 8, CodesInDay: 12},
			OperatorsNeedFactor: true, RefuseCommonPasswords: true,
		},
	}
	vars := env{
		"DATABASE_URL": "postgres://shop:p%40ss@db/shop?sslmode=disable",
		"LISTEN_ADDR":  ":9000", "METRICS_ADDR": "[::1]:9100",
		"CORS_ORIGINS":     "https://Admin.example:443, http://panel.example:8080,",
		"TRUSTED_PROXIES":  "10.1.2.3/8,192.0.2.7 , fd00::/8",
		"CORS_HEADERS":     "X-Client-Version, x-datadog-origin",
		"GRAPHQL_EXPLORER": "off", "TOKEN_SIGNING_KEY": key32,
		"SMS_PROVIDER": "magfa", "SMS_BASE_URL": "https://sms.example/api", "SMS_API_KEY": "user/domain:word",
		"SMS_SENDER": "3000", "SMS_HTTP_TEMPLATE": template, "OTP_PER_MINUTE": "60",
		"OTP_PER_ADDRESS": "7", "DRAIN_TIME": "20s", "CACHE_SIZE": "1GiB",
		"WEBHOOK_PRIVATE_ADDRESSES": "allow",
		"GATEWAY_URLS": "zibal=http://127.0.0.1:8080, zarinpal=http://127.0.0.1:8081, " +
			"zarinpal-sandbox=http://[::1]:8082, stripe=http://localhost:8083",
		"GATEWAY_TIME":                "1:600",
		"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318", "OTEL_EXPORTER_OTLP_HEADERS": "api-key=x%20y",
		"CART_TTL": "2h", "CONTACT_TTL": "3h", "AUDIT_TTL": "4h",
		"CLOSED_ACCOUNT_TTL": "5h", "UNPROVEN_ACCOUNT_TTL": "6h", "CLIENT_LIMITS": "off",
		"MEDIA_BUCKET": "https://s3.example/images/media", "MEDIA_BUCKET_REGION": "eu-1",
		"MEDIA_BUCKET_KEY_ID": "id", "MEDIA_BUCKET_KEY": "media-key",
		"MEDIA_URL": "https://cdn.example", "MEDIA_QUOTA": "3MiB",
		"PUBLIC_URL": "https://api.example/", "REFUSE_COMMON_PASSWORDS": "on", "OPERATOR_SECOND_FACTOR": "required",
		"OTP_RESEND": "0", "OTP_PER_HOUR": "8", "OTP_PER_DAY": "12", "SHOP_SMS_PER_DAY": "0",
	}
	c, _, err := Load("serve", nil, vars.get, nil)
	want.Unusual, want.FirstSweep = c.Unusual, c.FirstSweep // see TestUnusualValuesAreSaid
	if err != nil || !reflect.DeepEqual(c, want) {
		t.Errorf("from variables: %+v, %v", c, err)
	}

	var args []string
	secrets := env{}
	for name, value := range vars {
		s := setting{name: name,
			secret: slices.Contains([]string{"TOKEN_SIGNING_KEY", "SMS_API_KEY", "OTEL_EXPORTER_OTLP_HEADERS",
				"MEDIA_BUCKET_KEY"}, name)}
		if s.secret {
			secrets[name] = value
			continue
		}
		args = append(args, "-"+s.flag(), value)
		secrets[name] = "overridden by the flag"
	}
	c, _, err = Load("serve", args, secrets.get, nil)
	if err != nil || !reflect.DeepEqual(c, want) {
		t.Errorf("from flags: %+v, %v", c, err)
	}
}

func TestAllErrorsAreReportedAtOnce(t *testing.T) {
	for name, value := range map[string]string{
		"DATABASE_URL": "mysql://x, sqlite://, sqlite://?pool_size=2, sqlite://:memory:, sqlite:///var/, " +
			"postgres://a:%zz@b, storefront.db",
		"MEDIA_BUCKET": "images, s3://images, https://s3.example, https://s3.example/a, https://s3.example/Images, " +
			"https://id:secret@s3.example/images, https://s3.example/images?x=y, https://s3.example/images/../x",
		"MEDIA_BUCKET_KEY":          "secret",
		"MEDIA_BUCKET_KEY_ID":       "id",
		"LISTEN_ADDR":               "8080, http://127.0.0.1:8080, 127.0.0.1, 127.0.0.1:http, 127.0.0.1:70000, :-1",
		"METRICS_ADDR":              "9100, 127.0.0.1:8080",
		"CORS_ORIGINS":              "*, null, admin.example, https://admin.example/, https://*.example",
		"CORS_HEADERS":              "*, x-*, x y, x:y, پ, X-Api-Key, cookie",
		"TRUSTED_PROXIES":           "proxy, 10.0.0.0/33, 10.0.0.1:80, ::ffff:10.0.0.0/104",
		"GRAPHQL_EXPLORER":          "yes, 1, ON",
		"WEBHOOK_PRIVATE_ADDRESSES": "on, ALLOW",
		"GATEWAY_URLS": "zibal, zibal=, zibal=relay.example, zibal=http://relay.example, zibal=https://x.example/y, " +
			"https://relay.example, paypal=https://relay.example, " +
			"zibal=https://relay.example,zibal=https://relay.example",
		"GATEWAY_TIME": "600, 1:0, 1:3601, 2:600, 1:, 1:600",
		"CART_TTL":     "-1s, day", "CONTACT_TTL": "-1s, day", "AUDIT_TTL": "-1s, day",
		"CLOSED_ACCOUNT_TTL": "-1s, day",
		"SMS_PROVIDER":       "twilio, kavenegar, smsir, magfa, http",
		"SMS_BASE_URL":       "sms.example, ftp://sms.example, https://, https://sms.example?key=x",
		"SMS_API_KEY":        "two\nlines",
		"SMS_SENDER":         "two\nlines",
		"SMS_HTTP_TEMPLATE": "testdata/missing.json, ., " + templateFile(t, " \n") + ", " +
			templateFile(t, "\xff") + ", " +
			templateFile(t, strings.Repeat(" ", maxFile)+"x"),
		"OTP_PER_MINUTE":   "0, -1, 1.5, many, 99999999999",
		"OTP_PER_ADDRESS":  "0, -1, 1.5, many, 99999999999",
		"OTP_PER_HOUR":     "0, -1, 1.5, many, 99999999999",
		"OTP_PER_DAY":      "0, -1, 1.5, many, 99999999999",
		"SHOP_SMS_PER_DAY": "-1, 1.5, many, 99999999999",
		"CLIENT_LIMITS":    "yes, 1, ON", "REFUSE_COMMON_PASSWORDS": "yes, 1, ON",
		"OPERATOR_SECOND_FACTOR": "on, yes",
		"DRAIN_TIME":             "1, -1s, soon",
		"CACHE_SIZE":             "64, 64MB, 64 MiB, -1MiB, 1.5GiB, MiB, 99999999GiB, much",
		"OTP_RESEND":             "60, 15, -1m, soon",
		"TOKEN_SIGNING_KEY":      "short, 0123456789abcdef0123456789abcde",
	} {
		for one := range strings.SplitSeq(value, ", ") {
			_, _, err := Load("serve", nil, env{name: one}.get, nil)
			if err == nil {
				t.Errorf("%s=%q was taken", name, one)
			} else if said := err.Error(); !strings.HasPrefix(said, name) && name != "SMS_PROVIDER" ||
				strings.Contains(said, "\n"+name) {
				t.Errorf("%s=%q: %s", name, one, said)
			}
		}
	}

	vars := env{
		"DATABASE_URL": "postgres://shop:hidden@db/shop", "LISTEN_ADDR": "8080", "OTP_RESEND": "x",
		"SMS_PROVIDER": "http", "SMS_BASE_URL": "hidden",
	}
	var usage strings.Builder
	_, _, err := Load("serve", []string{"-listen-adr", "x"}, vars.get, &usage)
	if err == nil {
		t.Fatal("taken")
	}
	lines := strings.Split(err.Error(), "\n")
	for i, begins := range []string{
		"flag provided but not defined: -listen-adr", "LISTEN_ADDR (-listen-addr) ", "SMS_BASE_URL (-sms-base-url) ",
		"OTP_RESEND (-otp-resend) ", "TOKEN_SIGNING_KEY must be set with PostgreSQL", "SMS_BASE_URL must be set",
		"SMS_API_KEY must be set",
	} {
		if i >= len(lines) || !strings.HasPrefix(lines[i], begins) {
			t.Fatalf("line %d of the error: got\n%s\nwant %q…", i, err, begins)
		}
	}
	if strings.Contains(err.Error()+usage.String(), "hidden") {
		t.Errorf("a secret is shown:\n%s\n%s", err, usage.String())
	}
	if !strings.Contains(usage.String(), "LISTEN_ADDR (-listen-addr)\n") ||
		!strings.Contains(usage.String(), "(default 127.0.0.1:8080)") {
		t.Errorf("usage:\n%s", usage.String())
	}
}

func TestProvidersWithTheirCompanions(t *testing.T) {
	for provider, companions := range map[string]env{
		"none":      {},
		"log":       {},
		"kavenegar": {"SMS_API_KEY": "k"},
		"smsir":     {"SMS_API_KEY": "k", "SMS_SENDER": "3000"},
		"magfa":     {"SMS_API_KEY": "u/d:k", "SMS_SENDER": "3000"},
		"http": {"SMS_API_KEY": "k", "SMS_BASE_URL": "http://127.0.0.1:9999",
			"SMS_HTTP_TEMPLATE": templateFile(t,
				`{"path": "/send", "form": {"to": "{{to.local}}", "text": "{{text}}"}, "id": "/id"}`)},
	} {
		companions["SMS_PROVIDER"] = provider
		if c, _, err := Load("serve", nil, companions.get, nil); err != nil || c.SMS.Provider != provider {
			t.Errorf("got the provider %+v, %v; want %s", c.SMS, err, provider)
		}
		for name := range companions {
			if name == "SMS_PROVIDER" {
				continue
			}
			without := env{}
			for n, v := range companions {
				if n != name {
					without[n] = v
				}
			}
			if _, _, err := Load("serve", nil, without.get, nil); err == nil ||
				err.Error() != fmt.Sprintf("%s must be set for SMS_PROVIDER=%s", name, provider) {
				t.Errorf("%s without %s: %v", provider, name, err)
			}
		}
	}
}

func TestCommandsReadWhatTheyNeed(t *testing.T) {
	wrong := env{"LISTEN_ADDR": "8080", "TOKEN_SIGNING_KEY": "short", "SMS_PROVIDER": "magfa",
		"DATABASE_URL": "postgres://db/shop"}
	for _, command := range []string{"migrate", "export", "tenant", "partner", "backup"} {
		c, _, err := Load(command, []string{"-database-url=postgres://db/other"}, wrong.get, nil)
		if command == "export" { // it also copies the files of images
			c.MediaRegion, c.MediaQuota = "", 0
		}
		if err != nil || !reflect.DeepEqual(c, Config{
			DatabaseURL: "postgres://db/other",
		}) {
			t.Errorf("%s: %+v, %v", command, c, err)
		}
		var usage strings.Builder
		if _, _, err := Load(command, []string{"-listen-addr", ":1"}, wrong.get, &usage); err == nil ||
			strings.Contains(usage.String(), "LISTEN_ADDR (") {
			t.Errorf("%s took -listen-addr: %v", command, err)
		}
	}
	for _, command := range []string{"openapi", "schema"} {
		c, _, err := Load(command, nil, env{"DATABASE_URL": "nonsense"}.get, nil)
		if err != nil || !reflect.DeepEqual(c, Config{}) {
			t.Errorf("%s: %+v, %v", command, c, err)
		}
	}
	if _, _, err := Load("server", nil, env{}.get, nil); err == nil || !strings.Contains(err.Error(), `"server"`) {
		t.Errorf("an unknown command: %v", err)
	}
}

func TestFlagsAndArgumentsMix(t *testing.T) {
	for _, c := range []struct {
		args, rest []string
		out        string
	}{
		{[]string{"shop.ir", "-o", "file"}, []string{"shop.ir"}, "file"},
		{[]string{"-o", "file", "shop.ir"}, []string{"shop.ir"}, "file"},
		{[]string{"add", "-database-url", "sqlite://shop.db", "shop.ir", "-o=x"}, []string{"add", "shop.ir"}, "x"},
		{[]string{"a", "--", "-o", "b"}, []string{"a", "-o", "b"}, ""},
		{[]string{"a", "-", "b"}, []string{"a", "-", "b"}, ""},
		{nil, nil, ""},
	} {
		var out string
		_, rest, err := Load("export", c.args, env{"DATABASE_URL": "sqlite://shop.db"}.get, nil,
			func(flags *flag.FlagSet) { flags.StringVar(&out, "o", "", "file to write") })
		if err != nil || !slices.Equal(rest, c.rest) || out != c.out {
			t.Errorf("%q: got %q, %q, %v; want %q, %q", c.args, rest, out, err, c.rest, c.out)
		}
	}
}

func TestAnEmptyFlagGivesThePreset(t *testing.T) {
	c, _, err := Load("serve", []string{"-cors-origins=", "-listen-addr="},
		env{"CORS_ORIGINS": "https://a.example", "LISTEN_ADDR": ":1"}.get, nil)
	if err != nil || c.Origins != nil || c.ListenAddr != "127.0.0.1:8080" {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestHelp(t *testing.T) {
	var usage strings.Builder
	_, _, err := Load("serve", []string{"-h"},
		env{"OTP_RESEND": "wrong", "DATABASE_URL": "postgres://a:hidden@b/c"}.get, &usage,
		func(flags *flag.FlagSet) { flags.Bool("demo", false, "load the demo tenants") })
	if !errors.Is(err, flag.ErrHelp) {
		t.Errorf("got %v", err)
	}
	for _, s := range append(database(&Config{}), serving(&Config{})...) {
		if !strings.Contains(usage.String(), s.names()+"\n") {
			t.Errorf("the usage lacks %s", s.names())
		}
		if s.secret && strings.Contains(usage.String(), "-"+s.flag()+")") {
			t.Errorf("the usage offers a flag for the secret %s", s.name)
		}
	}
	if !strings.Contains(usage.String(), "-demo\n") || strings.Contains(usage.String(), "hidden") {
		t.Errorf("usage:\n%s", usage.String())
	}
}

func TestSecretsHaveNoFlag(t *testing.T) {
	for _, name := range []string{"-token-signing-key", "-sms-api-key"} {
		var usage strings.Builder
		_, _, err := Load("serve", []string{name, key32}, env{}.get, &usage)
		if err == nil || strings.Contains(err.Error(), key32) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSecretsDoNotShow(t *testing.T) {
	c := Config{SigningKey: "hidden", SMS: SMS{APIKey: "hidden"}}
	asJSON, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{string(asJSON), fmt.Sprint(c), fmt.Sprintf("%+v", c), fmt.Sprintf("%#v", c)} {
		if strings.Contains(shown, "hidden") {
			t.Errorf("shown: %s", shown)
		}
	}
}

func TestSQLiteFile(t *testing.T) {
	for url, want := range map[string]string{
		"sqlite://storefront.db": "storefront.db", "sqlite:///var/lib/shop.db": "/var/lib/shop.db",
		"sqlite://./shop.db?synchronous=normal": "./shop.db", "postgres://db/shop": "", "": "",
	} {
		if path, ok := (Config{DatabaseURL: url}).SQLiteFile(); path != want || ok != (want != "") {
			t.Errorf("%q: %q, %t", url, path, ok)
		}
	}
}

// TestSecretsFromFiles checks that a secret may stand in a file, and that nothing of it is in an error.
func TestSecretsFromFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte(key32+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _, err := Load("serve", nil, env{"TOKEN_SIGNING_KEY_FILE": file, "SMS_API_KEY_FILE": file}.get, nil)
	if err != nil || string(c.SigningKey) != key32 || string(c.SMS.APIKey) != key32 {
		t.Errorf("%v", err)
	}
	for _, wrong := range []env{
		{"TOKEN_SIGNING_KEY_FILE": file + ".none"},
		{"TOKEN_SIGNING_KEY_FILE": file, "TOKEN_SIGNING_KEY": key32},
		{"DATABASE_URL_FILE": file},
	} {
		_, _, err := Load("serve", nil, wrong.get, nil)
		if err == nil || strings.Contains(err.Error(), key32) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
}

// TestCommandsMakeNoDatabase checks that a command beside a server uses the server's default database, and does
// not create one.
func TestCommandsMakeNoDatabase(t *testing.T) {
	for command := range commands {
		if command == "serve" || command == "healthcheck" || len(commands[command]) == 0 {
			continue
		}
		t.Run(command, func(t *testing.T) {
			t.Chdir(t.TempDir())
			_, _, err := Load(command, nil, env{"DATABASE_URI": "postgres://db/shop"}.get, nil)
			const want = "DATABASE_URL (-database-url) must be set, as there is no storefront.db in this folder"
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("got %v", err)
			}
			if err := os.WriteFile("storefront.db", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			c, _, err := Load(command, nil, env{}.get, nil)
			if err != nil || c.DatabaseURL != "sqlite://storefront.db" || !c.DatabaseByDefault {
				t.Errorf("beside a server: %q, %v", c.DatabaseURL, err)
			}
		})
	}
}

// TestQuotedValuesAreRefused tries a quoted value for each setting, and in the file of each secret.
func TestQuotedValuesAreRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte(`"`+key32+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	vars := []env{
		{"TOKEN_SIGNING_KEY_FILE": file}, {"SMS_API_KEY_FILE": file}, {"DATABASE_URL_FILE": file},
		{"TOKEN_SIGNING_KEY_FILE": "'" + file + "'"},
	}
	for _, s := range append(database(&Config{}), serving(&Config{})...) {
		vars = append(vars, env{s.name: `"on"`}, env{s.name: " '" + key32 + "' "})
	}
	for _, one := range vars {
		_, _, err := Load("serve", nil, one.get, nil)
		if err == nil || !strings.Contains(err.Error(), "begins and ends with a quote mark") ||
			strings.Contains(err.Error(), key32) {
			t.Errorf("%v: %v", one, err)
		}
	}
	within := env{"TOKEN_SIGNING_KEY": key32 + `"`, "MEDIA_BUCKET_REGION": "'"}
	if _, _, err := Load("serve", nil, within.get, nil); err != nil {
		t.Errorf("a quote mark within: %v", err)
	}
}
