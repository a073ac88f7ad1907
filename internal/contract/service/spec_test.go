// Package service_test checks what holds for every route and operation, and what the service does when its databases,
// clients or collectors fail.
package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
	"storefront/internal/message/partner"
)

// TestSpecification sends the requests of testdata/spec.txt, and checks that each statement of the
// specification holds. The format is described at the beginning of that file.
func TestSpecification(t *testing.T) {
	text, err := os.ReadFile("testdata/spec.txt")
	if err != nil {
		t.Fatal(err)
	}
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		s := &specification{Accounts: a, codes: map[string]string{}, kept: map[string]string{
			"wrongkey": "0000", "wrong": "no.token.atall",
		}}
		for name, domain := range map[string]string{"key": "partner.example", "otherkey": "second.example"} {
			key, _, err := partner.Add(context.WithoutCancel(t.Context()), a.Store.Client, domain)
			if err != nil {
				t.Fatal(err)
			}
			s.kept[name] = key
		}
		for line := range strings.Lines(string(text)) {
			s.line(t, strings.TrimSpace(line))
		}
	})
}

// specification reads the statements, line by line.
type specification struct {
	*shoptest.Accounts
	statement string
	kept      map[string]string // values, by name
	codes     map[string]string // of the newest message, by cell
	headers   []string          // of the next request
	last      []shoptest.Answer // to the last line of requests
}

func (s *specification) line(t *testing.T, line string) {
	t.Helper()
	rest := strings.TrimSpace(line[min(len(line), 1):])
	switch {
	case line == "" || line[0] == '#':
	case line[0] == '[':
		s.statement = line
	case line[0] == '>':
		s.request(t, line[1:])
	case line[0] == '<':
		status, conditions, _ := strings.Cut(rest, " ")
		for _, a := range s.last {
			if strconv.Itoa(a.Status) != status {
				t.Errorf("%s: status %d, want %s: %s", s.statement, a.Status, status, a.Body)
				return
			}
			s.holds(t, a, conditions)
		}
	case line[0] == '=':
		name, path, _ := strings.Cut(rest, " ")
		value, _ := at(decoded(t, s.last[0]), path).(string)
		if value == "" {
			t.Fatalf("%s: the answer has no text at %s: %s", s.statement, path, s.last[0].Body)
		}
		s.kept[name] = value
	case line[0] == '@':
		name, value, _ := strings.Cut(rest, ": ")
		s.headers = append(s.headers, name, s.filled(t, value))
	case line[0] == '!':
		s.Phones.OutOfReach(rest)
	case line[0] == '+':
		d, err := time.ParseDuration(rest)
		if err != nil {
			t.Fatal(err)
		}
		s.Clock.Pass(d)
	case line[0] == '~':
		cell, part, _ := strings.Cut(rest, " ")
		text := s.Phones.Text(t, cell)
		s.codes[cell] = shoptest.SixDigits.FindString(text)
		if !strings.Contains(text, part) {
			t.Errorf("%s: got the message %q, want it to contain %q", s.statement, text, part)
		}
	default:
		t.Fatalf("what is %q?", line)
	}
}

// request sends "name METHOD /path {body}". With "name x30 METHOD …" it does so 30 times.
func (s *specification) request(t *testing.T, text string) {
	t.Helper()
	name, request, _ := strings.Cut(text, " ")
	times := 1
	if many, behind, _ := strings.Cut(request, " "); strings.HasPrefix(many, "x") {
		times, _ = strconv.Atoi(many[1:])
		request = behind
	}
	headers := s.headers
	s.headers = nil
	switch token := s.kept[name]; {
	case strings.HasSuffix(name, "key"):
		headers = append(headers, "X-Api-Key", token)
	case name != "":
		headers = append(headers, "Authorization", "Bearer "+token)
	}
	if strings.Contains(request, "/auth/send-otp ") { // a new code takes the place of the older ones
		clear(s.codes)
	}
	s.last = nil
	for i := range times {
		s.kept["i"] = fmt.Sprintf("%04d", i)
		method, rest, _ := strings.Cut(s.Named(t, s.filled(t, request)), " ")
		path, body, _ := strings.Cut(rest, " ")
		if root, ok := strings.CutPrefix(path, "^"); ok {
			s.last = append(s.last, s.At(t, method, root, headers...))
		} else {
			s.last = append(s.last, s.Send(t, method, shoptest.Ascii(path), body, headers...))
		}
	}
}

