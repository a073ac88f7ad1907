package seo

import (
	"storefront/ent"
	"storefront/internal/record"
)

type organizationLD struct {
	typed
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
	Logo string `json:"logo,omitempty"`

	Description string      `json:"description,omitempty"`
	Telephones  []string    `json:"telephone,omitempty"`
	Emails      []string    `json:"email,omitempty"`
	Addresses   []addressLD `json:"address,omitempty"`
	SameAs      []string    `json:"sameAs,omitempty"`
}

type addressLD struct {
	typed
	Street     string `json:"streetAddress"`
	Locality   string `json:"addressLocality,omitempty"`
	Region     string `json:"addressRegion,omitempty"`
	PostalCode string `json:"postalCode,omitempty"`
}

// organization returns the JSON-LD of the shop without its profile.
func (p Page) organization(kind string) organizationLD {
	ld := organizationLD{typed: typed{Type: kind}, Name: p.Name(p.Shop.Name, p.Shop.NameFa),
		URL: p.Of(record.HomePage, "")}
	if p.Shop.LogoURL != nil {
		ld.Logo = p.Absolute(*p.Shop.LogoURL)
	}
	return ld
}

// Store returns the JSON-LD of the shop with its profile.
func (p Page) Store(profile *ent.BusinessProfile) (string, error) {
	ld := p.organization("OnlineStore")
	ld.Context = schemaOrg
	ld.Description = Plain(p.Text(profile.About, profile.AboutFa), mostDescription)
	ld.Telephones, ld.Emails = profile.Phones, profile.Emails
	for _, at := range profile.Addresses {
		ld.Addresses = append(ld.Addresses, addressLD{typed: typed{Type: "PostalAddress"},
			Street: p.Text(&at.Address, at.AddressFa), Locality: p.Text(at.City, at.CityFa),
			Region: p.Text(at.Province, at.ProvinceFa), PostalCode: record.TextOf(at.PostalCode)})
	}
	for _, link := range profile.SocialLinks {
		ld.SameAs = append(ld.SameAs, p.Absolute(link.URL))
	}
	return text(ld)
}

type trailLD struct {
	typed
	Steps []stepLD `json:"itemListElement"`
}

type stepLD struct {
	typed
	Position int    `json:"position"`
	Name     string `json:"name"`
	Item     string `json:"item,omitempty"`
}

// Step is a page in a breadcrumb trail.
type Step struct{ Name, Address string }

// Trail returns the JSON-LD of a breadcrumb trail, which begins at the home page.
func (p Page) Trail(steps ...Step) (string, error) {
	ld := trailLD{typed: outermost("BreadcrumbList")}
	if home := p.Of(record.HomePage, ""); home != "" {
		steps = append([]Step{{p.Name(p.Shop.Name, p.Shop.NameFa), home}}, steps...)
	}
	for i, step := range steps {
		ld.Steps = append(ld.Steps, stepLD{typed: typed{Type: "ListItem"}, Position: i + 1,
			Name: step.Name, Item: step.Address})
	}
	return text(ld)
}
