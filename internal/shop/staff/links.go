package staff

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/accesstoken"
	"storefront/internal/customer/member"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/platform/signedlink"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/audit"
)

// Links are signed links for staff and programs to upload or download something of a shop where they cannot
// send a header with a token. When a link is used, the person who asked for it must still be signed in and
// have the permission.
type Links struct {
	Store    *ent.Client
	Signer   *signedlink.Signer
	Clock    record.Clock
	Sessions interface { // of customers
		// StillSignedIn fails with UNAUTHENTICATED if a session has ended.
		StillSignedIn(ctx context.Context, c request.Caller) error
	}
	OperatorsNeedFactor bool
}

// admitTime is how long Admit waits for the database. The transfer itself may take minutes.
const admitTime = 8 * time.Second

// Make returns the text of a link for the staff of the context, who need a permission, and when it expires.
func (l *Links) Make(
	ctx context.Context, purpose string, may Permission, life time.Duration, parameters map[string]string,
) (text string, expires time.Time, err error) {
	who, ok := request.StaffOf(ctx)
	if !ok {
		return "", time.Time{}, request.Forbidden(ctx, string(may))
	}
	if err := Check(ctx, who, may); err != nil {
		return "", time.Time{}, err
	}
	link := signedlink.Link{Purpose: purpose, Business: who.Business, Parameters: parameters}
	switch {
	case who.Program != nil:
		link.Token = who.Program.Token
	case !who.IsCommand():
		caller, err := request.CallerOf(ctx)
		if err != nil {
			return "", time.Time{}, err
		}
		link.User, link.Session = caller.User, caller.Session
	}
	text, expires = l.Signer.Make(link, life)
	return text, expires, nil
}

// Pass is a link that was admitted.
type Pass struct {
	signedlink.Link
	Shop *ent.Tenant

	links *Links
	may   Permission
	who   request.Staff
}

// Admit checks a link of a purpose that needs a permission. It fails with FORBIDDEN for an invalid link or a
// lost permission, with UNAUTHENTICATED if the person has signed out, and after 8 s of waiting for the
// database.
func (l *Links) Admit(ctx context.Context, purpose, text string, may Permission) (*Pass, error) {
	ctx, stop := context.WithTimeout(ctx, admitTime)
	defer stop()
	link, err := l.Signer.Read(purpose, text)
	if err != nil {
		return nil, err
	}
	p := &Pass{Link: link, links: l, may: may}
	if p.who, err = p.again(ctx); err != nil {
		return nil, err
	}
	if p.Shop, err = member.OpenShop(ctx, l.Store, link.Business); err != nil {
		return nil, err
	}
	return p, nil
}

// Acting returns a context in which the person or program that asked for the link acts at the shop.
func (p *Pass) Acting(ctx context.Context) context.Context {
	switch {
	case p.who.Program != nil:
		ctx = request.WithProgram(ctx, *p.who.Program)
	case !p.who.IsCommand():
		ctx = request.WithCaller(ctx, request.Caller{User: p.User, Session: p.Session})
	}
	return request.WithStaff(ctx, p.who)
}

// Again fails, like Admit, if the person who asked for the link has signed out or lost the permission.
func (p *Pass) Again(ctx context.Context) error {
	_, err := p.again(ctx)
	return err
}

func (p *Pass) again(ctx context.Context) (who request.Staff, err error) {
	if p.User != uuid.Nil {
		err = p.links.Sessions.StillSignedIn(ctx, request.Caller{User: p.User, Session: p.Session})
		if fault.Is(err, fault.Unauthenticated) { // the user of a link has no token to refresh
			err = fault.New(fault.Unauthenticated, "the session that asked for this link has ended; ask for a new one")
		}
	}
	if err != nil {
		return who, err
	}
	return p.holder(ctx, p.links.Store)
}

// Still is Again for a transaction of package transaction, which checks the session itself before it
// commits.
func (p *Pass) Still(ctx context.Context, client *ent.Client) error {
	_, err := p.holder(ctx, client)
	return err
}

// holder returns who asked for the link, if they still have the permission.
func (p *Pass) holder(ctx context.Context, client *ent.Client) (who request.Staff, err error) {
	who, ctx, err = p.asker(ctx, client)
	if err == nil {
		err = Check(ctx, who, p.may)
	}
	who.Roles = RolesWith(p.may)
	return who, err
}

