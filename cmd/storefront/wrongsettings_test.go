package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// wrongSettings is a command with wrong settings. In a value, FOLDER stands for the folder that the command
// runs in, and FILES for one with the files of the test.
type wrongSettings struct {
	name string
	with settings
	args string   // of the command; empty: serve
	says []string // expected in the message
	once bool     // only with SQLite: the kind of database makes no difference
}

const (
	hiddenWord = "hunter2"
	shortKey   = hiddenWord
	longKey    = "hunter2-hunter2-hunter2-hunter2-hunter2"
)

var quoted = []string{"begins and ends with a quote mark"}

// unset returns a command without DATABASE_URL, because its name is misspelt.
func unset(args string) wrongSettings {
	return wrongSettings{name: "DATABASE_URL misspelt", args: args, once: true,
		with: settings{"DATABASE_URL": "", "DATABASE_URI": "postgres://shop:" + hiddenWord + "@db/shop"},
		says: []string{"DATABASE_URL (-database-url) must be set, as there is no storefront.db in this folder",
			"DATABASE_URI is set, which is no setting; is DATABASE_URL meant?"}}
}

// one returns a case with a wrong value of one setting.
func one(setting, value string, says ...string) wrongSettings {
	return wrongSettings{name: setting + "=" + value, with: settings{setting: value}, says: append(says, setting+" ")}
}

// ofURL returns cases with a wrong DATABASE_URL, for serve and for another command.
func ofURL(value string, says ...string) []wrongSettings {
	w := wrongSettings{name: "DATABASE_URL=" + value, with: settings{"DATABASE_URL": value}, once: true,
		says: append(says, "DATABASE_URL")}
	command := w
	command.args = "tenant list"
	return []wrongSettings{w, command}
}

