package config

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"storefront/internal/sale/gateway"
)

// Load reads the settings of a command from its arguments and, where no flag is given, from the environment, in
// which an empty variable counts as unset. The functions own add flags of the command itself. It returns the
// arguments that are not flags, which may stand before, between and after the flags; "--" ends the flags.
//
// The error names every fault, one line each, and never holds a value that may be secret. The settings without
// a fault are returned with it. An unknown flag writes the usage to stderr; so does -h, which returns
// flag.ErrHelp.
func Load(
	command string, args []string, getenv func(string) string, stderr io.Writer, own ...func(*flag.FlagSet),
) (Config, []string, error) {
	groups, known := commands[command]
	if !known {
		names := slices.Sorted(maps.Keys(commands))
		return Config{}, nil, fmt.Errorf("there is no command %q; the commands are %s", command,
			strings.Join(names, ", "))
	}
	var c Config
	var settings []setting
	for _, group := range groups {
		settings = append(settings, group(&c)...)
	}
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // Load words the errors itself
	for _, add := range own {
		add(flags)
	}
	given := flagValues(flags, settings)

	rest, err := parse(flags, args)
	if errors.Is(err, flag.ErrHelp) {
		writeUsage(stderr, flags, settings)
		return Config{}, nil, flag.ErrHelp
	}
	if err != nil {
		writeUsage(stderr, flags, settings)
	}
	wrong := []error{err}
	for _, s := range settings {
		value, problem := s.value(given, getenv)
		if problem == nil {
			problem = s.read(value)
		}
		if problem != nil {
			wrong = append(wrong, fmt.Errorf("%s %w", s.names(), problem))
		}
	}
	wrong = append(wrong, c.check(command)...)
	var deletes bool
	if c.Unusual, deletes = unusual(settings); deletes {
		c.FirstSweep = sweepsAfter
	}
	c.DatabaseByDefault = c.DatabaseURL == defaultDatabase &&
		given["DATABASE_URL"] == nil && strings.TrimSpace(getenv("DATABASE_URL")+getenv("DATABASE_URL_FILE")) == ""
	c.MediaURL = strings.TrimSuffix(cmp.Or(c.MediaURL, c.PublicURL), "/")
	return c, rest, errors.Join(wrong...)
}

// flagValues adds a flag for each setting that is not secret, and returns the values that parsing will set.
func flagValues(flags *flag.FlagSet, settings []setting) map[string]*string {
	given := map[string]*string{}
	for _, s := range settings {
		if s.secret {
			continue
		}
		flags.Func(s.flag(), s.help, func(value string) error {
			given[s.name] = &value
			return nil
		})
	}
	return given
}

// value returns the value of the flag, else of the variable, else of the file that the variable with _FILE
// names if the setting may hold a secret, else the preset.
func (s setting) value(flags map[string]*string, getenv func(string) string) (string, error) {
	value := getenv(s.name)
	if fromFlag := flags[s.name]; fromFlag != nil {
		value = *fromFlag
	}
	if file := getenv(s.name + "_FILE"); file != "" && s.mayBeFile() {
		if value != "" {
			return "", fmt.Errorf("is there beside %s_FILE: leave one of them out", s.name)
		}
		if isQuoted(file) {
			return "", fmt.Errorf("cannot be read from a file, as %s_FILE %w", s.name, errQuoted)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("cannot be read from the file that %s_FILE names: %w", s.name, err)
		}
		if value = strings.TrimRight(string(text), "\r\n"); strings.TrimSpace(value) == "" {
			return "", fmt.Errorf("cannot be read: the file that %s_FILE names is empty", s.name)
		}
	}
	if isQuoted(value) {
		return "", errQuoted
	}
	if !s.secret {
		value = strings.TrimSpace(value)
	}
	if value == "" {
		return s.preset, nil
	}
	return value, nil
}

// isQuoted reports whether a value is in quotation marks. Shells and systemd remove them, `docker run
// --env-file` does not: two servers would have different keys.
func isQuoted(value string) bool {
	value = strings.TrimSpace(value)
	return len(value) > 1 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0]
}

var errQuoted = errors.New("begins and ends with a quote mark, which would be a part of the value: leave both out")

// mayBeFile reports whether the value may come from a file, which is how orchestrators pass secrets. The URL
// of the database may hold a password.
func (s setting) mayBeFile() bool { return s.secret || s.name == "DATABASE_URL" }

// flag returns the name of the setting's flag: listen-addr for LISTEN_ADDR.
func (s setting) flag() string { return strings.ReplaceAll(strings.ToLower(s.name), "_", "-") }

func (s setting) names() string {
	if s.secret {
		return s.name
	}
	return s.name + " (-" + s.flag() + ")"
}

// parse accepts flags after other arguments, which package flag alone does not.
func parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		read := len(args) - flags.NArg()
		if flags.NArg() == 0 || read > 0 && args[read-1] == "--" {
			return append(rest, flags.Args()...), nil
		}
		rest = append(rest, flags.Arg(0))
		args = flags.Args()[1:]
	}
}

