package page

import (
	"net/url"

	"quire/holdings"
	"quire/repository/catalogue"
	"quire/repository/store"
	"quire/service/desk"
)

const pagePackages = 50

// packagesPage is a part of the list of packages.
type packagesPage struct {
	Packages []desk.Package
	Staff    bool
	Next     string
}

func (p *Pages) packages(q *request) error {
	all, err := p.o.Desk.Packages(q.Context(), q.who, q.URL.Query().Get("after"), pagePackages)
	if err != nil {
		return err
	}
	v := packagesPage{Packages: all, Staff: q.who.Staff()}
	if len(all) == pagePackages {
		v.Next = "/packages?after=" + url.QueryEscape(all[len(all)-1].ID)
	}
	q.show(200, "packages.html", "Packages", v)
	return nil
}

// packagePage is a package.
type packagePage struct {
	*holdings.Package
	Staff    bool
	Versions []store.VersionInfo
	Copies   []catalogue.Copy
	Events   []catalogue.Event // the newest first
	Access   []desk.Access
	Audit    bool
	Form     string
}

const pageEvents = 30

func (p *Pages) one(q *request) error {
	d, id := p.o.Desk, q.PathValue("id")
	one, err := d.Package(q.Context(), q.who, id)
	if err != nil {
		return err
	}
	v := packagePage{Package: one, Staff: q.who.Staff(), Audit: q.who.May("job-submit"), Form: q.form}
	if v.Staff {
		if v.Versions, err = d.Versions(q.Context(), id); err != nil {
			return err
		}
		details, err := d.Copies(q.Context(), id)
		if err != nil {
			return err
		}
		v.Copies = details.Copies
		for i := len(details.Events) - 1; i >= 0 && len(v.Events) < pageEvents; i-- {
			v.Events = append(v.Events, details.Events[i])
		}
		if v.Access, _, err = d.Rights(q.Context(), id); err != nil {
			return err
		}
	}
	title := one.Title
	if title == "" {
		title = one.ID
	}
	q.show(200, "package.html", title, v)
	return nil
}
