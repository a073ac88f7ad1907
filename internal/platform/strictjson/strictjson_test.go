package strictjson

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"storefront/internal/fault"
)

const depth = 32

func TestObject(t *testing.T) {
	got, err := Object([]byte(" \t\r\n"+`{
		"text": "سلام \u06a9\n\ud83d\ude00 \\u0000", "": null, "yes": true, "no": false, "A": {}, "a": [],
		"numbers": [0, -0, 5.0, 1E+2, 12345678901234567890, 1e999999]
	}`+" \t\r\n"), depth)
	want := map[string]any{
		"text": "سلام ک\n😀 \\u0000", "": nil, "yes": true, "no": false, "A": map[string]any{}, "a": []any{},
		"numbers": []any{json.Number("0"), json.Number("-0"), json.Number("5.0"), json.Number("1E+2"),
			json.Number("12345678901234567890"), json.Number("1e999999")},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v, %v\nwant %#v", got, err, want)
	}
}

func TestObjectRefuses(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"no body", ``, `is empty`},
		{"white space", " \n", `is empty`},
		{"byte order mark", "\uFEFF{}", `must not begin with a byte order mark`},
		{"null", `null`, `must be a JSON object`},
		{"number", `1`, `must be a JSON object`},
		{"string", `"a"`, `must be a JSON object`},
		{"array", `[{}]`, `must be a JSON object`},
		{"text", `name=a`, `must be a JSON object`},
		{"no JSON at all", `<a>`, `is not valid JSON at byte 0`},
		{"another white space", "\v{}", `is not valid JSON at byte 0`},
		{"second object", `{} {}`, `goes on after its JSON value at byte 3`},
		{"trailing garbage", `{}x`, `goes on after its JSON value at byte 2`},
		{"trailing NUL", "{}\x00", `goes on after its JSON value at byte 2`},
		{"trailing comma", `{"a":1,}`, `is not valid JSON at byte 6`},
		{"comma in a list", `{"a":[1,]}`, `is not valid JSON at byte 7, in "a"`},
		{"no comma", `{"a":[1,2 3]}`, `is not valid JSON at byte 10, in "a"`},
		{"no colon", `{"a" 1}`, `is not valid JSON at byte 5, in "a"`},
		{"wrong bracket", `{"a":[1}`, `is not valid JSON at byte 7, in "a"`},
		{"closing bracket for a value", `{"a":}`, `is not valid JSON at byte 5, in "a"`},
		{"key without quotes", `{a:1}`, `is not valid JSON at byte 1`},
		{"number for a key", `{1:1}`, `is not valid JSON at byte 1`},
		{"single quotes", `{'a':1}`, `is not valid JSON at byte 1`},
		{"comment", `{/**/}`, `is not valid JSON at byte 1`},
		{"NaN", `{"a":NaN}`, `is not valid JSON at byte 5, in "a"`},
		{"leading zero", `{"a":01}`, `is not valid JSON at byte 6`},
		{"leading plus", `{"a":+1}`, `is not valid JSON at byte 5, in "a"`},
		{"half a word", `{"a":nul}`, `is not valid JSON at byte 8, in "a"`},
		{"unknown escape", `{"a":"\x41"}`, `is not valid JSON at byte 6, in "a"`},
		{"short escape", `{"a":"\u12"}`, `is not valid JSON at byte 6, in "a"`},
		{"raw line break", "{\"a\":\"\n\"}", `is not valid JSON at byte 6, in "a"`},
		{"cut in an object", `{"a":1`, `ends too early at byte 6`},
		{"cut in a string", `{"a":"secret`, `ends too early at byte 12, in "a"`},
		{"a key twice", `{"a":1,"b":{},"a":2}`, `has a key twice at byte 14, in "a"`},
		{"a key twice, once escaped", `{"x":[{"a":1,"\u0061":2}]}`, `has a key twice at byte 13, in "x.0.a"`},
		{"invalid UTF-8 in a string", "{\"a\":\"\xff\"}", `is not valid UTF-8 at byte 6, in "a"`},
		{"invalid UTF-8 in a key", "{\"\xc0\x80\":1}", `is not valid UTF-8 at byte 2`},
		{"invalid UTF-8 between", "{\xff}", `is not valid UTF-8 at byte 1`},
		{"raw surrogate", "{\"a\":\"\xed\xa0\x80\"}", `is not valid UTF-8 at byte 6, in "a"`},
		{"high surrogate", `{"a":"\ud800"}`, `has half of a surrogate pair at byte 6, in "a"`},
		{"low surrogate", `{"a":["\uDC00"]}`, `has half of a surrogate pair at byte 7, in "a.0"`},
		{"high without low", `{"a":"\ud800\u0041"}`, `has half of a surrogate pair at byte 6, in "a"`},
		{"surrogate in a key", `{"\ud800":1}`, `has half of a surrogate pair at byte 2`},
		{"escaped NUL", `{"a":"x\u0000"}`, `has the character U+0000 at byte 14, in "a"`},
		{"escaped NUL in a list", `{"a":[1,"\u0000"]}`, `has the character U+0000 at byte 16, in "a.1"`},
		{"escaped NUL in a key", `{"\u0000":1}`, `has the character U+0000 at byte 9, in "\x00"`},
		{"raw NUL", "{\"a\":\"\x00\"}", `has the character U+0000 at byte 6, in "a"`},
		{"raw NUL in a key", "{\"\x00\":1}", `has the character U+0000 at byte 2`},
		{"key that looks like a path", `{"a/~b":nul}`, `is not valid JSON at byte 11, in "a/~b"`},
		{"long key", `{"` + strings.Repeat("ک", 65) + `":nul}`, `is not valid JSON at byte 137, in "` +
			strings.Repeat("ک", 64) + `"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Object([]byte(c.body), depth)
			checkRefusal(t, err, "the body "+c.want)
		})
	}
}

func checkRefusal(t *testing.T, err error, message string) {
	t.Helper()
	refusal, ok := errors.AsType[*fault.Error](err)
	if !ok {
		t.Fatalf("got %v, want a fault", err)
	}
	if refusal.Code != fault.BadRequest || refusal.Message != message {
		t.Errorf("got %s: %s\nwant %s", refusal.Code, refusal.Message, message)
	}
}

func TestDepth(t *testing.T) {
	objects := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	arrays := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	if _, err := Object([]byte(objects(depth)), depth); err != nil {
		t.Errorf("32 objects: %v", err)
	}
	if _, err := Object([]byte(`{"a":`+arrays(depth-1)+`,"b":[]}`), depth); err != nil {
		t.Errorf("31 arrays in an object: %v", err)
	}
	_, err := Object([]byte(objects(depth+1)), depth)
	checkRefusal(t, err, `the body is nested too deep at byte 161, in "`+strings.Repeat("a.", depth-1)+`a"`)
	_, err = Object([]byte(`{"a":`+arrays(1_000_000)+`}`), 2)
	checkRefusal(t, err, `the body is nested too deep at byte 7, in "a.0"`)
	_, err = Value([]byte(`[]`), 0)
	checkRefusal(t, err, `the body is nested too deep at byte 1`)
}

func TestValue(t *testing.T) {
	for text, want := range map[string]any{
		" null ":   nil,
		"true":     true,
		"-1.50":    json.Number("-1.50"),
		`"a"`:      "a",
		"[1,{}]":   []any{json.Number("1"), map[string]any{}},
		`{"a":[]}`: map[string]any{"a": []any{}},
	} {
		if got, err := Value([]byte(text), depth); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %#v, %v; want %#v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                "the body is empty",
		"1 2":             "the body goes on after its JSON value at byte 2",
		"]":               "the body is not valid JSON at byte 0",
		`"\u0000"`:        "the body has the character U+0000 at byte 8",
		`[{"a":1,"a":1}]`: `the body has a key twice at byte 8, in "0.a"`,
	} {
		_, err := Value([]byte(text), depth)
		checkRefusal(t, err, want)
	}
}

func FuzzValue(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-0.0,1e5,null,true,"\ud83d\ude00 <\u2028>"],"":{"b":{}}}`, `{"a":1,"\u0061":2}`,
		"[\"\xff\"]", `"\ud800"`, `"\u0000"`, "\uFEFF{}", `[[[[[[[[]]]]]]]]`, `{} {}`, `nul`, "0",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		value, err := Value(data, 8)
		object, errObject := Object(data, 8)
		if members, ok := value.(map[string]any); ok != (errObject == nil) ||
			ok && !reflect.DeepEqual(members, object) {
			t.Fatalf("%q: as a value %#v, as an object %#v, %v", data, value, object, errObject)
		}
		if err != nil {
			if refusal, ok := errors.AsType[*fault.Error](err); !ok || refusal.Code != fault.BadRequest {
				t.Fatalf("%q: %v", data, err)
			}
			return
		}
		if !json.Valid(data) {
			t.Errorf("%q is accepted, but not by encoding/json", data)
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		if again, err := Value(encoded, 8); err != nil || !reflect.DeepEqual(again, value) {
			t.Errorf("%q: got %#v, %v when encoded as %q and read, want %#v", data, again, err, encoded, value)
		}
	})
}

func BenchmarkObject(b *testing.B) {
	body := []byte(
		`{"items":[{"variantId":"0198a4f0-6d1e-7c55-a8e6-0242ac120002","quantity":3}],` +
			`"name":"کتاب\u200cخانهٔ ملی","note":null,"price":12.50}`)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Object(body, depth); err != nil {
			b.Fatal(err)
		}
	}
}
