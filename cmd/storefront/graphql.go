package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"storefront/graph/engine"
	"storefront/internal/app"
	"storefront/internal/config"
	"storefront/internal/locale/search"
)

// graphQL runs a GraphQL document with every permission of staff, and prints its data.
func graphQL(ctx context.Context, args []string, p program) error {
	asked := engine.Command{Values: map[string]string{}}
	var asTable bool
	settings, words, err := loadWith("graphql", args, p, func(f *flag.FlagSet) {
		f.StringVar(&asked.Domain, "domain", "", "the shop of fields that name none, and of the variable domain")
		f.StringVar(&asked.Operation, "operation", "", "which operation of the document to run, if it has several")
		f.BoolVar(&asTable, "table", false, "print the first list of the answer in columns")
		f.Func("v", "a variable, as NAME=VALUE; lists and objects are JSON", func(given string) error {
			name, value, ok := strings.Cut(given, "=")
			if !ok {
				return errors.New("write it as NAME=VALUE")
			}
			asked.Values[name] = value
			return nil
		})
	})
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return errors.New("give one document, or a file with one: storefront graphql [-domain DOMAIN] " +
			"[-v NAME=VALUE] [-table] '{ … }'")
	}
	if asked.Source, err = documentOf(words[0]); err != nil {
		return err
	}
	if asked.Domain != "" {
		asked.Offered = map[string]string{"domain": asked.Domain}
	}
	service, end, err := serviceOf(ctx, settings, p)
	if err != nil {
		return err
	}
	result := service.Command(ctx, asked)
	end()
	if len(result.Data) > 0 && !bytes.Equal(result.Data, []byte("null")) {
		if err := printData(p.stdout, result.Data, asTable); err != nil {
			return err
		}
	}
	if len(result.Errors) > 0 {
		return errors.New(strings.Join(result.Messages(), "\n"))
	}
	return nil
}

// documentOf returns the document that an argument is, or that is in the file of this name. "-" is standard
// input.
func documentOf(words string) (string, error) {
	if strings.Contains(words, "{") {
		return words, nil
	}
	if words == "-" {
		words = "/dev/stdin"
	}
	text, err := os.ReadFile(words)
	return string(text), err
}

// serviceOf returns the service that a server with these settings would be, without limits by address. end
// waits until its SMS are sent, and closes the database.
func serviceOf(ctx context.Context, settings config.Config, p program) (service *app.App, end func(), err error) {
	handler, lines := config.LogHandler(p.stderr)
	log := slog.New(handler)
	images, err := imagesOf(ctx, settings, log)
	if err != nil {
		return nil, nil, err
	}
	sender, err := settings.Sender(p.stderr)
	if err != nil {
		return nil, nil, err
	}
	s, err := openMigrated(ctx, settings)
	if err != nil {
		return nil, nil, err
	}
	key, err := config.SigningKey(settings) // never made without its database
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	options := optionsOf(settings, key, sender, images)
	options.CacheSize, options.CodesToAddress, options.ClientLimits = 0, math.MaxInt, app.ClientLimits{}
	if service, err = app.New(s, log, options); err != nil {
		s.Close()
		return nil, nil, err
	}
	return service, func() {
		sending, stop := context.WithTimeout(ctx, closeTime)
		defer stop()
		service.Close(sending)
		s.Close()
		lines.Close()
	}, nil
}

func printData(to io.Writer, data json.RawMessage, asTable bool) error {
	if asTable {
		return printTable(to, data)
	}
	var text bytes.Buffer
	if err := json.Indent(&text, data, "", "  "); err != nil {
		return err
	}
	text.WriteByte('\n')
	_, err := to.Write(text.Bytes())
	return err
}

// cell is a value of a row of a table, with its path below the row.
type cell struct{ name, value string }

// printTable prints the first list of objects in the data with a row for each. Without a list it prints one
// row. Objects within a row become columns of their own, and lists become JSON.
func printTable(to io.Writer, data json.RawMessage) error {
	rows := [][]cell{}
	if list := firstList(data); list == nil {
		rows = append(rows, cellsOf(nil, "", data))
	} else {
		for _, row := range list {
			rows = append(rows, cellsOf(nil, "", row))
		}
	}
	var names []string
	for _, row := range rows {
		for _, c := range row {
			if !slices.Contains(names, c.name) {
				names = append(names, c.name)
			}
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { // of an object that is null in a row
		return slices.ContainsFunc(names, func(other string) bool { return strings.HasPrefix(other, name+".") })
	})
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	if len(names) > 0 {
		fmt.Fprintln(table, strings.Join(names, "\t"))
	}
	for _, row := range rows {
		values := make([]string, len(names))
		for i, name := range names {
			values[i] = "-"
			if at := slices.IndexFunc(row, func(c cell) bool { return c.name == name }); at >= 0 {
				values[i] = row[at].value
			}
		}
		fmt.Fprintln(table, strings.Join(values, "\t"))
	}
	return table.Flush()
}

// firstList returns the first list of objects in a value, or nil without one.
func firstList(value json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) == nil {
		if len(list) > 0 && list[0][0] != '{' {
			return nil
		}
		return list
	}
	for _, m := range membersOf(value) {
		if list := firstList(m.value); list != nil {
			return list
		}
	}
	return nil
}

// cellsOf appends the cells of a value to row.
func cellsOf(row []cell, name string, value json.RawMessage) []cell {
	members := membersOf(value)
	if members == nil {
		var text string
		switch {
		case string(value) == "null":
			text = "-"
		case json.Unmarshal(value, &text) != nil:
			text = string(value)
		}
		return append(row, cell{name, printable(text)})
	}
	for _, m := range members {
		path := m.name
		if name != "" {
			path = name + "." + path
		}
		row = cellsOf(row, path, m.value)
	}
	return row
}

type member struct {
	name  string
	value json.RawMessage
}

// membersOf returns the members of an object in their order, or nil for another value.
func membersOf(value json.RawMessage) (members []member) {
	read := json.NewDecoder(bytes.NewReader(value))
	if begin, err := read.Token(); err != nil || begin != json.Delim('{') {
		return nil
	}
	for read.More() {
		name, _ := read.Token()
		m := member{name: name.(string)}
		if read.Decode(&m.value) != nil {
			return nil // the engine writes valid JSON
		}
		members = append(members, m)
	}
	return members
}

// printable returns a text without control characters, which a terminal would interpret.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || search.IsDirection(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
