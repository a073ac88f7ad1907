package app

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"storefront/internal/database"
	"storefront/internal/database/store"
)

// keyComparison compares the signing keys of servers by a fingerprint in the database. Servers with different
// keys would refuse each other's signatures on some requests, while all report that they are ready.
type keyComparison struct {
	store       *store.Store
	mine, other string // fingerprints; other is "" without a second key
	differs     prometheus.Gauge
	log         *slog.Logger
}

func newKeyComparison(s *store.Store, o Options, to prometheus.Registerer, log *slog.Logger) *keyComparison {
	k := &keyComparison{store: s, mine: fingerprint(o.Key), log: log,
		differs: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "signing_key_differs", Help: "1 for a server whose signing key is not that of the others, else 0.",
		})}
	if o.OtherKey != nil {
		k.other = fingerprint(o.OtherKey)
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name:        "signing_key_info",
		Help:        "Always 1; the fingerprint of the key that signs tokens, which is alike on all servers.",
		ConstLabels: prometheus.Labels{"fingerprint": k.mine},
	})
	info.Set(1)
	to.MustRegister(k.differs, info)
	return k
}

// fingerprint returns a name of a key that does not reveal it.
func fingerprint(key []byte) string {
	derived, _ := hkdf.Key(sha256.New, key, nil, "storefront fingerprint of the signing key", 8)
	return hex.EncodeToString(derived) // fails only for a length that is too large
}

// CompareKey compares the signing key with that of the servers that started before, and logs a warning if
// they differ. The first server stores its fingerprint. So does a server that has that key as its
// second key.
func (a *App) CompareKey(ctx context.Context, starts bool) {
	if err := a.key.compare(ctx, starts); err != nil && ctx.Err() == nil {
		a.log.Warn("the signing key was not compared with that of the other servers", "error", err)
	}
}

func (k *keyComparison) compare(ctx context.Context, starts bool) error {
	instead := ""
	if starts {
		instead = k.other
	}
	agreed, err := database.Agree(ctx, k.store.Client.Raw(), "key_fingerprint", k.mine, instead)
	if err != nil {
		return err
	}
	if agreed == k.mine || agreed == k.other {
		k.differs.Set(0)
		return nil
	}
	k.differs.Set(1)
	k.log.Error("the signing key is not that of the other servers: each refuses tokens that others signed. Give all "+
		"the same TOKEN_SIGNING_KEY. If all have this one by now: UPDATE installations SET key_fingerprint = ''",
		"fingerprint", k.mine, "others", agreed)
	return nil
}
