package shoptest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"storefront/ent"
	"storefront/internal/demo/customers"
	"storefront/internal/pages/openapi"
	"storefront/internal/pages/openapi/openapitest"
	"storefront/rest"
)

// described is the OpenAPI document that every answer must follow.
var described = sync.OnceValues(func() (*openapitest.Document, error) {
	return openapitest.Load(openapi.Document)
})

// Receive reads a response and checks it against the OpenAPI document, in every test. Only answers over raw
// sockets and of handlers without a network are not read here.
func Receive(t testing.TB, response *http.Response) Answer {
	t.Helper()
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Errorf("%s %s: %v", response.Request.Method, response.Request.URL, err)
		return Answer{}
	}
	got := Answer{response.StatusCode, response.Header, body}
	asked := response.Request
	// present if the path was sent unchanged
	path := strings.TrimPrefix(asked.URL.RequestURI(), "http://"+asked.URL.Host)
	preflight := asked.Method == http.MethodOptions && asked.Header.Get("Access-Control-Request-Method") != ""
	if strings.HasPrefix(path, rest.Prefix+"/") && !preflight { // preflights are the same for all paths
		checkDocumented(t, asked.Method, path, got)
	}
	return got
}

// checkDocumented checks an answer against the OpenAPI document.
func checkDocumented(t testing.TB, method, target string, a Answer) {
	t.Helper()
	document, err := described()
	if err != nil {
		t.Error(err)
		return
	}
	id := answerID(method, target, a)
	if _, seen := rightAnswers.Load(id); seen {
		return
	}
	body := a.Body
	if a.Header.Get("Content-Encoding") == "gzip" && method != http.MethodHead {
		body = Gunzip(t, body)
	}
	if err := document.Answer(method, target, a.Status, a.Header, body); err != nil {
		t.Errorf("%.600v", err)
		return
	}
	rightAnswers.Store(id, true)
}

// rightAnswers holds, by answerID, answers that were checked already: most answers of a test are repeated.
var rightAnswers sync.Map

// answerID returns a hash of a request and its answer, without the time and the request id.
func answerID(method, target string, a Answer) [sha256.Size]byte {
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s %q %d\n", method, target, a.Status)
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		values := a.Header[name]
		if len(values) > 0 && (name == "Date" || name == "X-Request-Id") {
			values = values[1:]
		}
		fmt.Fprintf(&text, "%s %q\n", name, values)
	}
	text.Write(a.Body)
	return sha256.Sum256(text.Bytes())
}

// WithCustomers adds the demo's customers and their orders to the demo shops, as storefront serve --demo does,
// with the times of the files.
func WithCustomers(t *testing.T, client *ent.Client) customers.SignIn {
	t.Helper()
	in, err := customers.Load(t.Context(), client, 0)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// Text returns a text in an answer, by its path: "cart.items.0.id".
func (a Answer) Text(t testing.TB, path string) string {
	t.Helper()
	var at any
	if err := json.Unmarshal(a.Body, &at); err != nil {
		t.Fatalf("%v: %s", err, a.Body)
	}
	for name := range strings.SplitSeq(path, ".") {
		if list, ok := at.([]any); ok && name == "0" && len(list) > 0 {
			at = list[0]
		} else {
			members, _ := at.(map[string]any)
			at = members[name]
		}
	}
	found, ok := at.(string)
	if !ok {
		t.Fatalf("%s is no text: %s", path, a.Body)
	}
	return found
}
