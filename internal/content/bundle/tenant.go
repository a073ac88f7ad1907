package bundle

import (
	"context"
	"fmt"
	"time"

	"storefront/internal/content/stored"

	"storefront/internal/content/document"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/database/tenancy"
	"storefront/internal/platform/hostname"
	"storefront/internal/record"
	"storefront/internal/shop"
)

// takeTenant reads the tenant, which is found by its domain. If the bundle has no valid tenant, which is a
// fault already, the other sections are checked as those of a new tenant.
func (im *importer) takeTenant(ctx context.Context, batch []*document.Object) error {
	if len(batch) == 0 {
		im.tenant = record.NewID()
		return im.loadCategories(tenancy.In(ctx, im.tenant))
	}
	o := batch[0]
	if im.writing {
		return im.writeTenant(ctx, o)
	}
	domain := ""
	o.Require("domain")
	o.Text("domain", &domain, emailLimit, hostname.CheckTenant)
	o.Changed = false
	im.domain = domain
	row, isNew, err := im.lockTenant(ctx, domain)
	if err != nil {
		return err
	}
	if im.sheet != nil && im.sheet.Shop != uuid.Nil && row.ID != im.sheet.Shop {
		return fmt.Errorf("%s is the domain of another shop by now", domain)
	}
	if !isNew && row.ClosedAt != nil {
		return fmt.Errorf("%s is locked; `storefront shop unlock` unlocks it", domain)
	}
	if isNew && domain != "" {
		o.Require("slug", "name", "nameFa", "defaultLocale")
	}
	if err := im.readTenant(ctx, o, row); err != nil {
		return err
	}
	im.tenant = row.ID
	im.fresh = isNew
	im.summary.Tenant, im.summary.Domain, im.summary.Created = row.ID, domain, isNew
	im.version = row.ContentVersion
	if im.countFate(o, "tenant", fateOf(isNew, o.Changed)) {
		im.tenantNode = o.Node
	}
	return im.loadCategories(tenancy.In(ctx, im.tenant))
}

// lockTenant finds the tenant of a domain, or makes a new one, and waits for other imports of it, even if
// they name another of its domains.
func (im *importer) lockTenant(ctx context.Context, domain string) (row *ent.Tenant, isNew bool, err error) {
	lock, lockShop := im.store.Lock, im.store.LockImports
	if im.sheet != nil && im.sheet.AtOnce && im.dialect == dialect.Postgres { // do not wait
		lock, lockShop = im.store.TryLock, im.store.TryLockImports
	}
	if im.unlock, err = taken(lock(ctx, "import", domain)); err != nil {
		return nil, false, err
	}
	fresh := &ent.Tenant{ID: im.newID("tenant", ""), Domain: domain}
	for {
		before, err := im.find(ctx, fresh)
		if err != nil {
			return nil, false, err
		}
		unlock, err := taken(lockShop(ctx, before.ID))
		if err != nil {
			return nil, false, err
		}
		row, err := im.find(ctx, fresh) // the domain may lead to another tenant by now
		if err == nil && row.ID == before.ID {
			first := im.unlock
			im.unlock = func() { unlock(); first() }
			return row, row == fresh, nil
		}
		unlock()
		if err != nil {
			return nil, false, err
		}
	}
}

// find returns the existing tenant of the domain of fresh, or else fresh.
func (im *importer) find(ctx context.Context, fresh *ent.Tenant) (*ent.Tenant, error) {
	row, err := shop.Find(ctx, im.client, fresh.Domain)
	if ent.IsNotFound(err) {
		return fresh, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find the tenant: %w", err)
	}
	return row, nil
}

// readTenant reads the members of a tenant except its domain.
func (im *importer) readTenant(ctx context.Context, o *document.Object, row *ent.Tenant) error {
	if o.Value("slug") != nil {
		document.Put(o, &row.Slug, o.Slug())
	}
	o.Bilingual("name", &row.Name, &row.NameFa, document.TitleLimit)
	o.OptionalText("primaryColor", &row.PrimaryColor, document.KeyLimit, checkColour)
	o.Text("defaultLocale", &row.DefaultLocale, document.KeyLimit, document.OneOf([]string{"en", "fa"}))
	o.OptionalText("timeZone", &row.TimeZone, document.KeyLimit, checkZone)
	o.OptionalText("logoUrl", &row.LogoURL, urlLimit, im.imageURL(record.TextOf(row.LogoURL)))
	o.OptionalText("faviconUrl", &row.FaviconURL, urlLimit, im.imageURL(record.TextOf(row.FaviconURL)))
	readPages(o, &row.Pages)
	readOrderRules(o, &row.OrderRules)
	o.RefuseUnknown()
	if o.Value("slug") != nil {
		taken, err := im.client.Tenant.Query().Where(tenant.Slug(row.Slug), tenant.IDNEQ(row.ID)).Exist(ctx)
		if err != nil {
			return fmt.Errorf("find the tenant's slug: %w", err)
		}
		if taken {
			im.faults.Add(o.Member("slug"), "is the one of another tenant")
		}
	}
	return nil
}

// writeTenant reads the tenant that is written, again unless it is new.
func (im *importer) writeTenant(ctx context.Context, o *document.Object) (err error) {
	row, isNew := &ent.Tenant{ID: im.tenant, Domain: im.domain}, im.summary.Created
	if !isNew {
		if row, err = im.client.Tenant.Get(ctx, im.tenant); err != nil {
			return fmt.Errorf("find the tenant: %w", err)
		}
	}
	im.noteRecord("tenant", row, row.ID, row.UpdatedAt, !isNew)
	if err := im.readTenant(ctx, o, row); err != nil {
		return err
	}
	if im.countFate(o, "tenant", fateOf(isNew, o.Changed)) {
		im.saveTenant(row, isNew)
	}
	return nil
}

func (im *importer) saveTenant(row *ent.Tenant, isNew bool) {
	at := im.writtenAt()
	im.do(func(ctx context.Context, tx *ent.Tx) error { return saveTenant(ctx, tx, row, isNew, at) })
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
	_, err := tx.ExecContext(ctx, query, args...)
	return err
}

// takeProfile reads the business profile, of which a tenant has at most one.
func (im *importer) takeProfile(ctx context.Context, batch []*document.Object) error {
	for _, o := range batch {
		row, err := im.client.BusinessProfile.Query().Only(ctx)
		isNew := ent.IsNotFound(err)
		if err != nil && !isNew {
			return err
		}
		if isNew {
			row = &ent.BusinessProfile{ID: record.NewID(), Phones: []string{}, Emails: []string{},
				Addresses: []record.BusinessAddress{}, SocialLinks: []record.SocialLink{}}
		}
		im.noteRecord("profile", row, row.ID, row.UpdatedAt, !isNew)
		o.OptionalBilingual("about", &row.About, &row.AboutFa, bodyLimit)
		o.Texts("phones", &row.Phones, mostContacts, document.KeyLimit)
		o.Texts("emails", &row.Emails, mostContacts, emailLimit, checkEmail)
		document.ListOf(o, "addresses", &row.Addresses, mostContacts, readAddress)
		document.ListOf(o, "socialLinks", &row.SocialLinks, mostContacts, readSocialLink)
		o.OptionalBilingual("workingHours", &row.WorkingHours, &row.WorkingHoursFa, noteLimit)
		o.RefuseUnknown()
		if !im.countFate(o, "profile", fateOf(isNew, o.Changed)) {
			continue
		}
		save(im, stored.ProfileTable, []*ent.BusinessProfile{row})
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