var wrongTable = slices.Concat(
	[]wrongSettings{
		unset("migrate"), unset("import x.json"), unset("export x.example"), unset("tenant list"),
		unset("tenant add x.example X X"), unset("graphql {x}"), unset("partner add x.example"),
		unset("staff list"), unset("backup copy.db"),
		unset("restore copy.db"),
	},
	ofURL("mysql://root:"+hiddenWord+"@db/shop", "must begin with sqlite:// or postgres://"),
	ofURL("storefront.db", "must begin with sqlite:// or postgres://"),
	ofURL("sqlite://", "names no file"),
	ofURL("sqlite://:memory:", "names no file"),
	ofURL("sqlite://FOLDER/none/shop.db", "the folder FOLDER/none does not exist"),
	ofURL("sqlite://FILES", "is a folder"),
	ofURL("sqlite://FOLDER/shop.db?cache=shared", `unknown parameter "cache"`),
	ofURL("sqlite://FOLDER/shop.db?pool_size=many", "pool_size"),
	ofURL("sqlite://FOLDER/shop.db?synchronous=off", "full or normal"),
	ofURL(`"sqlite://FOLDER/shop.db"`, quoted...),
	ofURL("'postgres://shop:"+hiddenWord+"@127.0.0.1/shop'", quoted...),
	ofURL("postgres://shop:"+hiddenWord+"%zz@127.0.0.1/shop", "cannot be read"),
	ofURL("postgres://shop:"+hiddenWord+"@127.0.0.1/shop?sslmode=maybe", "sslmode"),
	ofURL("postgres://shop:"+hiddenWord+"@one,,two/shop", "is empty"),
	[]wrongSettings{
		{name: "no key", with: settings{"DATABASE_URL": "postgres://127.0.0.1/shop"}, once: true,
			says: []string{"TOKEN_SIGNING_KEY must be set with PostgreSQL"}},
		{name: "key misspelt", with: settings{"DATABASE_URL": "postgres://127.0.0.1/shop", "TOKEN_SIGNIN_KEY": longKey},
			once: true, says: []string{"TOKEN_SIGNING_KEY must be set with PostgreSQL",
				"TOKEN_SIGNIN_KEY is set, which is no setting; is TOKEN_SIGNING_KEY meant?"}},
		{name: "key file open to others", with: settings{"DATABASE_URL": "sqlite://FILES/open.db"}, once: true,
			says: []string{"open.db.key is open to others", "chmod 600"}},
		{name: "key file too short", with: settings{"DATABASE_URL": "sqlite://FILES/short.db"}, once: true,
			says: []string{"short.db.key has 7 bytes"}},
		one("TOKEN_SIGNING_KEY", shortKey, "has 7 bytes; it must have at least 32"),
		one("TOKEN_SIGNING_KEY", `"`+longKey+`"`, quoted...),
		one("TOKEN_SIGNING_KEY_FILE", "FILES/none", "cannot be read from the file that TOKEN_SIGNING_KEY_FILE names"),
		one("TOKEN_SIGNING_KEY_FILE", "FILES", "cannot be read from the file"),
		one("TOKEN_SIGNING_KEY_FILE", "FILES/quoted", quoted...),
		one("TOKEN_SIGNING_KEY_FILE", "'FILES/key'", quoted...),
		one("SMS_API_KEY_FILE", "FILES/none", "cannot be read from the file that SMS_API_KEY_FILE names"),
		{name: "key twice", with: settings{"TOKEN_SIGNING_KEY": longKey, "TOKEN_SIGNING_KEY_FILE": "FILES/key"},
			says: []string{"TOKEN_SIGNING_KEY is there beside TOKEN_SIGNING_KEY_FILE"}},
		{name: "database twice", with: settings{"DATABASE_URL_FILE": "FILES/key"}, args: "migrate",
			says: []string{"DATABASE_URL (-database-url) is there beside DATABASE_URL_FILE"}},
		one("LISTEN_ADDR", "8080", "it must be host:port"),
		one("LISTEN_ADDR", "http://127.0.0.1:8080", "it must be host:port"),
		one("LISTEN_ADDR", "'127.0.0.1:8080'", quoted...),
		one("METRICS_ADDR", "127.0.0.1:99999", "its port must be a number"),
		{name: "one address", with: settings{"LISTEN_ADDR": ":9000", "METRICS_ADDR": ":9000"},
			says: []string{"METRICS_ADDR must differ from LISTEN_ADDR"}},
		one("PUBLIC_URL", "api.example", "must be an http or https address"),
		one("MEDIA_DIR", "FILES/key", "names a folder in which nothing can be kept"),
		one("MEDIA_BUCKET", "s3://images", "must be the address of a bucket"),
		{name: "a bucket without keys", with: settings{"MEDIA_BUCKET": "https://s3.example/images",
			"MEDIA_DIR": "FOLDER"}, says: []string{"MEDIA_BUCKET_KEY_ID must be set", "MEDIA_BUCKET_KEY must be set",
			"MEDIA_DIR must be empty"}},
		{name: "keys without a bucket", with: settings{"MEDIA_BUCKET_KEY": hiddenWord, "MEDIA_BUCKET_KEY_ID": "id"},
			says: []string{"MEDIA_BUCKET_KEY_ID must be empty", "MEDIA_BUCKET_KEY must be empty"}},
		one("CORS_ORIGINS", "*,https://a.example/x", `"*"`, `"https://a.example/x"`),
		one("CORS_HEADERS", "Cookie", "must not come from pages"),
		one("TRUSTED_PROXIES", "10.0.0.0/33", "must be an address or a network"),
		one("GRAPHQL_EXPLORER", "yes", "it must be one of off, on"),
		one("DRAIN_TIME", "5", "it must be a time with its unit"),
		one("CACHE_SIZE", "64MB", "it must be a size with its unit"),
		one("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", "must be an http or https address"),
		one("OTEL_EXPORTER_OTLP_HEADERS", hiddenWord, "must be a list of name=value"),
		one("WEBHOOK_PRIVATE_ADDRESSES", "on", "it must be one of allow, refuse"),
		one("GATEWAY_URLS", "zibal=http://relay.example", "must be https, or http of this machine"),
		one("GATEWAY_TIME", "600", "it must be a ratio"),
		{name: "short windows at a gateway", with: settings{"GATEWAY_TIME": "1:600", "GATEWAY_URLS": "zibal=" +
			"http://127.0.0.1:1,zarinpal=http://127.0.0.1:1,zarinpal-sandbox=http://127.0.0.1:1," +
			"stripe=https://relay.example"}, says: []string{"GATEWAY_TIME must be empty unless GATEWAY_URLS"}},
		one("OTP_PER_MINUTE", "0", "it must be a whole number from 1 on"),
		one("SHOP_SMS_PER_DAY", "many", "it must be a whole number from 0 on"),
		one("REFUSE_COMMON_PASSWORDS", "1", "it must be one of on, off"),
		one("CLIENT_LIMITS", `"off"`, quoted...),
		one("SMS_PROVIDER", "twilio", "it must be one of"),
		{name: "provider alone", with: settings{"SMS_PROVIDER": "kavenegar"},
			says: []string{"SMS_API_KEY must be set for SMS_PROVIDER=kavenegar"}},
		{name: "smsir's line", with: settings{"SMS_PROVIDER": "smsir", "SMS_API_KEY": hiddenWord, "SMS_SENDER": "+98"},
			says: []string{"SMS_SENDER must be the number of a line"}},
		{name: "magfa's key", with: settings{"SMS_PROVIDER": "magfa", "SMS_API_KEY": hiddenWord},
			says: []string{"SMS_API_KEY must be USERNAME/DOMAIN:PASSWORD", "SMS_SENDER must be set"}},
		{name: "http without the rest", with: settings{"SMS_PROVIDER": "http"},
			says: []string{"SMS_BASE_URL must be set", "SMS_API_KEY must be set", "SMS_HTTP_TEMPLATE must be set"}},
		{name: "http with a broken template", with: settings{"SMS_PROVIDER": "http", "SMS_API_KEY": hiddenWord,
			"SMS_BASE_URL": "https://sms.example", "SMS_HTTP_TEMPLATE": "FILES/key"},
			says: []string{"SMS_HTTP_TEMPLATE is not"}},
		one("SMS_HTTP_TEMPLATE", "FILES/none", "names a file that cannot be read"),
		{name: "an unknown flag", args: "serve -listen-adr :1", says: []string{"not defined: -listen-adr"}},
		{name: "a secret as a flag", args: "serve -token-signing-key " + longKey, says: []string{"not defined"}},
		{name: "a surplus argument", args: "serve demo", says: []string{`serve takes no argument "demo"`}},
		{name: "many at once", with: settings{"LISTEN_ADDR": "8080", "CLIENT_LIMITS": "some", "DRAIN_TIME": "5",
			"TOKEN_SIGNING_KEY": "'" + longKey + "'", "SMS_PROVIDER": "smsir", "SMS_SENDER": "+98", "OTP_RESEND": "1"},
			says: []string{"LISTEN_ADDR ", "CLIENT_LIMITS ", "DRAIN_TIME ", "TOKEN_SIGNING_KEY begins",
				"SMS_API_KEY must be set", "SMS_SENDER must be the number", "OTP_RESEND "}},
		{name: "many at once, the folder too", once: true,
			with: settings{"DATABASE_URL": "sqlite://FOLDER/none/shop.db", "DRAIN_TIME": "5"},
			says: []string{"the folder FOLDER/none does not exist", "DRAIN_TIME "}},
	},
)

