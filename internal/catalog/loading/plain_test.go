package loading

import (
	"reflect"
	"testing"

	"github.com/go-json-experiment/json"

	"storefront/internal/record"
)

// TestReadPlainly checks that readPlainly agrees with a full JSON reader, and leaves to it what it cannot
// read.
func TestReadPlainly(t *testing.T) {
	for text, plain := range map[string]bool{
		`[]`: true, ` [ ] `: true, "\n[\t]\r": true, ``: false, `[`: false, `]`: false, `null`: false,
		`{}`: false, `[]]`: false, `[{}]`: true, `[{},{}]`: true, `[{},]`: false, `[,{}]`: false,
		`[{}{}]`: false, `[{}`: false, `[{,}]`: false,
		`[{"mediaId":"1","url":"/a.jpg"}]`:                                      true,
		`[ {"url" : "ژ" , "alt": "", "width": 0, "height": 123456789} ]`:        true,
		`[{"placeholderColor":"#fff","url":"a","url":"b","alt":"c","alt":"d"}]`: true,
		`[{"url":"a","width":5,"width":6}]`:                                     true,
		`[{"url":"\u0026"}]`:                                                    false,
		`[{"url":"a\"b"}]`:                                                      false,
		"[{\"url\":\"a\nb\"}]":                                                  false,
		"[{\"url\":\"\xff\"}]":                                                  false,
		`[{"url":null}]`:                                                        false, `[{"alt":null}]`: false,
		`[{"other":"x"}]`: false, `[{"URL":"x"}]`: false, `[{"url":1}]`: false, `[{"width":01}]`: false,
		`[{"width":-1}]`: false, `[{"width":1.5}]`: false, `[{"width":1e3}]`: false,
		`[{"width":1234567890}]`: false, `[{"width":}]`: false, `[{"width":"1"}]`: false,
		`[{"url":"a",}]`: false, `[{"url" "a"}]`: false, `[{"url":"a"`: false, `[{"url":"a`: false,
		`[{"u`: false, `[{"url":"a"}] x`: false,
		`["a","b"]`: false,
	} {
		readsAlike[[]record.Media](t, text, plain)
	}
	for text, plain := range map[string]bool{
		`[]`: true, `["a", "ب" ,""]`: true, `["a",]`: false, `["a" "b"]`: false, `[1]`: false,
		`[null]`: false, `["\n"]`: false, `["a"`: false, `"a"`: false,
	} {
		readsAlike[[]string](t, text, plain)
	}
}

func readsAlike[T any](t *testing.T, text string, plain bool) {
	t.Helper()
	var got, want T
	if read := readPlainly(&got, text); read != plain {
		t.Errorf("%q is read plainly: %v", text, read)
	}
	err := json.Unmarshal([]byte(text), &want, stored)
	if plain && (err != nil || !reflect.DeepEqual(got, want)) {
		t.Errorf("%q is read as %+v, want %+v (%v)", text, got, want, err)
	}
	if !plain && !reflect.ValueOf(got).IsNil() {
		t.Errorf("%q leaves %+v", text, got)
	}
}