// writeUsage lists flags and variables with their presets, never with values of the environment.
func writeUsage(to io.Writer, flags *flag.FlagSet, settings []setting) {
	fmt.Fprintf(to, "usage: storefront %s\n", flags.Name())
	listed := map[string]bool{}
	for _, s := range settings {
		listed[s.flag()] = true
		preset := ""
		if s.preset != "" {
			preset = " (default " + s.preset + ")"
		}
		if s.usual.values != "" {
			preset = "; sensible: " + s.usual.values + preset
		}
		fmt.Fprintf(to, "  %s\n    \t%s%s\n", s.names(), s.help, preset)
	}
	flags.VisitAll(func(f *flag.Flag) {
		if !listed[f.Name] {
			fmt.Fprintf(to, "  -%s\n    \t%s\n", f.Name, f.Usage)
		}
	})
}

// check returns the faults of settings that are valid by themselves but do not fit together.
func (c Config) check(command string) (wrong []error) {
	switch command {
	case "import", "export", "shop":
		return c.checkBucket()
	case "serve", "graphql":
	default:
		return nil
	}
	if c.MetricsAddr != "" && c.MetricsAddr == c.ListenAddr {
		wrong = append(wrong, errors.New(
			"METRICS_ADDR must differ from LISTEN_ADDR: what it serves is for the operator alone"))
	}
	if _, isFile := c.SQLiteFile(); c.DatabaseURL != "" && !isFile && c.SigningKey == "" {
		wrong = append(wrong, errors.New("TOKEN_SIGNING_KEY must be set with PostgreSQL, alike for all instances; "+
			"make one with: openssl rand -hex 32"))
	}
	if path, isFile := c.SQLiteFile(); isFile && c.SigningKey == "" {
		if _, err := readKey(path + ".key"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			wrong = append(wrong, err)
		}
	}
	if c.GatewayTime > 1 && !gateway.StoodIn(c.GatewayURLs) {
		wrong = append(wrong, errors.New("GATEWAY_TIME must be empty unless GATEWAY_URLS has an address of this "+
			"machine for each gateway: real customers would not have the time to pay"))
	}
	wrong = append(wrong, c.checkBucket()...)
	if _, err := c.Sender(io.Discard); err != nil {
		wrong = append(wrong, err)
	}
	return wrong
}

// checkBucket returns the faults of the settings of a bucket.
func (c Config) checkBucket() (wrong []error) {
	for _, one := range []struct {
		name  string
		given bool
	}{
		{"MEDIA_BUCKET_KEY_ID", c.MediaKeyID != ""},
		{"MEDIA_BUCKET_KEY", c.MediaKey != ""},
	} {
		if one.given && c.MediaBucket == "" {
			wrong = append(wrong, fmt.Errorf("%s must be empty without MEDIA_BUCKET: images would be kept in a folder",
				one.name))
		}
		if !one.given && c.MediaBucket != "" {
			wrong = append(wrong, fmt.Errorf("%s must be set with MEDIA_BUCKET", one.name))
		}
	}
	if c.MediaBucket != "" && c.MediaDir != "" {
		wrong = append(wrong, errors.New("MEDIA_DIR must be empty with MEDIA_BUCKET: images are kept in one place"))
	}
	return wrong
}

// Unknown is a variable of the environment that looks like a setting but is not one.
type Unknown struct{ Name, Nearest string }

// Unknowns returns the variables of an environment, as os.Environ gives it, that an operator may take for
// settings: names a few letters away from a setting, or with a prefix that only settings have. They are sorted
// by name.
func Unknowns(environ []string) (found []Unknown) {
	known := settingNames()
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		if value == "" || slices.Contains(known, name) || ofOthers(name, value) {
			continue
		}
		if nearest := nearestTo(strings.ToUpper(name), known); nearest != "" {
			found = append(found, Unknown{name, nearest})
		}
	}
	slices.SortFunc(found, func(a, b Unknown) int { return strings.Compare(a.Name, b.Name) })
	return found
}

// settingNames returns the names of all variables that are read.
func settingNames() (names []string) {
	var c Config
	for _, s := range slices.Concat(database(&c), serving(&c), images(&c)) {
		names = append(names, s.name)
		if s.mayBeFile() {
			names = append(names, s.name+"_FILE")
		}
	}
	return names
}

// others are variables of systemd and Kubernetes, whose names may begin as settings do.
var others = regexp.MustCompile(`^LISTEN_(PID|FDS|FDNAMES)$|_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)`)

func ofOthers(name, value string) bool {
	link := strings.HasSuffix(name, "_PORT") && strings.Contains(value, "://") // of a Kubernetes service
	return link || others.MatchString(name)
}

// beginnings are the prefixes of settings that no other program's variables have.
var beginnings = []string{
	"CORS_", "DATABASE_", "DRAIN_", "GRAPHQL_", "METRICS_", "OTP_", "SMS_", "TOKEN_SIGNING_", "TRUSTED_", "UNPROVEN_",
}

// nearestTo returns the setting that a name may be meant for, or "".
func nearestTo(name string, names []string) string {
	const most = 3 // wrong letters at most, and no more than one in four
	bare := strings.TrimSuffix(strings.TrimPrefix(name, "STOREFRONT_"), "_FILE")
	nearest, least := "", len(name)+1
	for _, candidate := range names {
		if d := levenshtein.ComputeDistance(bare, candidate); d < least {
			nearest, least = candidate, d
		}
	}
	begins := func(beginning string) bool { return strings.HasPrefix(bare, beginning) }
	switch {
	case least <= min(most, len(bare)/4), slices.ContainsFunc(beginnings, begins):
		return nearest
	}
	return ""
}
