// Package transfer gives staff links to import and export sheets, and serves these links: /sheets/KIND. A
// link needs no header, so that a browser can follow it. Each use checks again, in staff.Links, whether the
// person who asked for it still has the permission; package sheet defines the sheets.
package transfer

import (
	"context"
	"log/slog"
	"math"
	"net/url"
	"time"

	"storefront/internal/content/sheet"
	"storefront/internal/database/store"
	"storefront/internal/fault"
	"storefront/internal/platform/cores"
	"storefront/internal/platform/share"
	"storefront/internal/request"
	"storefront/internal/shop/staff"
)

const (
	life = 10 * time.Minute // of a link, until its use begins

	mostBytes = 32 << 20 // of an imported sheet
	mostRows  = 20_000   // of it, below the header

	// mostOut is how many exports of a shop may run at once; only one import may. There is no limit on those
	// of all shops: while one waits for its client, it uses only a connection and, for an import, memory
	// (arrival.go).
	mostOut = 2
)

// The purposes of links.
const (
	exporting = "export sheet"
	importing = "import sheet"
)

// permissions are what staff need for sheets of each kind. The directives of the mutations that give links
// require the same.
var permissions = map[sheet.Kind]staff.Permission{
	sheet.Products: staff.EditCatalog, sheet.Offers: staff.ChangeStock, sheet.Orders: staff.ManageOrders,
	sheet.Payments: staff.ManageOrders, sheet.Customers: staff.SeeCustomers,
}

// Service gives links and serves them.
type Service struct {
	store *store.Store
	links *staff.Links
	clock func() time.Time
	log   *slog.Logger
	until context.Context // imports that are being written stop when it ends

	out, in *share.Slots
	large   *share.Slots // of sheets that are not small, until they are processed
	working *share.Slots // for imports that are being processed; they pass them on between their transactions
}

// New returns the service of a store. Sheets that are still being written when until ends stop there.
func New(
	until context.Context, s *store.Store, links *staff.Links, clock func() time.Time, log *slog.Logger,
) *Service {
	return &Service{until: until, store: s, links: links, clock: clock, log: log,
		out: share.NewForClients(math.MaxInt, mostOut), in: share.NewForClients(math.MaxInt, 1),
		working: share.New(cores.Count(), cores.Count()),
		large:   share.NewYielding(mostLarge, mostLarge, fairTime)}
}

// Link is an address, relative to that of GraphQL, and when it expires.
type Link struct {
	URL     string
	Expires time.Time
}

// CheckURL returns the address at which an uploaded sheet is only checked.
func (l Link) CheckURL() string { return l.URL + "&check=true" }

// Export returns a link at which the staff of the context can download a sheet.
func (s *Service) Export(ctx context.Context, kind sheet.Kind) (Link, error) {
	return s.link(ctx, exporting, kind)
}

// Import returns a link to which the staff of the context can upload a sheet.
func (s *Service) Import(ctx context.Context, kind sheet.Kind) (Link, error) {
	return s.link(ctx, importing, kind)
}

func (s *Service) link(ctx context.Context, purpose string, kind sheet.Kind) (Link, error) {
	text, expires, err := s.links.Make(ctx, purpose, permissions[kind], life, map[string]string{"kind": string(kind)})
	return Link{"sheets/" + string(kind) + "?" + url.Values{"link": {text}}.Encode(), expires}, err
}

func (s *Service) admit(ctx context.Context, purpose string, kind sheet.Kind, link string) (*staff.Pass, error) {
	pass, err := s.links.Admit(ctx, purpose, link, permissions[kind])
	if err == nil && pass.Parameters["kind"] != string(kind) {
		err = fault.New(fault.Forbidden, "this link is not valid here; ask for a new one")
	}
	return pass, err
}

// ofShop returns a context in which a slot counts for a shop: of each, only some transfers may run at once.
func ofShop(p *staff.Pass) context.Context {
	return request.WithClient(context.Background(), request.Client{Name: p.Shop.ID.String()})
}
