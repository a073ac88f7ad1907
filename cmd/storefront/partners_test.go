package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"storefront/internal/message/sms/smstest"
)

// keyForm is the form of a partner's key: 256 bits in base64url.
var keyForm = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// newKey creates a key for a domain with the command, which prints it alone on its last line.
func newKey(t testing.TB, s settings, domain string) string {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(s.succeed(t, "partner", "add", domain), "\n"), "\n")
	key := lines[len(lines)-1]
	if len(lines) < 2 || !keyForm.MatchString(key) {
		t.Fatalf("printed %q", lines)
	}
	return key
}

// table reads the rows of a printed table, without their header, as words.
func table(t testing.TB, header, printed string) (rows [][]string) {
	t.Helper()
	for i, line := range strings.Split(strings.TrimSuffix(printed, "\n"), "\n") {
		words := strings.Fields(line)
		if i > 0 {
			rows = append(rows, words)
		} else if strings.Join(words, " ") != header {
			t.Errorf("the header is %q", line)
		}
	}
	return rows
}

const keyHeader = "KEY_ID DOMAIN MADE REVOKED"

func TestPartnerKeys(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		keys := []string{
			newKey(t, s, "shop.example"), newKey(t, s, "www.Shop.example."), newKey(t, s, "فروشگاه.example"),
		}
		if keys[0] == keys[1] || keys[1] == keys[2] {
			t.Error("two keys are the same")
		}
		list := s.succeed(t, "partner", "list")
		rows := table(t, keyHeader, list)
		if len(rows) != 3 || rows[0][1] != "shop.example" || rows[1][1] != "shop.example" ||
			rows[2][1] != "xn--mgbtj4c7ad63e.example" {
			t.Fatalf("listed\n%s", list)
		}
		for _, key := range keys {
			if strings.Contains(list, key) {
				t.Error("the list shows a key")
			}
		}
		s.succeed(t, "partner", "revoke", rows[1][0])
		after := table(t, keyHeader, s.succeed(t, "partner", "list"))
		for i, row := range after {
			if live := row[3] == "-"; live != (i != 1) || row[0] != rows[i][0] {
				t.Errorf("after the revocation: %q", row)
			}
		}
		s.refuse(t, []string{"partner", "revoke", rows[1][0]}, "no live key", "partner list")
		s.refuse(t, []string{"partner", "revoke", "00000000-0000-7000-8000-000000000000"}, "no live key")
		s.refuse(t, []string{"partner", "revoke", keys[0]}, "no key's id")
		for _, domain := range []string{"", "localhost", "https://shop.example", "shop.example:443", "a b.example",
			"10.0.0.1", "api.shop.example", "www.ir"} {
			s.refuse(t, []string{"partner", "add", domain}, "partner's domain")
		}
		for _, words := range [][]string{{}, {"add"}, {"add", "a.example", "b.example"}, {"list", "x"}, {"revoke"},
			{"messages", "a", "b"}, {"remove", "x"}} {
			s.refuse(t, append([]string{"partner"}, words...), "partner add DOMAIN", "partner revoke KEY_ID")
		}
		if rows := table(t, keyHeader, s.succeed(t, "partner", "list")); len(rows) != 3 {
			t.Errorf("%d keys", len(rows))
		}
		if rows := table(t, messageHeader, s.succeed(t, "partner", "messages")); len(rows) != 0 {
			t.Errorf("messages %q", rows)
		}
		s.refuse(t, []string{"partner", "messages", "no domain"}, "no domain")
		s.refuse(t, []string{"partner", "messages", "--most", "0"}, "at least 1")
	})
}

const messageHeader = "TIME DOMAIN TO LENGTH PROVIDER SERVER_ID OUTCOME"

// instance is a service that runs in its own process.
type instance struct {
	*exec.Cmd
	url  string
	rest chan error // receives the end of its log
}

