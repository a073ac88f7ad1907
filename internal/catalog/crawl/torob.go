package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/catalog/seo"
	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/platform/share"
	"storefront/internal/platform/wire"
	"storefront/internal/record"
)

// Torob, an Iranian price comparison site, reads the products of shops by POST (its Product API, version 3): a page of
// them, or those with certain addresses or ids. All of that is public, so its token is not checked.

const (
	torobVersion = "torob_api_v3"
	torobPage    = 100 // products of a page; the API fixes this number
	torobMost    = 100 // addresses or ids in one request
	torobText    = 500 // characters of a title or description
	torobName    = 200
	torobBytes   = 1 << 10 // of a product in an answer, roughly
)

// torobCurrencies are the currencies that convert to toman, the only currency of Torob.
var torobCurrencies = [2]string{"IRT", "IRR"}

type torobResult struct {
	Version  string         `json:"api_version"`
	Page     *int           `json:"current_page"`
	Total    *int           `json:"total"`
	MaxPages *int           `json:"max_pages"`
	Next     *string        `json:"next_cursor"`
	Products []torobProduct `json:"products"`
}

type torobProduct struct {
	Unique       string            `json:"page_unique"`
	URL          string            `json:"page_url"`
	Group        string            `json:"product_group_id"`
	Title        string            `json:"title"`
	Subtitle     *string           `json:"subtitle"`
	CurrentPrice int64             `json:"current_price"` // tomans
	OldPrice     *int64            `json:"old_price"`
	Availability bool              `json:"availability"`
	Category     *string           `json:"category_name"`
	Images       []string          `json:"image_links"`
	Spec         map[string]string `json:"spec"`
	Description  *string           `json:"short_desc"`
	Added        string            `json:"date_added"`
	Updated      string            `json:"date_updated"`
}

// errTorob is a fault of a request, in the words of Torob's API.
type errTorob string

func (e errTorob) Error() string { return string(e) }

// torob answers a request of Torob.
func (s *Service) torob(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	err := s.forTorob(w, r)
	if named, ok := errors.AsType[*fault.Error](err); ok && named.Code == fault.BadRequest {
		err = errTorob(named.Message)
	}
	if wrong, ok := errors.AsType[errTorob](err); ok {
		text, _ := json.Marshal(map[string]string{"error": string(wrong)})
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(text)
	} else if err != nil {
		s.refuse(w, r, err)
	}
}

// forTorob answers a request, unless it fails.
func (s *Service) forTorob(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		return fault.New(fault.MethodNotAllowed, "this path takes POST")
	}
	body, err := wire.ReadObject(w, r)
	if err != nil {
		return err
	}
	ctx, of, held, err := s.begin(r)
	if err != nil {
		return err
	}
	defer held.Leave()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer held.Cut(func() {
		stop()
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now())
	})()
	if !of.Has(record.ProductPage) {
		return noFile()
	}
	result, err := torobAsk{s, of, seo.NewPage(of.Tenant, "fa"), held}.answer(ctx, body)
	if err != nil {
		return err
	}
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text)
	return nil
}

func (ask torobAsk) answer(ctx context.Context, body map[string]any) (*torobResult, error) {
	_, hasURLs := body["page_urls"]
	_, hasUniques := body["page_uniques"]
	_, hasPage := body["page"]
	switch {
	case hasURLs:
		return ask.at(ctx, body)
	case hasUniques:
		return ask.named(ctx, body)
	case hasPage:
		return ask.page(ctx, body)
	default:
		return ask.behind(ctx, body)
	}
}

// torobAsk is a request for products of a shop.
type torobAsk struct {
	*Service
	of    shop
	pages seo.Page
	held  *share.Held
}

// at returns the products with the given addresses.
func (a torobAsk) at(ctx context.Context, body map[string]any) (*torobResult, error) {
	addresses, err := torobTexts(body, "page_urls")
	if err != nil {
		return nil, err
	}
	var slugs []string
	for _, address := range addresses {
		if slug, ok := a.of.SlugAt(record.ProductPage, address); ok {
			slugs = append(slugs, slug)
		}
	}
	products, err := a.records.ProductIDs(ctx, a.of.ID, slugs)
	if err != nil {
		return nil, err
	}
	return a.some(ctx, offerFilter{Products: products})
}

// named returns the variants with the given ids.
func (a torobAsk) named(ctx context.Context, body map[string]any) (*torobResult, error) {
	texts, err := torobTexts(body, "page_uniques")
	if err != nil {
		return nil, err
	}
	ids := []uuid.UUID{}
	for _, text := range texts {
		if id, err := uuid.Parse(text); err == nil {
			ids = append(ids, id)
		}
	}
	return a.some(ctx, offerFilter{IDs: ids})
}

// some returns all that a filter finds, as one page.
func (a torobAsk) some(ctx context.Context, f offerFilter) (*torobResult, error) {
	f.Limit = mostNamed + 1
	result, err := a.read(ctx, f)
	if err != nil {
		return nil, err
	}
	page, total := 1, len(result.Products)
	if total > mostNamed {
		return nil, errTorob(fmt.Sprintf("these products have more than %d variants; ask for fewer", mostNamed))
	}
	result.Page, result.MaxPages, result.Total = &page, &page, &total
	return result, nil
}

// mostNamed bounds the variants in the answer to a list of addresses or ids.
const mostNamed = 2_000

