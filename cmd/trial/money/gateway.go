package money

import (
	"context"
	"flag"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"slices"
	"strings"
	"time"

	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/contract/money/standin"
)

// names are the gateways that customers see.
var names = []string{"zibal", "zarinpal", "stripe"}

// opens has a stand-in for each address of the service's gateways.
var opens = map[string]func(standin.Options) (*standin.Gateway, error){
	"zibal": standin.Zibal, "zarinpal": standin.Zarinpal, "zarinpal-sandbox": standin.Zarinpal,
	"stripe": standin.Stripe,
}

// Gateway is the program of a stand-in, which Trial starts, kills and starts again.
var Gateway = stage.Trial{Name: "gateway", About: "stand in for a payment gateway; money starts it",
	Flags: func(f *flag.FlagSet) stage.Work {
		name := f.String("name", "zibal", "of the gateway: "+strings.Join(slices.Sorted(maps.Keys(opens)), ", "))
		listen := f.String("listen", "127.0.0.1:0", "host:port")
		ledger := f.String("ledger", "", "the file of its effects, which is continued")
		scale := f.Int("scale", 1, "how many times shorter its windows are")
		return func(ctx context.Context, s *stage.Stage) {
			must.Hold(opens[*name] != nil, "there is no gateway %q", *name)
			g := must.Get(opens[*name](standin.Options{Path: *ledger, Now: time.Now, Scale: *scale}))
			at := must.Get(net.Listen("tcp", *listen))
			asked := must.Get(os.OpenFile(*ledger+".asked", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600))
			web := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				text, _ := httputil.DumpRequest(r, true) // fails for a body that ends early
				must.Get(asked.Write(text))
				g.ServeHTTP(w, r)
			})}
			go web.Serve(at)
			slog.New(slog.NewJSONHandler(os.Stderr, nil)).Info("listening", "url", "http://"+at.Addr().String())
			<-ctx.Done()
			must.Do(web.Close(), g.Close())
		}
	}}
