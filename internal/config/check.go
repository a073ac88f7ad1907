package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

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
