package describe_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestBodiesOfPartners is TestBodies for the partner route.
func TestBodiesOfPartners(t *testing.T) {
	var bodies []body
	add := func(domain, to, message any, right bool) {
		text, err := json.Marshal(map[string]any{"domain": domain, "to": to, "message": message})
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, body{method: "POST", target: "/api/v1/public/sms/send",
			operation: "SendPartnerSms", text: string(text), right: right})
	}
	for to, right := range map[string]bool{
		"09121234567": true, "9121234567": true, "+989121234567": true, "989121234567": true,
		"00989121234567": false, "+9809121234567": false, "0912123456": false, "091212345678": false,
		"08121234567": false, " 09121234567 ": true, "0912 123 4567": false, "۰۹۱۲۱۲۳۴۵۶۷": false,
		"": false, "+14155552671": false,
	} {
		add(partnerDomain, to, "hi", right)
	}
	for message, right := range map[string]bool{
		"": false, " \n": false, " a ": true, strings.Repeat("ی", 700): true, strings.Repeat("😀", 700): true,
		strings.Repeat("a", 701): false,
	} {
		add(partnerDomain, "09121234567", message, right)
	}
	add("", "09121234567", "hi", false)
	add(nil, "09121234567", "hi", false)
	add(7, "09121234567", "hi", false)
	add(partnerDomain, 9121234567, "hi", false)
	add(partnerDomain, "09121234567", nil, false)
	hold(t, bodies)
}
