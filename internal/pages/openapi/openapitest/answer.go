package openapitest

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"storefront/internal/platform/strictjson"
)

// maxDepth bounds the nesting of an answer; the documented ones are much shallower.
const maxDepth = 64

// Answer checks that an answer is documented: its status, its required headers, and a body of exactly the
// members that its schema describes. target is the path with its query string, as sent; body is not
// compressed. A request that matches no documented route must have failed with 404 or 405 and an Error. The
// error names all that is wrong.
func (d *Document) Answer(method, target string, status int, header http.Header, body []byte) error {
	o, err := d.find(method, target)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, target, err)
	}
	c := check{schemas: d.Components.Schemas}
	if o == nil {
		if status != http.StatusNotFound && status != http.StatusMethodNotAllowed {
			c.fault("", "no documented route, and status %d", status)
		}
		c.body(method, header, body, &content{media{Schema: d.Components.Schemas["Error"]}})
	} else if declared, known := o.Responses[strconv.Itoa(status)]; !known {
		c.fault("", "status %d is not documented", status)
	} else {
		r, _ := deref(declared.Ref, "responses", declared, d.Components.Responses)
		for name, h := range r.Headers {
			h, _ = deref(h.Ref, "headers", h, d.Components.Headers)
			c.header(name, header, h)
		}
		c.body(method, header, body, r.Content)
	}
	return c.err(fmt.Sprintf("%s %s: answer %d", method, target, status))
}

// Request checks that a body matches the document's request body and has only documented members.
func (d *Document) Request(method, target string, body []byte) error {
	o, err := d.find(method, target)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, target, err)
	}
	if o == nil || o.RequestBody == nil {
		return fmt.Errorf("%s %s: takes no body", method, target)
	}
	c := check{schemas: d.Components.Schemas}
	c.json(body, o.RequestBody.Content.JSON.Schema)
	return c.err(fmt.Sprintf("%s %s: body", method, target))
}

func (c *check) header(name string, got http.Header, h header) {
	values := got.Values(name)
	switch {
	case len(values) > 1:
		c.fault("header "+name, "is there %d times", len(values))
	case len(values) == 0 && h.Required:
		c.fault("header "+name, "is missing")
	case len(values) == 1 && slices.Contains(h.Schema.Type, "integer"):
		c.value("header "+name, json.Number(values[0]), h.Schema)
	case len(values) == 1:
		c.value("header "+name, values[0], h.Schema)
	}
}

// body checks a body against its schema. A HEAD request and a status without content have none.
func (c *check) body(method string, header http.Header, body []byte, described *content) {
	if described == nil || method == http.MethodHead {
		if len(body) > 0 {
			c.fault("", "has a body")
		}
		return
	}
	if media, _, err := mime.ParseMediaType(header.Get("Content-Type")); err != nil ||
		media != "application/json" {
		c.fault("header Content-Type", "must be application/json, is %q", header.Get("Content-Type"))
	}
	c.json(body, described.JSON.Schema)
}

func (c *check) json(body []byte, s *schema) {
	value, err := strictjson.Value(body, maxDepth)
	if err != nil {
		c.fault("", "is no JSON: %v", err)
		return
	}
	c.value("", value, s)
}

func (c *check) err(what string) error {
	if len(c.faults) == 0 {
		return nil
	}
	slices.Sort(c.faults)
	return errors.New(what + ": " + strings.Join(c.faults, "; "))
}
