package media

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/media/imagefile"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/platform/share"
	"storefront/internal/platform/wire"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/staff"
)

// piece is how much of a file is read at a time, so that one that is too long ends early.
const piece = 64 << 10 // bytes

// uploaded is the answer to an upload.
type uploaded struct {
	ID               uuid.UUID `json:"id"`
	URL              string    `json:"url"`
	Width            int       `json:"width"`
	Height           int       `json:"height"`
	PlaceholderColor *string   `json:"placeholderColor"`
}

// upload answers a PUT to an upload address. It checks the link before it reads the body, and again when the
// image is stored, which may be minutes later.
func (s *Service) upload(w http.ResponseWriter, r *http.Request, admit admission) error {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer") // the address has the link
	if r.Method != http.MethodPut {
		h.Set("Allow", "PUT")
		return fault.New(fault.MethodNotAllowed, "an image is uploaded by PUT")
	}
	link, err := linkOf(r)
	if err == nil {
		err = s.place(r.Context())
	}
	if err != nil {
		return err
	}
	ctx, up, err := admit(r.Context(), link)
	if err != nil {
		return err
	}
	ctx = request.WithClient(tenancy.In(ctx, up.shop), request.Client{Name: up.by.String()})
	file, err := s.receive(ctx, w, r)
	if err != nil {
		return err
	}
	defer file.close()
	var book booking
	ended := func(context.Context, error) {}
	if up.limit.Most > 0 {
		book, ended = s.booking(up.limit, r.RemoteAddr)
	}
	said, isNew, err := up.take(ctx, file.whole(), book)
	ended(ctx, err)
	if err != nil {
		return err
	}
	return answer(w, said, isNew)
}

// linkOf returns the link in the address of a request.
func linkOf(r *http.Request) (string, error) {
	query, err := wire.ReadQuery(r, func(name string) bool { return name == "link" })
	if err == nil && len(query["link"]) > 1 {
		err = fault.New(fault.BadRequest, "a parameter stands in the address twice")
	}
	return query.Get("link"), err
}

func answer(w http.ResponseWriter, said any, isNew bool) error {
	text, err := json.Marshal(said)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	if isNew {
		w.WriteHeader(http.StatusCreated)
	}
	_, _ = w.Write(text)
	return nil
}

func tooLong() error {
	return fault.New(fault.PayloadTooLarge, "an image may have at most %d MiB", imagefile.MostBytes>>20)
}

// receive reads the body into a file. The server limits the time.
func (s *Service) receive(ctx context.Context, w http.ResponseWriter, r *http.Request) (_ *spool, err error) {
	if r.Header.Get("Content-Range") != "" {
		return nil, fault.New(fault.BadRequest, "an image is uploaded whole; Content-Range is not taken")
	}
	if r.ContentLength > imagefile.MostBytes {
		return nil, tooLong()
	}
	waiting, stop := context.WithTimeout(ctx, turnOfUser)
	defer stop()
	held, err := s.uploads.Begin(waiting)
	if errors.Is(err, share.ErrFull) {
		return nil, fault.Wrap(fault.RateLimited, err, "you are uploading %d images already; wait until one has come",
			mostOfUser).After(turnOfUser)
	}
	if err != nil {
		return nil, err
	}
	defer held.Leave()
	defer held.Cut(func() { _ = http.NewResponseController(w).SetReadDeadline(time.Now()) })()
	to, err := newSpool(s.Spool)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			to.close()
		}
	}()
	for {
		n, err := io.CopyN(to, r.Body, piece)
		held.Did(int(n))
		switch {
		case to.size > imagefile.MostBytes:
			return nil, tooLong()
		case errors.Is(err, io.EOF) && to.size == 0:
			return nil, fault.New(fault.BadRequest, "the body is empty; send the file as it is")
		case errors.Is(err, io.EOF):
			return to, nil
		case held.GaveWay():
			return nil, fault.New(fault.Unavailable, "the image came slowly while others waited; send it again").
				After(5 * time.Second)
		case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
			return nil, tooSlow()
		case err != nil && fault.From(err).Code != fault.Internal:
			return nil, err
		case err != nil:
			return nil, fault.Wrap(fault.BadRequest, err, "the body did not come whole")
		}
	}
}

func tooSlow() error {
	return fault.New(fault.RequestTimeout, "the image came too slowly; send it again")
}

// spool is an unnamed temporary file, which disappears when it is closed, or after a crash.
type spool struct {
	file *os.File
	size int64
}

func newSpool(folder string) (*spool, error) {
	if folder != "" {
		if err := os.MkdirAll(folder, 0o750); err != nil {
			return nil, unkept(err)
		}
	}
	file, err := os.CreateTemp(folder, ".upload-*")
	if err != nil {
		return nil, unkept(err)
	}
	_ = os.Remove(file.Name()) // if that fails, closing removes it
	return &spool{file: file}, nil
}

