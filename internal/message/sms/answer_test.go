package sms

import (
	"fmt"
	"os"
	"slices"
	"testing"
)

func vendor(t testing.TB, name string) format {
	t.Helper()
	f, wrong := newFormat(Settings{Provider: name, APIKey: "user/domain:word", Sender: "3000"})
	if wrong != nil {
		t.Fatal(wrong)
	}
	return f
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		provider string
		status   int
		body     string
		id       string
		want     refusal
	}{
		{"kavenegar", 200, `{"return":{"status":"200"},"entries":[{"messageid":"18446744073709551615","status":"1"}]}`,
			"18446744073709551615", refusal{}},
		{"kavenegar", 200, `{"return":{"status":200},"entries":[{"messageid":7,"status":6}]}`,
			"", refusal{Unknown, "6"}},
		{"kavenegar", 200, `{"return":{"status":200},"entries":null}`, "", refusal{Unknown, "HTTP 200"}},
		{"kavenegar", 200, `{"return":{"status":200},"entries":[{"messageid":1.5}]}`, "",
			refusal{Unknown, "HTTP 200"}},
		{"kavenegar", 200, `{"return":{"status":200},"entries":[{"messageid":-1}]}`, "", refusal{Unknown, "HTTP 200"}},
		{"kavenegar", 500, `{"return":{"status":200},"entries":[{"messageid":7,"status":1}]}`, "",
			refusal{Unknown, "200"}},
		{"kavenegar", 402, `{"return":{"status":402},"entries":null}`, "", refusal{Unknown, "402"}},
		{"kavenegar", 200, `{"return":{"status":999},"entries":null}`, "", refusal{Unknown, "999"}},
		{"kavenegar", 404, `not found`, "", refusal{Config, "HTTP 404"}},
		{"kavenegar", 503, ``, "", refusal{Busy, "HTTP 503"}},
		{"kavenegar", 502, `{}`, "", refusal{Unknown, "HTTP 502"}},
		{"smsir", 200, `{"status":1,"data":{"messageIds":[9007199254740993]}}`, "9007199254740993", refusal{}},
		{"smsir", 200, `{"status":1,"data":{"messageIds":["0007"]}}`, "0007", refusal{}},
		{"smsir", 200, `{"status":1,"data":{"messageIds":[null]}}`, "", refusal{Recipient, "id null"}},
		{"smsir", 200, `{"status":1,"data":{"messageIds":[1,2]}}`, "", refusal{Unknown, "HTTP 200"}},
		{"smsir", 200, `{"status":1,"data":null}`, "", refusal{Unknown, "HTTP 200"}},
		{"smsir", 200, `{"status":115,"data":null}`, "", refusal{Blacklisted, "115"}},
		{"smsir", 200, `{"status":1}`, "", refusal{Unknown, "HTTP 200"}},
		{"smsir", 400, `{"status":104,"data":[]}`, "", refusal{Recipient, "104"}},
		{"kavenegar", 418, `{"return":{"status":418},"entries":{}}`, "", refusal{Credit, "418"}},
		{"magfa", 200, `{"status":14,"messages":"none"}`, "", refusal{Credit, "14"}},
		{"smsir", 500, `{"status":0,"data":null}`, "", refusal{Unknown, "0"}},
		{"smsir", 401, `{"status":1,"data":{"messageIds":[5]}}`, "", refusal{Config, "1"}},
		{"smsir", 200, `{"status":true}`, "", refusal{Unknown, "HTTP 200"}},
		{"magfa", 200, `{"status":0,"messages":[{"status":0,"id":"111111111","userId":1}]}`, "111111111", refusal{}},
		{"magfa", 200, `{"status":0,"messages":[{"status":33}]}`, "", refusal{Blacklisted, "33"}},
		{"magfa", 200, `{"status":15,"messages":null}`, "", refusal{Busy, "15"}},
		{"magfa", 200, `{"status":0,"messages":[]}`, "", refusal{Unknown, "HTTP 200"}},
		{"magfa", 200, `{"status":0,"messages":[{"id":5}]}`, "", refusal{Unknown, "HTTP 200"}},
		{"magfa", 200, `{"status":0,"messages":[{"status":0,"id":"two words"}]}`, "", refusal{Unknown, "HTTP 200"}},
		{"magfa", 401, ``, "", refusal{Config, "HTTP 401"}},
	} {
		if id, got := vendor(t, c.provider).answer(c.status, []byte(c.body)); id != c.id || got != c.want {
			t.Errorf("%s, HTTP %d, %s:\n got %q, %v\nwant %q, %v", c.provider, c.status, c.body, id, got, c.id, c.want)
		}
	}
}

// fuzzAnswer checks that every answer yields an id that can be stored, or a known kind and a short code.
func fuzzAnswer(f *testing.F, made format, seeds ...string) {
	for _, seed := range seeds {
		f.Add(200, []byte(seed))
		f.Add(500, []byte(seed[:len(seed)/2]))
	}
	kinds := []Kind{Recipient, Blacklisted, Config, Credit, Busy, Unknown}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		id, why := made.answer(status, body)
		switch {
		case id != "" && (why != refusal{} || status < 200 || status > 299 || len(id) > maxID):
			t.Fatalf("HTTP %d, %q: id %q and %v", status, body, id, why)
		case id == "" && (!slices.Contains(kinds, why.kind) || why.code == "" ||
			len(why.code) > max(7, len(fmt.Sprintf("HTTP %d", status)))):
			t.Fatalf("HTTP %d, %q: %v", status, body, why)
		}
	})
}

func FuzzKavenegar(f *testing.F) {
	fuzzAnswer(
		f,
		vendor(f, "kavenegar"),
		`{"return":{"status":200,"message":"تایید شد"},"entries":[{"messageid":8792343,"message":"x","status":1,`+
			`"sender":10004346,"cost":120}]}`,
		`{"return":{"status":411,"message":"x"},"entries":null}`,
		`{"return":{"status":"200"},"entries":[{"messageid":"","status":14}]}`,
	)
}

func FuzzSMSIr(f *testing.F) {
	fuzzAnswer(f, vendor(f, "smsir"),
		`{"status":1,"message":"موفق","data":{"packId":"x","messageIds":[86522023],"cost":1.0}}`,
		`{"status":1,"data":{"messageIds":[null]}}`, `{"status":1,"data":{"messageIds":[0]}}`,
		`{"status":10,"data":null}`)
}

func FuzzMagfa(f *testing.F) {
	fuzzAnswer(f, vendor(f, "magfa"),
		`{"status":0,"messages":[{"status":0,"id":111111111,"userId":123456,"parts":1,"tariff":160.0,`+
			`"recipient":"98912"}]}`,
		`{"status":0,"messages":[{"status":27,"id":null}]}`, `{"status":18}`)
}

func FuzzCustom(f *testing.F) {
	template, err := os.ReadFile("testdata/ippanel.json")
	if err != nil {
		f.Fatal(err)
	}
	made, wrong := newFormat(custommade(string(template)))
	if wrong != nil {
		f.Fatal(wrong)
	}
	fuzzAnswer(f, made,
		`{"data":{"message_outbox_ids":[1123544244]},"meta":{"status":true,"message_code":"200-1"}}`,
		`{"data":null,"meta":{"status":false,"message_code":"400-2","errors":{"a":["b"]}}}`)
}
