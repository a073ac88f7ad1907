package shoptest

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
	// Rounds multiplies the repetitions of races.
	Rounds = flag.Int("rounds", 1, "how many times more often races are run than in the suite")
)

// Step is a request and the status of its answer. The request is "METHOD path body" below /api/v1; <names> in
// it stand for ids (Names). The whole answer is in testdata/<test>/<name>.json, with names for ids.
type Step = struct {
	Name    string
	Request string
	Status  int
}

// Run sends the requests one after another and compares each answer with its golden one.
func (p *Place) Run(t *testing.T, steps []Step) {
	t.Helper()
	test, _, _ := strings.Cut(t.Name(), "/")
	known := map[string]bool{}
	for _, s := range steps {
		file := filepath.Join("testdata", test, strings.ReplaceAll(s.Name, " ", "-")+".json")
		if known[file] {
			t.Errorf("two steps are named %q", s.Name)
		}
		known[file] = true
		got := p.Ask(t, s.Request)
		if got.Status != s.Status {
			t.Errorf("%s: %s: status %d, want %d: %s", s.Name, s.Request, got.Status, s.Status, got.Body)
			continue
		}
		Compare(t, s, file, p.Readable(t, got))
	}
	NoneLeft(t, filepath.Join("testdata", test), known)
}

// NoneLeft checks that every golden file of a folder belongs to a step.
func NoneLeft(t *testing.T, folder string, names map[string]bool) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(folder, "*.json"))
	for _, file := range files {
		if !names[file] {
			t.Errorf("%s belongs to no step", file)
		}
	}
}

// Compare compares an answer with its golden file, or writes it with -update.
func Compare(t *testing.T, s Step, file string, got []byte) {
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
		t.Errorf("%s: %s answers otherwise than %s, from line %d:\n%s", s.Name, s.Request, file,
			FirstDifference(got, want), got)
	}
}

// FirstDifference returns the number of the first line that differs.
func FirstDifference(a, b []byte) int {
	left, right := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(left), len(right)) {
		if !bytes.Equal(left[i], right[i]) {
			return i + 1
		}
	}
	return min(len(left), len(right)) + 1
}

// Ask sends a request written as in a step.
func (p *Place) Ask(t testing.TB, request string) Answer {
	t.Helper()
	method, rest, _ := strings.Cut(p.Named(t, request), " ")
	path, body, _ := strings.Cut(rest, " ")
	return p.Send(t, method, Ascii(path), body)
}

// Ascii escapes characters that a URL may not have, as browsers do.
func Ascii(path string) string {
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
	// ID matches a UUID in an answer.
	ID        = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	timestamp = regexp.MustCompile(`"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"`)
	begun     = time.Now().Add(-time.Second) // before any template was made
)

// Readable returns an answer in the form of its golden file: indented, with names for ids, <request> for the
// request id, which must equal that of the header, and <now> for times at which this run wrote records.
func (p *Place) Readable(t testing.TB, a Answer) []byte {
	t.Helper()
	var indented bytes.Buffer
	if err := json.Indent(&indented, a.Body, "", "  "); err != nil {
		t.Fatalf("%v: %s", err, a.Body)
	}
	text := bytes.TrimSpace(indented.Bytes())
	if a.Status >= 400 {
		request := a.Header.Get("X-Request-Id")
		own := []byte(`"requestId": "` + request + `"`)
		if request == "" || bytes.Count(text, own) != 1 {
			t.Errorf("the answer has not the request id %q of its header: %s", request, a.Body)
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