// Write adds to the file.
func (s *spool) Write(b []byte) (int, error) {
	n, err := s.file.Write(b)
	s.size += int64(n)
	return n, unkept(err)
}

func (s *spool) whole() imagefile.File { return imagefile.File{ReaderAt: s.file, Size: s.size} }

// content returns a reader of the whole file.
func (s *spool) content() io.ReadSeeker { return io.NewSectionReader(s.file, 0, s.size) }

func (s *spool) close() {
	_ = s.file.Close()
	_ = os.Remove(s.file.Name())
}

// refuse answers with an error. It logs errors that the client did not cause.
func (s *Service) refuse(w http.ResponseWriter, r *http.Request, err error) {
	named := transaction.Fault(err)
	if ctx := r.Context(); wire.Failed(named.Code) && !errors.Is(ctx.Err(), context.Canceled) {
		s.Log.ErrorContext(ctx, "an image was not kept or given out", "error", err)
	}
	wire.WriteError(w, r, named)
}

const (
	linkTime  = 15 * time.Minute // from the making of an upload address to the beginning of its use
	uploading = "upload image"   // the purpose of links
)

// uploadPath is where images are uploaded. The link is in the query.
const uploadPath = record.MediaPath + "uploads"

// admission checks the link of an upload. It returns a context in which the person or program that asked for
// the link acts at the shop.
type admission func(ctx context.Context, link string) (context.Context, admitted, error)

// admitted is an upload that was admitted.
type admitted struct {
	shop, by uuid.UUID       // by is the person or program that asked for the link
	limit    ratelimit.Limit // of a customer
	// take stores the file, and returns the answer; isNew is false if the file was stored before. It calls book before
	// it decodes the file, if that is needed.
	take func(ctx context.Context, f imagefile.File, book booking) (said any, isNew bool, err error)
}

// Upload describes an image that is being uploaded.
type Upload struct {
	Shop uuid.UUID
	User *uuid.UUID // the customer who owns it; nil for the shop
	Name *string    // what the uploader calls the file
	// AsSent keeps a file as it is, if it is as one that this service has kept: an export wrote it.
	AsSent bool
	book   booking // of a customer
	// Still fails if the uploader has lost the right to upload; nil if being signed in is enough.
	Still func(ctx context.Context, client *ent.Client) error
}

// NewLink returns the address to which the staff of a context may upload images to a shop, relative to the
// address of GraphQL, and when it expires.
func (s *Service) NewLink(ctx context.Context, shop uuid.UUID, name *string) (to string, expires time.Time, err error) {
	if err := s.place(ctx); err != nil {
		return "", time.Time{}, err
	}
	if err := s.checkQuota(ctx, s.Store, Upload{Shop: shop}, 1); err != nil {
		return "", time.Time{}, err
	}
	link, expires, err := s.Links.Make(ctx, uploading, staff.EditContent, linkTime, nameParameter(name))
	return uploadPath + "?link=" + url.QueryEscape(link), expires, err
}

// nameParameter returns the parameters of a link for the upload of an image with a name.
func nameParameter(name *string) map[string]string {
	parameters := map[string]string{}
	if name != nil {
		parameters["name"] = *name
	}
	return parameters
}

// named returns the name of an image from the parameters of a link.
func named(said map[string]string) *string {
	if name, has := said["name"]; has {
		return &name
	}
	return nil
}

// admitStaff is the admission of staff and programs.
func (s *Service) admitStaff(ctx context.Context, link string) (context.Context, admitted, error) {
	pass, err := s.Links.Admit(ctx, uploading, link, staff.EditContent)
	if err != nil {
		return ctx, admitted{}, err
	}
	request.Of(ctx).Note.For(pass.Shop.Domain)
	up := Upload{Shop: pass.Shop.ID, Name: named(pass.Parameters), Still: pass.Still}
	return pass.Acting(ctx), s.image(up, cmp.Or(pass.User, pass.Token)), nil
}

// image returns the admission of an image's upload.
func (s *Service) image(up Upload, by uuid.UUID) admitted {
	var limit ratelimit.Limit
	if up.User != nil {
		limit = inDay("image", up.Shop, by, mostInDay)
	}
	return admitted{up.Shop, by, limit, func(ctx context.Context, f imagefile.File, book booking) (any, bool, error) {
		up.book = book
		kept, isNew, err := s.Keep(ctx, up, f)
		if err != nil {
			return nil, false, err
		}
		return uploaded{ID: kept.ID, URL: kept.Address, Width: kept.Width, Height: kept.Height,
			PlaceholderColor: kept.PlaceholderColor}, isNew, nil
	}}
}
