package main

import (
	"regexp"
	"strings"
)

// No migration of PostgreSQL may hold customers up, however large a table is: what scans or rewrites a table
// must not lock others out of it, and what locks them out must be quick.

var (
	comment     = regexp.MustCompile(`(?m)--.*$`)
	function    = regexp.MustCompile(`(?s)\$\$.*?\$\$`)
	makesTable  = regexp.MustCompile(`(?i)^CREATE TABLE "?(\w+)"?`)
	makesIndex  = regexp.MustCompile(`(?i)^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?.*? ON "?(\w+)"?`)
	dropsIndex  = regexp.MustCompile(`(?i)^DROP INDEX (CONCURRENTLY IF EXISTS )?`)
	altersTable = regexp.MustCompile(`(?is)^ALTER TABLE "?(\w+)"?(.*)$`)
	// harmless matches statements that are quick or block no other statement.
	harmless = regexp.MustCompile(`(?i)^(CREATE EXTENSION IF NOT EXISTS|(CREATE|DROP) TRIGGER |ANALYZE |COMMENT ON |` +
		`DROP TABLE )`)
	// functions matches statements about functions, which lock no table.
	functions = regexp.MustCompile(`(?i)^(CREATE (OR REPLACE )?|DROP )FUNCTION `)
	// slow lists parts of an ALTER TABLE that scan or rewrite the table, with what to do instead.
	slow = []struct {
		part    *regexp.Regexp
		instead string
	}{
		{regexp.MustCompile(`(?is)\bADD COLUMN\b[^,]*\bGENERATED\b`),
			"a column that is computed writes the table anew: add a plain one, " +
				"fill it in batches, and let the program write it"},
		{regexp.MustCompile(`(?is)\bADD COLUMN\b[^,]*\bDEFAULT\s+[^',]*\(`),
			"a default that is computed writes the table anew: give a constant"},
		{regexp.MustCompile(`(?is)\bADD COLUMN\b[^,]*\b(UNIQUE|PRIMARY KEY|REFERENCES|CHECK)\b`),
			"add the column alone, then its constraint"},
		{regexp.MustCompile(`(?is)\bALTER COLUMN\s+\S+\s+(SET DATA )?TYPE\b`),
			"a change of type writes the table anew: add a column of the new type"},
		{regexp.MustCompile(`(?is)\bSET NOT NULL\b`),
			"it reads the whole table: add a CHECK … NOT VALID and validate it"},
		{regexp.MustCompile(`(?is)\bADD (CONSTRAINT\s+\S+\s+)?(UNIQUE|PRIMARY KEY|EXCLUDE)\b`),
			"make the unique index concurrently, without the constraint"},
		{regexp.MustCompile(`(?is)\b(SET LOGGED|SET UNLOGGED|SET TABLESPACE|CLUSTER ON)\b`),
			"it writes the table anew"},
	}
	checks   = regexp.MustCompile(`(?is)\bADD CONSTRAINT\s+\S+\s+(CHECK|FOREIGN KEY)\b`)
	notValid = regexp.MustCompile(`(?is)\bNOT VALID\b`)
	validate = regexp.MustCompile(`(?is)\bVALIDATE CONSTRAINT\b`)
)

// statements returns the statements of a migration, without comments. It does not split the bodies of
// functions.
func statements(text string) (all []string) {
	text = comment.ReplaceAllString(function.ReplaceAllString(text, "$$$$"), "")
	for one := range strings.SplitSeq(text, ";") {
		if one = strings.Join(strings.Fields(one), " "); one != "" {
			all = append(all, one)
		}
	}
	return all
}

// holdups returns what in a migration of PostgreSQL would hold customers up. Each statement about an
// existing table needs a file of its own: a transaction keeps its locks to its end, and after a failure
// Migrate goes on with the next file.
func holdups(text string) (faults []string) {
	if strings.Contains(text, "\n-- batches from ") || strings.HasPrefix(text, "-- batches from ") {
		return nil
	}
	made, existing := map[string]bool{}, 0
	all := statements(text)
	fault := func(statement, why string) {
		faults = append(faults, statement[:min(len(statement), 70)]+": "+why)
	}
	for _, s := range all {
		table := makesTable.FindStringSubmatch(s)
		if table != nil {
			made[table[1]] = true
			continue
		}
		index, alters := makesIndex.FindStringSubmatch(s), altersTable.FindStringSubmatch(s)
		if index != nil && made[index[2]] || alters != nil && made[alters[1]] || functions.MatchString(s) {
			continue
		}
		existing++
		drops := dropsIndex.FindStringSubmatch(s)
		switch {
		case index != nil && index[1] == "":
			fault(s, "nobody could write meanwhile: CREATE INDEX CONCURRENTLY")
		case drops != nil && drops[1] == "":
			fault(s, "DROP INDEX CONCURRENTLY IF EXISTS")
		case alters != nil:
			for _, part := range slow {
				if part.part.MatchString(alters[2]) {
					fault(s, part.instead)
				}
			}
			if checks.MatchString(alters[2]) && !notValid.MatchString(alters[2]) {
				fault(s, "nobody could write meanwhile: NOT VALID, and VALIDATE CONSTRAINT in the next file")
			}
			if validate.MatchString(alters[2]) && checks.MatchString(alters[2]) {
				fault(s, "validate in a file of its own")
			}
		case index == nil && drops == nil && !harmless.MatchString(s):
			fault(s, "rows of existing tables are changed in batches (internal/database/migration/file.go)")
		}
	}
	if existing > 1 || existing > 0 && len(made) > 0 {
		faults = append(faults, "statements about existing tables have a file each")
	}
	return faults
}
