package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestUnusualValuesAreSaid checks that what is probably a mistake is taken, and said with what it means; what people
// use is not.
func TestUnusualValuesAreSaid(t *testing.T) {
	for setting, means := range map[string]string{
		"SMS_PROVIDER=log":                                    "reach nobody",
		"SMS_BASE_URL=http://sms.example":                     "can be read on the way",
		"AUDIT_TTL=1s":                                        "after 1s; the first time 10m0s after the start",
		"AUDIT_TTL=12m":                                       "after 12m0s; the first time",
		"CONTACT_TTL=1s":                                      "the first time",
		"CART_TTL=1s":                                         "the first time",
		"UNPROVEN_ACCOUNT_TTL=1s":                             "the first time",
		"CLOSED_ACCOUNT_TTL=87600h":                           "is kept",
		"TRUSTED_PROXIES=10.1.0.0/16, 0.0.0.0/0":              "chooses the address",
		"TRUSTED_PROXIES=::/0":                                "chooses the address",
		"TRUSTED_PROXIES=0.0.0.0/1":                           "chooses the address",
		"TOKEN_SIGNING_KEY=" + strings.Repeat("a", 40):        "guesses it",
		"TOKEN_SIGNING_KEY_OTHER=" + strings.Repeat("ab", 20): "guesses it",
		"CACHE_SIZE=64GiB":                                    "memory",
		"CORS_ORIGINS=http://admin.example":                   "not encrypted",
		"WEBHOOK_PRIVATE_ADDRESSES=allow":                     "inside its network",
		"GATEWAY_URLS=zibal=http://127.0.0.1:8081":            "of this machine",
		"DRAIN_TIME=10h":                                      "kill it",
		"OTP_RESEND=0s":                                       "ask for one",
		"OTP_PER_MINUTE=100000":                               "so many SMS",
		"OTP_PER_DAY=100000":                                  "so many SMS",
		"CLIENT_LIMITS=off":                                   "any number",
	} {
		name, value, _ := strings.Cut(setting, "=")
		c, _, err := Load("serve", nil, env{name: value}.get, nil)
		if err != nil || len(c.Unusual) != 1 || c.Unusual[0].Name != name || c.Unusual[0].Sensible == "" ||
			!strings.Contains(c.Unusual[0].Means, means) {
			t.Errorf("%s: got %v, %v; want %q", setting, c.Unusual, err, means)
		}
		want := time.Duration(0)
		if strings.Contains(means, "the first time") {
			want = sweepsAfter
		}
		if c.FirstSweep != want {
			t.Errorf("%s: the first sweep waits %v, want %v", setting, c.FirstSweep, want)
		}
	}
	for _, setting := range []string{"AUDIT_TTL=8760h", "AUDIT_TTL=0s", "CART_TTL=2160h", "CLOSED_ACCOUNT_TTL=720h",
		"TRUSTED_PROXIES=10.0.0.0/8,fd00::/48", "TOKEN_SIGNING_KEY=" + key32, "CORS_ORIGINS=http://localhost:3000",
		"SMS_BASE_URL=http://127.0.0.1:9/x", "SMS_BASE_URL=https://sms.example", "CACHE_SIZE=1GiB", "DRAIN_TIME=10s",
		"GATEWAY_URLS=zibal=https://relay.example"} {
		name, value, _ := strings.Cut(setting, "=")
		c, _, err := Load("serve", nil, env{name: value}.get, nil)
		if err != nil || c.Unusual != nil || c.FirstSweep != 0 {
			t.Errorf("%s: got %v, %v; want nothing", setting, c.Unusual, err)
		}
	}
}

// TestEmptyFilesAreRefused checks that the file of a secret, or of the database's URL, that has nothing in it is not
// taken for a setting that is not set.
func TestEmptyFilesAreRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "empty")
	for _, text := range []string{"", "\n", " \n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"DATABASE_URL_FILE", "TOKEN_SIGNING_KEY_FILE", "SMS_API_KEY_FILE"} {
			if _, _, err := Load("serve", nil, env{name: file}.get, nil); err == nil ||
				!strings.Contains(err.Error(), name+" names is empty") {
				t.Errorf("%s with %q: got %v", name, text, err)
			}
		}
	}
}
