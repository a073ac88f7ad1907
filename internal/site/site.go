// Package site puts the service together: a store, the GraphQL engine, its two doors and the server around them.
package site

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"storefront/ent/tenant"
	"storefront/graph"
	"storefront/internal/server"
	"storefront/internal/server/origin"
	"storefront/internal/store"
	"storefront/rest"
)

// Options are the settings of a site; the zero value is a site with nothing configured.
type Options struct {
	Clock          func() time.Time // the time requests see; nil: the real one
	Origins        []origin.Origin  // origins that CORS allows beside tenants' own
	TrustedProxies []netip.Prefix   // peers whose X-Forwarded-For is believed
}

// New makes the service over a migrated store.
func New(s *store.Store, log *slog.Logger, o Options) (*server.Server, error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	engine := graph.NewEngine(s.Client, o.Clock, slog.New(server.WithRequestID(log.Handler())))
	api, err := rest.New(engine)
	if err != nil {
		return nil, err
	}
	document, err := openAPI()
	if err != nil {
		return nil, err
	}
	return server.New(server.Options{
		Pages:          map[string]http.Handler{"/openapi.json": document},
		API:            api,
		GraphQL:        graph.NewDoor(engine),
		OwnsHost:       ownsHost(s),
		Ready:          s.Ready,
		Origins:        o.Origins,
		TrustedProxies: o.TrustedProxies,
		Log:            log,
	}), nil
}

// ownsHost tells whether a host is a tenant's domain or stands below one.
func ownsHost(s *store.Store) func(context.Context, string) bool {
	return func(ctx context.Context, host string) bool {
		var domains []string
		for rest, more := host, true; more && len(domains) < maxLabels; _, rest, more = strings.Cut(rest, ".") {
			domains = append(domains, rest)
		}
		known, err := s.Client.Tenant.Query().Where(tenant.DomainIn(domains...)).Exist(ctx)
		return err == nil && known
	}
}

// maxLabels bounds the names above a host that are looked up.
const maxLabels = 8
