package main

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

var (
	newIndex = regexp.MustCompile(`(?i)^(CREATE (?:UNIQUE )?INDEX) `)
	oldIndex = regexp.MustCompile(`(?i)^DROP INDEX `)
)

// split splits a file of PostgreSQL into files that block no customer, as far as their order allows; holdups
// reports the rest. Statements about new tables stay together, each other statement gets a file of its own,
// and indexes are created concurrently.
func split(text string) (files []string) {
	made, together := map[string]bool{}, false
	said := ""
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "--") {
			said += line
			continue
		}
		table := makesTable.FindStringSubmatch(line)
		index, alters := makesIndex.FindStringSubmatch(line), altersTable.FindStringSubmatch(line)
		ofNew := table != nil || index != nil && made[index[2]] || alters != nil && made[alters[1]]
		if table != nil {
			made[table[1]] = true
		}
		if !ofNew {
			line = newIndex.ReplaceAllString(line, "$1 CONCURRENTLY ")
			line = oldIndex.ReplaceAllString(line, "DROP INDEX CONCURRENTLY IF EXISTS ")
		}
		if ofNew && together {
			files[len(files)-1] += said + line
		} else {
			files = append(files, said+line)
		}
		said, together = "", ofNew
	}
	return files
}

// named returns the names of the n files of one change; each is a second later than the one before.
func named(version, change string, n int) (names []string, err error) {
	at, err := time.Parse(stamp, version)
	for i := range n {
		names = append(names, fmt.Sprintf("%s_%s.sql", at.Add(time.Duration(i)*time.Second).Format(stamp), change))
	}
	return names, err
}

const stamp = "20060102150405"
