package account_test

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/message/sms"
	"storefront/internal/message/sms/smstest"
)

// providers returns a sender for each provider, with an account of the fake.
func (g *gateway) providers(t testing.TB) map[string]sms.Sender {
	senders := map[string]sms.Sender{}
	for name, key := range map[string]string{"kavenegar": smstest.KavenegarKey, "smsir": smstest.SMSIrKey,
		"magfa": smstest.MagfaKey} {
		sender, err := sms.New(sms.Settings{Provider: name, BaseURL: g.calls, APIKey: key, Sender: smstest.Line})
		if err != nil {
			t.Fatal(err)
		}
		senders[name] = sender
	}
	return senders
}

// TestPartnerProviderFails lets each provider give each final failure: every one is 503 after one call.
func TestPartnerProviderFails(t *testing.T) {
	outcomes := map[string]string{
		"0001": "recipient", "0002": "blacklisted", "0003": "credit", "0004": "unknown", "0006": "busy",
		"0007": "config",
		"0008": "unknown", "0009": "unknown", "0010": "sent", "0011": "unknown", "0012": "config",
		"0014": "unknown",
		"0015": "unknown", "0016": "unknown", "4567": "sent",
	}
	eachGateway(t, func(t *testing.T, g *gateway) {
		for name, sender := range g.providers(t) {
			service := g.instance(t, func(o *app.Options) { o.Sender, o.Provider = sender, name })
			for ends, outcome := range outcomes {
				for _, api := range smsAPIs {
					g.provider.Reset()
					got := api.send(service, t, g.key, message(apex, "0912765"+ends, hello))
					kept := g.records(t)[0]
					switch {
					case outcome == "sent" && (!got.ok() || kept.ServerID != got.serverID):
						t.Errorf("%s %s, %s: %+v, the record has %q", name, ends, api.name, got, kept.ServerID)
					case outcome != "sent" && (got != notSent || kept.ServerID != ""):
						t.Errorf("%s %s, %s: %+v, the record has %q", name, ends, api.name, got, kept.ServerID)
					case ends == "0010" && got.serverID != smstest.LongID:
						t.Errorf("%s: the id %s became %s", name, smstest.LongID, got.serverID)
					}
					if kept.Outcome != outcome || kept.Provider != name {
						t.Errorf("%s %s: recorded as %s of %s, want %s", name, ends, kept.Outcome,
							kept.Provider, outcome)
					}
					if n := g.provider.Requests(); n != 1 {
						t.Errorf("%s %s: %d calls of the provider", name, ends, n)
					}
				}
				g.clock.move(time.Minute)
			}
		}
	})
}

// ending is a sender whose context ends once the message has arrived.
type ending struct {
	sms.Sender
	provider *smstest.Fake
}

func (e ending) Send(ctx context.Context, m sms.Message) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e.provider.OnArrival(func(smstest.Message) { cancel() })
	return e.Sender.Send(ctx, m)
}

// TestPartnerProviderHangs has the provider accept the message and not answer, or stop in the middle of its
// answer. Package sms tests how long the service waits.
func TestPartnerProviderHangs(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		service := g.instance(t, sentBy(ending{g.providers(t)["kavenegar"], g.provider}))
		for _, ends := range []string{"0005", "0013"} {
			for _, api := range smsAPIs {
				g.provider.Reset()
				if got := api.send(service, t, g.key, message(apex, "0912765"+ends, hello)); got != notSent {
					t.Errorf("%s, %s: got %+v", ends, api.name, got)
				}
				if kept := g.records(t)[0]; kept.Outcome != "unknown" || g.provider.Requests() != 1 {
					t.Errorf("%s: %s after %d calls", ends, kept.Outcome, g.provider.Requests())
				}
			}
		}
	})
}

// TestPartnerHangsUp lets the caller leave while the provider works: the message counts and is recorded.
func TestPartnerHangsUp(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		ctx, cancel := context.WithCancel(t.Context())
		g.provider.OnArrival(func(smstest.Message) { cancel() })
		body := strings.NewReader(encoded(t, message(apex, "09127650005", hello)))
		request, err := http.NewRequestWithContext(ctx, "POST", g.URL+"/api/v1"+smsRoute, body)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("X-Api-Key", g.key)
		if response, err := http.DefaultTransport.RoundTrip(request); !errors.Is(err, context.Canceled) {
			t.Fatalf("%v %v", response, err)
		}
		g.end() // waits for the request to end
		kept := g.records(t)
		if len(kept) != 1 || kept[0].Outcome != "unknown" || kept[0].MaskedTo != "+98912***0005" ||
			g.booked(t) != 2 || g.provider.Requests() != 1 {
			t.Errorf("records %v, %d events, %d calls", kept, g.booked(t), g.provider.Requests())
		}
	})
}

// TestPartnerProviderIsAway uses an address where nothing listens, a server that is not a provider, and wrong
// credentials.
func TestPartnerProviderIsAway(t *testing.T) {
	rude := listening(t, func(c net.Conn) {
		_, _ = bufio.NewReader(c).ReadByte()
		_, _ = c.Write([]byte("220 mail ready\r\n\r\n"))
	})
	eachGateway(t, func(t *testing.T, g *gateway) {
		for _, c := range []struct{ name, address, key, outcome string }{
			{"nothing listens", "http://127.0.0.1:1", "key", "unreachable"}, // no server of a test gets port 1
			{"garbage", "http://" + rude.Addr().String(), "key", "unknown"},
			{"no TLS", "https://" + strings.TrimPrefix(g.calls, "http://"), "key", "unreachable"},
			{"a wrong key", g.calls, "wrong", "config"},
			{"another path", g.calls + "/elsewhere", smstest.KavenegarKey, "config"},
		} {
			sender, err := sms.New(sms.Settings{Provider: "kavenegar", BaseURL: c.address, APIKey: c.key})
			if err != nil {
				t.Fatal(err)
			}
			service := g.instance(t, sentBy(sender))
			for _, api := range smsAPIs {
				if got := api.send(service, t, g.key, message(apex, mobile, hello)); got != notSent {
					t.Errorf("%s, %s: got %+v", c.name, api.name, got)
				}
				if kept := g.records(t)[0]; kept.Outcome != c.outcome {
					t.Errorf("%s: recorded as %s", c.name, kept.Outcome)
				}
			}
			g.clock.move(time.Minute)
		}
	})
}

// listening answers connections until the test ends.
func listening(t testing.TB, answer func(net.Conn)) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			answer(c)
			c.Close()
		}
	}()
	return listener
}
