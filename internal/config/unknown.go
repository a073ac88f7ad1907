package config

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

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
func nearestTo(name string, known []string) string {
	const most = 3 // wrong letters at most, and no more than one in four
	bare := strings.TrimSuffix(strings.TrimPrefix(name, "STOREFRONT_"), "_FILE")
	nearest, least := "", len(name)+1
	for _, candidate := range known {
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
