// Package releases names the releases of the project: the commit of each, and the checksums of its migrations,
// which never change from then on. They are in internal/database/versions/releases.json, oldest first;
// internal/database/recordrelease adds one.
package releases

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
)

// Release is a release of the project.
type Release struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`

	// Migrations are the SHA-256 of the files of each kind of database, by the names of its folder and theirs.
	Migrations map[string]map[string]string `json:"migrations"`
}

// Last is the name of the last migration of a kind of database.
func (r Release) Last(kind string) string {
	return slices.Max(append(slices.Collect(maps.Keys(r.Migrations[kind])), ""))
}

// Read reads the releases that a file names.
func Read(path string) (all []Release, err error) {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	return all, err
}

// Write writes the releases to a file.
func Write(path string, all []Release) error {
	text, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// Sum is the checksum of a migration.
func Sum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Broken returns the migrations of all releases that are missing or changed. read returns the content of a
// migration by the names of its folder and file.
func Broken(all []Release, read func(kind, name string) ([]byte, error)) (faults []string) {
	for _, r := range all {
		for _, kind := range slices.Sorted(maps.Keys(r.Migrations)) {
			for _, name := range slices.Sorted(maps.Keys(r.Migrations[kind])) {
				text, err := read(kind, name)
				switch {
				case err != nil:
					faults = append(faults, strings.Join([]string{kind, name, "of", r.Version, "is missing"}, " "))
				case Sum(text) != r.Migrations[kind][name]:
					faults = append(faults, strings.Join([]string{kind, name, "of", r.Version, "was changed"}, " "))
				}
			}
		}
	}
	return faults
}
