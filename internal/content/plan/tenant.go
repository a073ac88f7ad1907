package plan

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/content/derive"
	"storefront/internal/content/document"
	"storefront/internal/content/stored"
	"storefront/internal/platform/hostname"
	"storefront/internal/record"
	"storefront/internal/shop"
)

// takeTenant reads the tenant. A file names it by its domain, and has all required members of a new one.
func (p *Planner) takeTenant(ctx context.Context, batch []*document.Object) (err error) {
	for _, o := range batch {
		row := &ent.Tenant{ID: p.Shop}
		if !p.IsNew {
			if row, err = p.Client.Tenant.Get(ctx, p.Shop); err != nil {
				return err
			}
		}
		if !p.Terms.Edit {
			domain := row.Domain
			o.Require("domain")
			o.Text("domain", &domain, emailLimit, hostname.CheckTenant)
			o.Changed = false
			if p.IsNew && domain != "" {
				row.Domain = domain
				o.Require("slug", "name", "nameFa", "defaultLocale")
			}
		}
		p.noteRecord("tenant", row, row.ID, row.UpdatedAt, !p.IsNew)
		if err := p.readTenant(ctx, o, row); err != nil {
			return err
		}
		if p.note(o, "tenant", stored.FateOf(p.IsNew, o.Changed)) {
			isNew, at := p.IsNew, p.at
			p.unit.Do(func(ctx context.Context, tx *ent.Tx) error { return saveTenant(ctx, tx, row, isNew, at) })
		}
	}
	return nil
}

// readTenant reads the members of a tenant except its domain.
func (p *Planner) readTenant(ctx context.Context, o *document.Object, row *ent.Tenant) error {
	if o.Value("slug") != nil {
		document.Put(o, &row.Slug, o.Slug())
	}
	o.Bilingual("name", &row.Name, &row.NameFa, document.TitleLimit)
	o.OptionalText("primaryColor", &row.PrimaryColor, document.KeyLimit, checkColour)
	o.Text("defaultLocale", &row.DefaultLocale, document.KeyLimit, document.OneOf([]string{"en", "fa"}))
	o.OptionalText("timeZone", &row.TimeZone, document.KeyLimit, checkZone)
	o.OptionalText("logoUrl", &row.LogoURL, urlLimit, p.imageURL(record.TextOf(row.LogoURL)))
	o.OptionalText("faviconUrl", &row.FaviconURL, urlLimit, p.imageURL(record.TextOf(row.FaviconURL)))
	readPages(o, &row.Pages)
	readOrderRules(o, &row.OrderRules)
	o.RefuseUnknown()
	if o.Value("slug") != nil {
		taken, err := p.Client.Tenant.Query().Where(tenant.Slug(row.Slug), tenant.IDNEQ(row.ID)).Exist(ctx)
		if err != nil {
			return fmt.Errorf("find the tenant's slug: %w", err)
		}
		if taken {
			p.Faults.Add(o.Member("slug"), "is the one of another tenant")
		}
	}
	return nil
}

// mostHoursToPay is a year.
const mostHoursToPay = 365 * 24

// readOrderRules reads what the shop asks of orders. A new value replaces the old one as a whole.
func readOrderRules(o *document.Object, dst **record.OrderRules) {
	given, null := o.Inner("orderRules")
	if null {
		document.PutDeep(o, dst, nil)
	}
	if given == nil {
		return
	}
	rules := record.UsualOrderRules
	given.Integer("transferHours", &rules.TransferHours, 0, mostHoursToPay)
	given.Integer("gatewayHours", &rules.GatewayHours, 0, mostHoursToPay)
	given.Integer("gatewayMinutes", &rules.GatewayMinutes, 0, mostHoursToPay*60)
	given.OptionalInteger("mostUnpaid", &rules.MostUnpaid, 1, 1000)
	given.Boolean("provenNumber", &rules.ProvenNumber)
	given.Integer("usualWeight", &rules.UsualWeight, 0, record.MostGrams)
	given.Boolean("pricesIncludeTax", &rules.PricesIncludeTax)
	given.RefuseUnknown()
	document.PutDeep(o, dst, &rules)
}