func start(t testing.TB, s settings) *instance {
	t.Helper()
	ctx := context.WithoutCancel(t.Context()) // it ends by a signal
	i := &instance{Cmd: s.process(ctx, "serve"), rest: make(chan error, 1)}
	stderr, err := i.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := i.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = i.Process.Kill() }) // no effect after its end
	log := bufio.NewReader(stderr)
	for i.url == "" {
		line, err := log.ReadString('\n')
		var record struct{ Msg, URL string }
		if err != nil || json.Unmarshal([]byte(line), &record) != nil {
			t.Fatalf("it did not listen: %v: %s", err, line)
		}
		if record.Msg == "listening" {
			i.url = record.URL
		}
	}
	go func() {
		_, err := io.Copy(io.Discard, log)
		i.rest <- err
	}()
	return i
}

// ends stops the process with SIGTERM, as an operator would.
func (i *instance) ends(t testing.TB) {
	t.Helper()
	if err := i.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-i.rest
	if err := i.Wait(); err != nil {
		t.Error(err)
	}
}

// sends asks the instance to send a message to the n-th number, and returns the status.
func (i *instance) sends(t testing.TB, key string, n int) int {
	t.Helper()
	body := fmt.Sprintf(`{"domain": "shop.example", "to": "0912555%04d", "message": "سلام"}`, 1000+n)
	request, err := http.NewRequestWithContext(t.Context(), "POST", i.url+"/api/v1/public/sms/send",
		strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0
	}
	request.Header.Set("X-Api-Key", key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return 0
	}
	if text := readAll(t, response.Body); response.StatusCode == 429 && response.Header.Get("Retry-After") == "" {
		t.Errorf("no Retry-After: %s", text)
	}
	return response.StatusCode
}

// TestPartnersOfTwoProcesses checks that two processes over one database share the rate windows, and that a
// third one, started afterwards, does too. SQLite has one process at a time. It finishes well within the minute that a
// window spans.
func TestPartnersOfTwoProcesses(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		fake, base := smstest.Start(t)
		s := on(database, "SMS_PROVIDER", "kavenegar", "SMS_BASE_URL", base, "SMS_API_KEY", smstest.KavenegarKey,
			"TOKEN_SIGNING_KEY", strings.Repeat("k", 32))
		key := newKey(t, s, "shop.example")
		instances := []*instance{start(t, s)}
		if strings.HasPrefix(database, "postgres") {
			instances = append(instances, start(t, s))
		}
		var counts sync.Mutex
		var running sync.WaitGroup
		statuses := map[int]int{}
		for n := range 120 {
			running.Go(func() {
				status := instances[n%len(instances)].sends(t, key, n)
				counts.Lock()
				statuses[status]++
				counts.Unlock()
			})
		}
		running.Wait()
		for _, i := range instances {
			i.ends(t)
		}
		again := start(t, s)
		after := again.sends(t, key, 200)
		again.ends(t)
		if len(statuses) != 2 || statuses[200] != 30 || statuses[429] != 90 || after != 429 || fake.Requests() != 30 {
			t.Errorf("answers %v, a new process answers %d; %d calls of the provider", statuses, after, fake.Requests())
		}
		ids := map[string]bool{}
		for _, m := range fake.Messages() {
			ids[m.ServerID] = true
		}
		rows := table(t, messageHeader, s.succeed(t, "partner", "messages", "www.shop.example"))
		for _, row := range rows {
			if row[1] != "shop.example" || !strings.HasPrefix(row[2], "+98912***1") || row[3] != "4" ||
				row[4] != "kavenegar" || !ids[row[5]] || row[6] != "sent" {
				t.Errorf("recorded %q", row)
			}
			delete(ids, row[5])
		}
		if len(rows) != 30 || len(ids) != 0 {
			t.Errorf("%d records, %d messages without one", len(rows), len(ids))
		}
		if rows := table(t, messageHeader, s.succeed(t, "partner", "messages", "--most", "3")); len(rows) != 3 {
			t.Errorf("%d of the newest three", len(rows))
		}
		if rows := table(t, messageHeader, s.succeed(t, "partner", "messages", "other.example")); len(rows) != 0 {
			t.Errorf("%d of another partner", len(rows))
		}
	})
}
