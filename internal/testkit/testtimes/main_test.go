package main

import (
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	const passed = `{"Action":"run","Package":"a","Test":"TestA"}
{"Action":"output","Package":"a","Test":"TestA","Output":"noise\n"}
{"Action":"pass","Package":"a","Test":"TestA","Elapsed":2}
{"Action":"pass","Package":"a","Test":"TestB","Elapsed":3}
{"Action":"pass","Package":"a","Elapsed":5}
`
	const slow = "\nThe slowest tests:\n         3.0s  a TestB\n         2.0s  a TestA\n"
	for name, c := range map[string]struct {
		events, want string
		failed       bool
	}{
		"passed": {passed, "pass     5.0s  a\n" + slow, false},
		"failed": {passed + `{"Action":"output","Package":"b","Test":"TestC","Output":"it broke\n"}
{"Action":"fail","Package":"b","Test":"TestC","Elapsed":1}
{"Action":"fail","Package":"b","Elapsed":1}
`, "pass     5.0s  a\nit broke\nfail     1.0s  b\n" + slow + "         1.0s  b TestC\n", true},
		"not built": {passed + `{"ImportPath":"c","Action":"build-output","Output":"syntax error\n"}
{"ImportPath":"c","Action":"build-fail"}
`, "pass     5.0s  a\nsyntax error\n" + slow, true},
		"nothing": {"go: no such package\n", "go: no such package\n\nThe slowest tests:\n", true},
	} {
		var out strings.Builder
		r := report{out: &out, output: map[test][]string{}, seconds: map[test]float64{}}
		if err := r.read(strings.NewReader(c.events)); err != nil {
			t.Fatal(err)
		}
		r.printSlowest()
		if out.String() != c.want || r.failed != c.failed {
			t.Errorf("%s: failed %v\n%s", name, r.failed, out.String())
		}
	}
}