func saveTenant(ctx context.Context, tx *ent.Tx, row *ent.Tenant, isNew bool, at time.Time) error {
	if isNew {
		if err := shop.MustBeFree(ctx, tx, row.Domain); err != nil {
			return err
		}
		return tx.Tenant.Create().SetRecord(row).Exec(ctx)
	}
	change := sql.Dialect(tx.Raw().Dialect()).Update(tenant.Table).Where(sql.EQ(tenant.FieldID, row.ID))
	for i, value := range row.Row() {
		switch column := tenant.Columns[i]; column {
		case tenant.FieldSlug, tenant.FieldName, tenant.FieldNameFa, tenant.FieldPrimaryColor,
			tenant.FieldDefaultLocale, tenant.FieldTimeZone, tenant.FieldLogoURL, tenant.FieldFaviconURL,
			tenant.FieldPages, tenant.FieldOrderRules:
			change.Set(column, value)
		case tenant.FieldUpdatedAt:
			change.Set(column, at)
		}
	}
	query, args := change.Query()
	if _, err := tx.ExecContext(ctx, query, args...); err != nil {
		return err
	}
	return derive.RaiseSale(ctx, tx, tenant.ID(row.ID), tenant.SaleVersionGT(0)) // a usual weight, a time zone
}

// takeProfile reads the business profile, of which a tenant has at most one.
func (p *Planner) takeProfile(ctx context.Context, batch []*document.Object) error {
	for _, o := range batch {
		row, err := p.Client.BusinessProfile.Query().Only(ctx)
		isNew := ent.IsNotFound(err)
		if err != nil && !isNew {
			return err
		}
		if isNew {
			row = &ent.BusinessProfile{ID: record.NewID(), Phones: []string{}, Emails: []string{},
				Addresses: []record.BusinessAddress{}, SocialLinks: []record.SocialLink{}}
		}
		p.noteRecord("profile", row, row.ID, row.UpdatedAt, !isNew)
		o.OptionalBilingual("about", &row.About, &row.AboutFa, bodyLimit)
		o.Texts("phones", &row.Phones, mostContacts, document.KeyLimit)
		o.Texts("emails", &row.Emails, mostContacts, emailLimit, checkEmail)
		document.ListOf(o, "addresses", &row.Addresses, mostContacts, readAddress)
		document.ListOf(o, "socialLinks", &row.SocialLinks, mostContacts, readSocialLink)
		o.OptionalBilingual("workingHours", &row.WorkingHours, &row.WorkingHoursFa, noteLimit)
		o.RefuseUnknown()
		if !p.note(o, "profile", stored.FateOf(isNew, o.Changed)) {
			continue
		}
		save(p, stored.ProfileTable, []*ent.BusinessProfile{row})
	}
	return nil
}

// readAddress reads an address of the profile.
func readAddress(o *document.Object) (one record.BusinessAddress) {
	o.Require("address")
	o.OptionalBilingual("title", &one.Title, &one.TitleFa, document.TitleLimit)
	o.Text("address", &one.Address, noteLimit)
	o.OptionalText("addressFa", &one.AddressFa, noteLimit)
	o.OptionalBilingual("province", &one.Province, &one.ProvinceFa, document.TitleLimit)
	o.OptionalBilingual("city", &one.City, &one.CityFa, document.TitleLimit)
	o.OptionalText("postalCode", &one.PostalCode, document.KeyLimit)
	o.Degrees("latitude", &one.Latitude, 90)
	o.Degrees("longitude", &one.Longitude, 180)
	return one
}

func readSocialLink(o *document.Object) (one record.SocialLink) {
	o.Require("type", "url")
	o.Text("type", &one.Type, document.KeyLimit, checkKey)
	o.Text("url", &one.URL, urlLimit, checkURL)
	return one
}
