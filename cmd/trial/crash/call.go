package crash

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// errLost says that a request got no answer, or one that leaves open whether it was done; errGone, which is
// one of those, that the server cannot be reached.
var (
	errLost = errors.New("it is open whether the request was done")
	errGone = fmt.Errorf("%w: there was no answer", errLost)
)

// refusal is an error answer: nothing was done.
type refusal struct {
	status int
	code   string
	body   []byte
}

func (r *refusal) Error() string { return fmt.Sprintf("%d %s", r.status, r.body) }

// door sends requests to the service on one account.
type door struct {
	web   *http.Client
	base  string // URL of the server
	token string // empty: signed out
}

func newDoor() *door {
	return &door{web: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1},
		Timeout: 20 * time.Second}}
}

// call sends a body, if any, with an Idempotency-Key, if any, and reads the answer into to, if any. It
// fails with errLost or a refusal.
func (d *door) call(ctx context.Context, method, path, key string, body []byte, to any) error {
	// A reader that net/http cannot rewind: it would send a request with this header again by itself.
	request, err := http.NewRequestWithContext(ctx, method, d.base+path, io.NopCloser(bytes.NewReader(body)))
	if err != nil {
		return err
	}
	request.ContentLength = int64(len(body))
	if len(body) == 0 {
		request.Body = nil
	} else {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	if d.token != "" {
		request.Header.Set("Authorization", "Bearer "+d.token)
	}
	response, err := d.web.Do(request)
	if err != nil {
		return errors.Join(errGone, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return errors.Join(errGone, err)
	}
	if response.StatusCode == http.StatusServiceUnavailable {
		return fmt.Errorf("%w: %s", errLost, text)
	}
	if response.StatusCode >= 400 {
		var said struct{ Code string }
		_ = json.Unmarshal(text, &said) // its absence shows in the code
		return &refusal{response.StatusCode, said.Code, text}
	}
	if to == nil {
		return nil
	}
	return json.Unmarshal(text, to)
}

// ask runs a GraphQL operation as call does.
func (d *door) ask(ctx context.Context, query string, variables map[string]any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return err
	}
	var answer struct {
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	if err := d.call(ctx, http.MethodPost, "/graphql", "", body, &answer); err != nil ||
		len(answer.Errors) == 0 {
		return err
	}
	first := answer.Errors[0]
	if first.Extensions.Code == "UNAVAILABLE" {
		return fmt.Errorf("%w: %s", errLost, first.Message)
	}
	return &refusal{http.StatusOK, first.Extensions.Code, []byte(first.Message)}
}

// code is the code of a refusal; empty for other errors.
func code(err error) string {
	if refused, ok := errors.AsType[*refusal](err); ok {
		return refused.code
	}
	return ""
}