// TestWrongSettings runs the program with each of the wrong settings. It must report all faults and no
// secret, exit with 1, write no file and make no connection.
func TestWrongSettings(t *testing.T) {
	if len(wrongTable) < 37 {
		t.Fatalf("the table has %d rows, want 37 at least", len(wrongTable))
	}
	files := t.TempDir()
	for name, text := range map[string]string{"key": longKey, "quoted": `"` + longKey + "\"\n",
		"short.db.key": shortKey, "open.db.key": longKey} {
		if err := os.WriteFile(filepath.Join(files, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(files, "open.db.key"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := listed(t, files)
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			conn, err := server.Accept()
			if err != nil {
				return
			}
			t.Error("a connection to PostgreSQL was made")
			conn.Close()
		}
	}()
	defer server.Close()
	for _, w := range wrongTable {
		kinds := map[string]string{"sqlite": "sqlite://FOLDER/shop.db",
			"postgres": "postgres://shop:" + hiddenWord + "@" + server.Addr().String() + "/shop"}
		if w.once {
			delete(kinds, "postgres")
		}
		for kind, database := range kinds {
			t.Run(w.name+" "+w.args+" "+kind, func(t *testing.T) {
				folder := t.TempDir()
				t.Chdir(folder)
				places := strings.NewReplacer("FOLDER", folder, "FILES", files)
				s := on(database)
				if w.with["TOKEN_SIGNING_KEY_FILE"] != "" {
					delete(s, "TOKEN_SIGNING_KEY")
				}
				for name, value := range w.with {
					s[name] = value
				}
				for name, value := range s {
					s[name] = places.Replace(value)
				}
				args := strings.Fields(w.args)
				if len(args) == 0 {
					args = []string{"serve"}
				}
				ctx, stop := context.WithTimeout(t.Context(), 10*time.Second) // for a setting that is accepted
				defer stop()
				var stdout, stderr bytes.Buffer
				code := execute(ctx, args, s.program(&stdout, &stderr))
				if code != 1 || stdout.Len() > 0 {
					t.Errorf("got the exit code %d and %q on standard output, want 1 and nothing", code, &stdout)
				}
				for _, words := range w.says {
					words, _ := strings.CutSuffix(places.Replace(words), "_FILE ")
					if !strings.Contains(stderr.String(), words) {
						t.Errorf("got %s\nwant in it: %s", &stderr, words)
					}
				}
				if strings.Contains(stderr.String(), hiddenWord) {
					t.Errorf("a secret is shown: %s", &stderr)
				}
				if made := listed(t, folder); len(made) > 0 {
					t.Errorf("it made %q", made)
				}
				if after := listed(t, files); !slices.Equal(before, after) {
					t.Errorf("beside the files: got %q, want %q", after, before)
				}
			})
		}
	}
}

// listed returns the names of all files in a folder, and below.
func listed(t *testing.T, folder string) (names []string) {
	t.Helper()
	if err := filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		if path != folder {
			names = append(names, path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return names
}

// TestMisspeltSettingsAreWarnedOf starts a server with a misspelt DATABASE_URL and other misspelt settings.
// It uses its default database and warns of both. Another command uses the same database and warns too.
func TestMisspeltSettingsAreWarnedOf(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	ctx, stop := context.WithCancel(t.Context())
	misspelt := map[string]string{"DATABASE_URI": "DATABASE_URL", "TRUSTED_PROXY": "TRUSTED_PROXIES",
		"DRAINTIME": "DRAIN_TIME", "METRIC_ADDR": "METRICS_ADDR"}
	s := on("", "DRAIN_TIME", "0s", "PATH", "/bin", "PGHOST", "db", "KUBERNETES_PORT", "tcp://10.0.0.1:443",
		"OTEL_TRACES_EXPORTER", "otlp")
	for name := range misspelt {
		s[name] = hiddenWord
	}
	running := launched(ctx, s)
	warned, byDefault := map[string]string{}, ""
	for line := range running.log {
		var record struct{ Level, Msg, Variable, Setting, Database string }
		if err := json.Unmarshal([]byte(line), &record); err != nil || strings.Contains(line, hiddenWord) {
			t.Errorf("%v: %s", err, line)
		}
		if record.Level == "WARN" && record.Variable != "" {
			warned[record.Variable] = record.Setting
		}
		if record.Level == "WARN" && strings.HasPrefix(record.Msg, "DATABASE_URL is not set") {
			byDefault = record.Database
		}
		if record.Msg == "listening" {
			if want := "sqlite://" + folder + "/storefront.db"; record.Database != want || byDefault != want {
				t.Errorf("it listens on %q and warns of %q, want %q", record.Database, byDefault, want)
			}
			break
		}
	}
	if len(warned) != len(misspelt) {
		t.Errorf("warned of %v, want %v", warned, misspelt)
	}
	for name, setting := range misspelt {
		if warned[name] != setting {
			t.Errorf("%s: warned with %q, want %q", name, warned[name], setting)
		}
	}
	beside := settings{"DATABASE_URI": hiddenWord}
	_, stderr, err := beside.run(t, "tenant", "add", "one.example", "One", "یک")
	if err != nil || !strings.Contains(stderr, "DATABASE_URL is not set; this is sqlite://"+folder+"/storefront.db") ||
		!strings.Contains(stderr, "is DATABASE_URL meant?") || strings.Contains(stderr, hiddenWord) {
		t.Errorf("%v: %s", err, stderr)
	}
	stop()
	running.ends(t)
}

// TestListeningNamesTheDatabase checks that the password and parameters of the database's URL are not logged.
func TestListeningNamesTheDatabase(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		want, _, _ := strings.Cut(database, "?")
		if _, after, isPostgres := strings.Cut(want, "@"); isPostgres {
			want = "postgres://" + after
		}
		ctx, stop := context.WithCancel(t.Context())
		running := launched(ctx, on(database, "DRAIN_TIME", "0s"))
		for line := range running.log {
			var record struct{ Msg, Database string }
			if err := json.Unmarshal([]byte(line), &record); err != nil {
				t.Fatal(err)
			}
			if record.Msg == "listening" {
				if record.Database != want {
					t.Errorf("got %q, want %q", record.Database, want)
				}
				break
			}
		}
		stop()
		running.ends(t)
	})
}
