package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// provider says which settings an SMS provider requires.
type provider struct{ baseURL, apiKey, sender, template bool }

var providers = map[string]provider{
	"none":      {},
	"log":       {},
	"kavenegar": {apiKey: true},
	"smsir":     {apiKey: true, sender: true},
	"magfa":     {apiKey: true, sender: true},
	"http":      {apiKey: true, baseURL: true, template: true},
}

func providerNames() []string { return slices.Sorted(maps.Keys(providers)) }

// check returns the faults of settings that are each valid but do not fit together.
func (c Config) check(command string) (wrong []error) {
	if command != "serve" {
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
	if path, isFile := c.SQLiteFile(); isFile {
		if len(c.DatabaseReplicas) > 0 {
			wrong = append(wrong, errors.New("DATABASE_REPLICA_URL must be empty with SQLite, which has no replicas"))
		}
		if c.SigningKey == "" {
			if _, err := readKey(path + ".key"); err != nil && !errors.Is(err, fs.ErrNotExist) {
				wrong = append(wrong, err)
			}
		}
	}
	needs := providers[c.SMS.Provider]
	for _, one := range []struct {
		name    string
		missing bool
	}{
		{"SMS_BASE_URL", needs.baseURL && c.SMS.BaseURL == ""},
		{"SMS_API_KEY", needs.apiKey && c.SMS.APIKey == ""},
		{"SMS_SENDER", needs.sender && c.SMS.Sender == ""},
		{"SMS_HTTP_TEMPLATE", needs.template && c.SMS.Template == ""},
	} {
		if one.missing {
			wrong = append(wrong, fmt.Errorf("%s must be set for SMS_PROVIDER=%s", one.name, c.SMS.Provider))
		}
	}
	return wrong
}