var blank = regexp.MustCompile(`\{\{[^}]+\}\}`)

// filled puts values in for {{name}}, {{code CELL}} and {{x COUNT}}.
func (s *specification) filled(t *testing.T, text string) string {
	t.Helper()
	return blank.ReplaceAllStringFunc(text, func(found string) string {
		name, of, _ := strings.Cut(strings.Trim(found, "{}"), " ")
		switch name {
		case "code":
			if s.codes[of] == "" {
				s.codes[of] = s.Phones.Code(t, of)
			}
			return s.codes[of]
		case "x":
			n, _ := strconv.Atoi(of)
			return strings.Repeat("x", n)
		}
		value, known := s.kept[name]
		if !known {
			t.Fatalf("%s: nothing is named %s", s.statement, name)
		}
		return value
	})
}

// holds checks that an answer meets conditions.
func (s *specification) holds(t *testing.T, a shoptest.Answer, conditions string) {
	t.Helper()
	if conditions == "" {
		return
	}
	body := decoded(t, a)
	for _, one := range condition.FindAllStringSubmatch(s.Named(t, s.filled(t, conditions)), -1) {
		absent, path, relation, want := one[1] != "", one[2], one[3], one[4]
		for _, value := range spread(body, path) {
			if !meets(value, absent, relation, want) {
				t.Errorf("%s: %s does not hold: %s", s.statement, one[0], a.Body)
			}
		}
	}
}

// condition matches a path, after "-" if it must be absent, a relation, and the value to compare with.
var condition = regexp.MustCompile(`(-?)([\w.*\[\]]+)(!=|[!#:=^]?)("(?:[^"\\]|\\.)*"|\[[^\]]*\]|[\w.?+-]*)`)

type missing struct{}

// meets reports whether a value has a relation to want, or is absent if it must be.
func meets(value any, absent bool, relation, want string) bool {
	if _, none := value.(missing); none || absent {
		return none && absent
	}
	switch relation {
	case "":
		return true
	case "!":
		return value != nil
	case "#":
		list, ok := value.([]any)
		return ok && strconv.Itoa(len(list)) == want
	case ":":
		bare, nullable := strings.CutSuffix(want, "?")
		return value == nil && nullable || typeOf(value) == bare || bare == "number" && typeOf(value) == "integer"
	case "^":
		text, ok := value.(string)
		return ok && strings.HasPrefix(text, strings.Trim(want, `"`))
	}
	var other any
	if json.Unmarshal([]byte(want), &other) != nil {
		return false
	}
	return reflect.DeepEqual(value, other) == (relation == "=")
}

// typeOf names the type of a value as JSON Schema does.
func typeOf(value any) string {
	switch value := value.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case float64:
		if value == float64(int64(value)) {
			return "integer"
		}
		return "number"
	}
	return "null"
}

func decoded(t *testing.T, a shoptest.Answer) (body any) {
	t.Helper()
	if err := json.NewDecoder(bytes.NewReader(a.Body)).Decode(&body); err != nil {
		t.Fatalf("%v: %s", err, a.Body)
	}
	return body
}

// at returns the value at a dotted path.
func at(value any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch of := value.(type) {
		case map[string]any:
			found, there := of[name]
			if !there {
				return missing{}
			}
			value = found
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(of) {
				return missing{}
			}
			value = of[i]
		default:
			return missing{}
		}
	}
	return value
}

// spread returns the values at a path, in which [*] stands for every element of a list that has some.
func spread(value any, path string) (all []any) {
	before, behind, many := strings.Cut(path, "[*].")
	if !many {
		return []any{at(value, path)}
	}
	list, _ := at(value, before).([]any)
	for _, element := range list {
		all = append(all, spread(element, behind)...)
	}
	if len(all) == 0 {
		return []any{missing{}}
	}
	return all
}
