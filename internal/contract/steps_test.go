package contract_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var (
	update = flag.Bool("update", false, "write the golden answers anew, from SQLite")
	rounds = flag.Int("rounds", 1, "how many times more often races are run than in the suite")
)

// step is a request and the status of its answer. The request is "METHOD path body" below /api/v1; <names>
// in it stand for ids, see names. The whole answer is in testdata/<test>/<name>.json, with ids as names
// again.
type step struct {
	name    string
	request string
	status  int
}

// run sends the requests one after another and compares each answer with its golden one.
func (p *place) run(t *testing.T, steps []step) {
	t.Helper()
	test, _, _ := strings.Cut(t.Name(), "/")
	known := map[string]bool{}
	for _, s := range steps {
		file := filepath.Join("testdata", test, strings.ReplaceAll(s.name, " ", "-")+".json")
		if known[file] {
			t.Errorf("two steps are named %q", s.name)
		}
		known[file] = true
		got := p.ask(t, s.request)
		if got.status != s.status {
			t.Errorf("%s: %s: status %d, want %d: %s", s.name, s.request, got.status, s.status, got.body)
			continue
		}
		compare(t, s, file, p.readable(t, got))
	}
	noneLeft(t, filepath.Join("testdata", test), known)
}

// noneLeft checks that every golden file of a folder belongs to a step.
func noneLeft(t *testing.T, folder string, known map[string]bool) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(folder, "*.json"))
	for _, file := range files {
		if !known[file] {
			t.Errorf("%s belongs to no step", file)
		}
	}
}

func compare(t *testing.T, s step, file string, got []byte) {
	t.Helper()
	if *update && (strings.HasSuffix(t.Name(), "/sqlite") || strings.HasSuffix(t.Name(), "/sqlite/REST")) {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
	} else if !bytes.Equal(got, want) {
		t.Errorf("%s: %s answers otherwise than %s, from line %d:\n%s", s.name, s.request, file,
			firstDifference(got, want), got)
	}
}

func firstDifference(a, b []byte) int {
	left, right := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(left), len(right)) {
		if !bytes.Equal(left[i], right[i]) {
			return i + 1
		}
	}
	return min(len(left), len(right)) + 1
}

// ask sends a request written as in a step.
func (p *place) ask(t testing.TB, request string) answer {
	t.Helper()
	method, rest, _ := strings.Cut(p.named(t, request), " ")
	path, body, _ := strings.Cut(rest, " ")
	return p.send(t, method, ascii(path), body)
}

// ascii escapes what a URL may not hold, as browsers do.
func ascii(path string) string {
	var escaped strings.Builder
	for _, r := range path {
		if r < 0x80 {
			escaped.WriteRune(r)
		} else {
			escaped.WriteString(url.PathEscape(string(r)))
		}
	}
	return escaped.String()
}

var (
	id        = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	timestamp = regexp.MustCompile(`"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"`)
	begun     = time.Now().Add(-time.Second) // before any template was made
)

// readable writes an answer as its golden file has it: indented, ids by name, <request> for the request id,
// which must equal that of the header, and <now> for times at which this run wrote records.
func (p *place) readable(t testing.TB, a answer) []byte {
	t.Helper()
	var indented bytes.Buffer
	if err := json.Indent(&indented, a.body, "", "  "); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	text := bytes.TrimSpace(indented.Bytes())
	if a.status >= 400 {
		request := a.header.Get("X-Request-Id")
		own := []byte(`"requestId": "` + request + `"`)
		if request == "" || bytes.Count(text, own) != 1 {
			t.Errorf("the answer has not the request id %q of its header: %s", request, a.body)
		}
		text = bytes.Replace(text, own, []byte(`"requestId": "<request>"`), 1)
	}
	text = timestamp.ReplaceAllFunc(text, func(quoted []byte) []byte {
		at, err := time.Parse(`"`+time.RFC3339Nano+`"`, string(quoted))
		if err == nil && at.After(begun) && at.Before(time.Now().Add(time.Second)) {
			return []byte(`"<now>"`)
		}
		return quoted
	})
	return append(p.withNames(t, text), '\n')
}