// asker returns who asked for the link, with or without the permission, and a context with the program if it
// is one.
func (p *Pass) asker(ctx context.Context, client *ent.Client) (request.Staff, context.Context, error) {
	var who request.Staff
	var err error
	switch {
	case p.Token != uuid.Nil:
		if who, err = p.program(ctx, client); err == nil {
			ctx = request.WithProgram(ctx, *who.Program)
		}
	case p.User == uuid.Nil: // a command, which nobody signs out
		who = request.Staff{Business: p.Business, Role: record.Operator}
	default:
		who, _, err = Find(ctx, client, request.Caller{User: p.User, Session: p.Session}, p.Business,
			p.links.OperatorsNeedFactor)
	}
	return who, ctx, err
}

func (p *Pass) program(ctx context.Context, client *ent.Client) (request.Staff, error) {
	found, err := client.AccessToken.Query().Where(accesstoken.ID(p.Token), accesstoken.BusinessID(p.Business),
		liveAt(p.links.Clock.Now())).Only(ctx)
	if ent.IsNotFound(err) {
		err = fault.New(fault.Unauthenticated, "the access token that asked for this link has ended")
	}
	if err != nil {
		return request.Staff{}, err
	}
	return request.Staff{Business: p.Business, Program: &request.Program{
		Token: found.ID, Business: found.BusinessID, Permissions: found.Permissions}}, nil
}

// previewedBy maps the kinds of records that have previews to the permission to make one, and to the mutation that
// does.
var previewedBy = map[record.SlugKind]struct {
	may    Permission
	action string
}{
	record.SlugProduct:     {EditCatalog, "createProductPreview"},
	record.SlugUserProduct: {ManageListings, "createUserProductPreview"},
	record.SlugBlog:        {EditContent, "createBlogPreview"},
	record.SlugPortfolio:   {EditContent, "createPortfolioPreview"},
}

const previewedRecord = "id" // parameter of a link

// PreviewOf is a record that a preview shows, with its titles and its customer for the audit log.
type PreviewOf struct {
	Kind     record.SlugKind
	ID       uuid.UUID
	Name     string
	NameEn   *string
	Customer *uuid.UUID
}

// Preview returns the text of a link that shows its bearer one record of the context's shop, whatever its
// status, and when it expires.
func (l *Links) Preview(
	ctx context.Context, preview PreviewOf, life time.Duration,
) (text string, expires time.Time, err error) {
	by := previewedBy[preview.Kind]
	text, expires, err = l.Make(ctx, "preview "+string(preview.Kind), by.may, life,
		map[string]string{previewedRecord: preview.ID.String()})
	if err != nil {
		return "", time.Time{}, err
	}
	entry := audit.Change{
		Kind: string(preview.Kind), ID: preview.ID, Name: preview.Name, NameEn: preview.NameEn,
		Customer: convert.Value(preview.Customer),
		Before:   map[string]any{"previewUntil": nil}, After: map[string]any{"previewUntil": expires},
	}
	return text, expires, transaction.Run(ctx, l.Store, func(tx *ent.Tx) error {
		return audit.Record(ctx, tx, by.action, entry)
	})
}

// Previewed returns the id of the record of a kind that a preview shows. It fails with NOT_FOUND, always in
// the same way, for a preview of another shop, kind or service, for an expired one, and if its maker has
// lost the permission. Unlike other links, a preview outlives the session in which it was made.
func (l *Links) Previewed(
	ctx context.Context, business uuid.UUID, kind record.SlugKind, text string,
) (id uuid.UUID, err error) {
	link, err := l.Signer.Read("preview "+string(kind), text)
	if err != nil || link.Business != business {
		return uuid.Nil, NoPreview()
	}
	maker, ctx, err := (&Pass{Link: link, links: l}).asker(ctx, l.Store)
	if maker.SecondFactor == request.FactorUnproven { // the session had proved it when the preview was made
		maker.SecondFactor = request.FactorProven
	}
	if err == nil {
		err = Check(ctx, maker, previewedBy[kind].may)
	}
	switch {
	case fault.Is(err, fault.Forbidden), fault.Is(err, fault.Unauthenticated),
		fault.Is(err, fault.SecondFactorRequired):
		return uuid.Nil, NoPreview()
	case err != nil:
		return uuid.Nil, err
	}
	id, err = uuid.Parse(link.Parameters[previewedRecord])
	if err != nil {
		return uuid.Nil, NoPreview()
	}
	return id, nil
}

// NoPreview returns the error for a preview that is not valid.
func NoPreview() error {
	return fault.New(fault.NotFound, "this preview shows nothing here, or not any more; ask for a new one")
}
