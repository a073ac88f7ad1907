package sms_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"storefront/internal/message/sms"
	"storefront/internal/message/sms/smstest"
)

func kavenegarAt(base string) sms.Settings {
	return sms.Settings{Provider: "kavenegar", BaseURL: base, APIKey: smstest.KavenegarKey}
}

func TestNoConnection(t *testing.T) {
	var served atomic.Int32
	handler := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served.Add(1) })
	untrusted := httptest.NewUnstartedServer(handler)
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	defer untrusted.Close()
	clear := httptest.NewServer(handler)
	defer clear.Close()
	closed := httptest.NewServer(handler)
	closed.Close()
	ended, cancel := context.WithCancel(t.Context())
	cancel()

	m := sms.Message{To: "+989121234567", Text: text}
	for name, c := range map[string]struct {
		ctx  context.Context
		base string
	}{
		"nobody listens":    {t.Context(), closed.URL},
		"not to be trusted": {t.Context(), untrusted.URL},
		"no TLS":            {t.Context(), strings.Replace(clear.URL, "http:", "https:", 1)},
		"too late":          {ended, clear.URL},
	} {
		_, err := newSender(t, kavenegarAt(c.base)).Send(c.ctx, m)
		if got := outcomeOf(t, "", err, "kavenegar", m.To); got.kind != sms.Unreachable || errors.Unwrap(err) == nil {
			t.Errorf("%s: %v", name, err)
		}
		checkQuiet(t, err, smstest.KavenegarKey, m.To)
	}
	if n := served.Load(); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// TestAnAnswerThatIsNoHTTP has the provider send back all that it receives, which must not be in the error.
func TestAnAnswerThatIsNoHTTP(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	served := make(chan error, 1)
	go func() {
		connection, err := listener.Accept()
		if err == nil {
			sent := make([]byte, 4096)
			var n int
			n, err = connection.Read(sent)
			_, writeErr := connection.Write(sent[:n])
			err = errors.Join(err, writeErr, connection.Close())
		}
		served <- err
	}()
	m := sms.Message{To: "+989121234567", Text: text}
	_, err = newSender(t, kavenegarAt("http://"+listener.Addr().String())).Send(t.Context(), m)
	if got := outcomeOf(t, "", err, "kavenegar", m.To); got.kind != sms.Unknown {
		t.Errorf("%v", err)
	}
	checkQuiet(t, err, smstest.KavenegarKey, m.To)
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// TestAGetIsNotRepeated loses a used connection, after which net/http repeats the GETs it can.
func TestAGetIsNotRepeated(t *testing.T) {
	var served atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if served.Add(1) > 1 {
			panic(http.ErrAbortHandler)
		}
		if r.Method != http.MethodGet || r.ContentLength != 0 || len(r.TransferEncoding) > 0 ||
			r.URL.Query().Get("m") != text {
			t.Errorf("%s %s, body of %d bytes", r.Method, r.URL, r.ContentLength)
		}
		fmt.Fprint(w, `{"id": "a-1"}`)
	}))
	defer server.Close()
	sender := newSender(t, sms.Settings{Provider: "http", BaseURL: server.URL, APIKey: "key",
		Template: `{"method": "GET", "path": "/send?k={{key}}&to={{to.digits}}&m={{text}}", "id": "/id"}`})
	m := sms.Message{To: "+14155552671", Text: text}
	if id, err := sender.Send(t.Context(), m); id != "a-1" || err != nil {
		t.Fatalf("got %q, %v", id, err)
	}
	_, err := sender.Send(t.Context(), m)
	if got := outcomeOf(t, "", err, "http", m.To); got.kind != sms.Unknown || served.Load() != 2 {
		t.Errorf("%v after %d requests", err, served.Load())
	}
}

func TestManyAtOnce(t *testing.T) {
	fake, base := smstest.Start(t)
	var terminal bytes.Buffer
	all := settings(t, base)
	all["log"] = sms.Settings{Provider: "log", Terminal: &terminal}
	const each = 50
	var wait sync.WaitGroup
	for name, s := range all {
		sender := newSender(t, s)
		for i := range each {
			wait.Go(func() {
				_, err := sender.Send(t.Context(), sms.Message{To: "+989121234567", Text: text, Ref: int64(i)})
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
	}
	wait.Wait()
	ids := map[string]bool{}
	for _, m := range fake.Messages() {
		ids[m.ServerID] = true
	}
	if n := each * (len(all) - 1); fake.Requests() != n || len(ids) != n {
		t.Errorf("got %d requests and %d ids, want %d", fake.Requests(), len(ids), n)
	}
	if shown := strings.Count(terminal.String(), "SMS log-"); shown != each {
		t.Errorf("the terminal shows %d", shown)
	}
}

func TestSendersDoNotShowTheirKeys(t *testing.T) {
	for name, s := range settings(t, "http://127.0.0.1:1") {
		sender := newSender(t, s)
		said := fmt.Sprintf("%v %+v %#v %s", sender, sender, sender, sender)
		if strings.Contains(said, s.APIKey) || strings.Contains(said, "of%20shop") {
			t.Errorf("%s: %s", name, said)
		}
	}
}