// page returns a page by its number.
func (a torobAsk) page(ctx context.Context, body map[string]any) (*torobResult, error) {
	if err := checkTorobSort(body, "date_added_desc", "product_id_desc"); err != nil {
		return nil, err
	}
	number, err := torobNumber(body["page"])
	if err != nil {
		return nil, err
	}
	total, err := a.records.countOffers(ctx, a.of.ID, torobCurrencies)
	if err != nil {
		return nil, err
	}
	pages := max(1, (total+torobPage-1)/torobPage)
	result := &torobResult{Version: torobVersion, Products: []torobProduct{}}
	if number <= pages {
		f := offerFilter{Offset: (number - 1) * torobPage, Limit: torobPage}
		if result, err = a.read(ctx, f); err != nil {
			return nil, err
		}
	}
	result.Page, result.Total, result.MaxPages = &number, &total, &pages
	return result, nil
}

// behind returns the products after a cursor, or the first ones.
func (a torobAsk) behind(ctx context.Context, body map[string]any) (*torobResult, error) {
	if err := checkTorobSort(body, "product_id_desc"); err != nil {
		return nil, err
	}
	f := offerFilter{Limit: torobPage}
	if cursor, given := body["cursor"]; given {
		text, _ := cursor.(string)
		mark, ok := parsePageMark(text)
		if !ok {
			return nil, errTorob("cursor parameter is not valid")
		}
		f.After = &mark
	}
	return a.read(ctx, f)
}

// read reads offers, the newest first. It sets the next cursor after a full page, which may be the last one.
func (a torobAsk) read(ctx context.Context, f offerFilter) (*torobResult, error) {
	f.Currencies, f.NewestFirst = torobCurrencies[:], true
	result := &torobResult{Version: torobVersion, Products: []torobProduct{}}
	read := 0
	err := a.records.eachOffer(ctx, a.of.ID, f, func(found []*ent.Variant) error {
		for _, v := range found {
			if v.Edges.Product != nil {
				result.Products = append(result.Products, a.product(v))
				a.held.Did(torobBytes)
			}
		}
		if read += len(found); f.Limit == torobPage && read == torobPage {
			result.Next = new(offerMark(found[len(found)-1]).String())
		}
		return nil
	})
	return result, err
}

// product returns a variant on sale in the form of Torob's API.
func (a torobAsk) product(v *ent.Variant) torobProduct {
	of, pages := v.Edges.Product, a.pages
	title := of.TitleFa
	if choices := pages.Choices(of, v); len(choices) > 0 {
		title += " - " + strings.Join(choices, "، ")
	}
	p := torobProduct{
		Unique: v.ID.String(), URL: a.of.Address(record.ProductPage, of.Slug, a.of.Locale), Group: of.ID.String(),
		Title: seo.Plain(title, torobText), Images: offeredImages(pages, v), Spec: map[string]string{},
		Added: v.ListedAt.UTC().Format(time.RFC3339), Updated: v.UpdatedAt.UTC().Format(time.RFC3339),
	}
	if of.UpdatedAt.After(v.UpdatedAt) {
		p.Updated = of.UpdatedAt.UTC().Format(time.RFC3339)
	}
	if p.Images == nil {
		p.Images = []string{}
	}
	if of.TitleEn != nil && *of.TitleEn != of.TitleFa {
		p.Subtitle = new(seo.Plain(*of.TitleEn, torobText))
	}
	if of.Edges.Category != nil {
		p.Category = new(seo.Plain(of.Edges.Category.NameFa, torobName))
	}
	if text := seo.Plain(pages.Description(of), torobText); text != "" {
		p.Description = &text
	}
	for _, option := range record.OptionsOf(of.Variations, v.Options) {
		p.Spec[option.NameFa] = option.LabelFa
	}
	if v.Price == nil || v.Stock == 0 { // without a price it is on request, and 0 would mean free
		return p
	}
	p.Availability = true
	p.CurrentPrice, _ = money.Amount{Minor: *v.Price, Currency: v.PriceCurrency}.Toman()
	if v.CompareAtPrice != nil && *v.CompareAtPrice > *v.Price {
		old, _ := money.Amount{Minor: *v.CompareAtPrice, Currency: v.PriceCurrency}.Toman()
		p.OldPrice = &old
	}
	return p
}

// torobTexts reads a list of texts.
func torobTexts(body map[string]any, name string) (texts []string, err error) {
	list, _ := body[name].([]any)
	for _, item := range list {
		if text, ok := item.(string); ok {
			texts = append(texts, text)
		}
	}
	if len(list) == 0 || len(list) > torobMost || len(texts) < len(list) {
		return nil, errTorob(fmt.Sprintf("%s must be a list of 1 to %d texts", name, torobMost))
	}
	return texts, nil
}

// checkTorobSort checks the requested order. All of them mean the same here: newest on sale first.
func checkTorobSort(body map[string]any, sorts ...string) error {
	sort, given := body["sort"]
	if !given {
		return errTorob("sort parameter is not provided")
	}
	if text, _ := sort.(string); !slices.Contains(sorts, text) {
		return errTorob("sort parameter must be " + strings.Join(sorts, " or "))
	}
	return nil
}

// torobNumber reads the number of a page.
func torobNumber(value any) (int, error) {
	number, err := strconv.ParseInt(fmt.Sprint(value), 10, 32)
	if err != nil || number < 1 {
		return 0, errTorob("page parameter must be a whole number from 1 on")
	}
	return int(number), nil
}
