package pandas

import (
	"strconv"
	"strings"
	"time"

	"quire/model"
	"quire/source/internal/facts"
	"quire/source/internal/sqldump"
)

// permit adds the permission to keep the title, and its readers.
func (r *record) permit(f *facts.Facts) {
	seen := map[int64]bool{}
	add := func(row *sqldump.Row) {
		if row != nil && !seen[row.Number] {
			seen[row.Number] = true
			f.About.Rights.Permissions = append(f.About.Rights.Permissions, r.permission(row))
		}
	}
	add(r.One("permission", "permission_id", r.title.Get("permission_id")))
	add(r.One("permission", "permission_id", r.title.Get("default_permission_id")))
	for _, row := range r.Where("permission", "title_id", r.title.Get("title_id")) {
		add(row)
	}
	f.About.Rights.Access = append(f.About.Rights.Access, r.restrictions()...)
	if shown, note := r.instance.Get("is_displayed"), r.instance.Get("display_note"); shown != "" || note != "" {
		f.About.Rights.Access = append(f.About.Rights.Access,
			model.Access{Of: "instance", Displayed: yes(shown), Note: note, Source: r.at(r.instance)})
	}
	if published := r.tep.Get("is_published"); published != "" {
		f.About.Rights.Access = append(f.About.Rights.Access,
			model.Access{Of: "title entry page", Displayed: yes(published), Source: r.at(r.tep)})
	}
	if v := r.instance.Get("restriction_enabled_t"); v != "" {
		f.Note("restriction enabled", yes(v), r.at(r.instance))
	}
}

// yes converts a database flag to text.
func yes(v string) string {
	switch strings.ToLower(v) {
	case "":
		return ""
	case "0", "f", "false", "n", "b'0'":
		return "false"
	}
	return "true"
}

func (r *record) permission(row *sqldump.Row) model.Permission {
	state := r.One("permission_state", "permission_state_id", row.Get("permission_state_id"))
	kind := r.One("permission_type", "permission_type_id", row.Get("permission_type_id"))
	who := r.One("individual", "individual_id", row.Get("individual_id"))
	p := model.Permission{
		State:     either(row.Get("permission_state"), state.Get("permission_state")),
		Basis:     either(row.Get("permission_type"), kind.Get("permission_type")),
		BasisNote: row.Get("permission_description"), Decided: row.Get("status_set_date"),
		FileReference: row.Get("local_reference"), Note: row.Get("note"),
		Agent:     r.publisher(row.Get("publisher_id")).Get("name"),
		Contact:   strings.TrimSpace(who.Get("name_given") + " " + who.Get("name_family")),
		Copyright: r.tep.Get("copyright_note"), CopyrightURL: r.tep.Get("copyright_url"), Source: r.at(row),
	}
	if yes(row.Get("is_blanket")) == "true" {
		p.BasisNote = strings.TrimSpace(p.BasisNote + " (blanket: for all titles of the publisher)")
	}
	if domain := row.Get("domain"); domain != "" {
		p.Patterns = []string{domain}
	}
	return p
}

func either(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// restrictions returns the restrictions on the title: until a date, for a period after the gather,
// or for readers who log in. If a restriction names an area of an agency, the title is visible in
// this area.
func (r *record) restrictions() []model.Access {
	var all []model.Access
	id := r.title.Get("title_id")
	for _, row := range r.Where("date_restr", "title_id", id) {
		a := r.restriction(row)
		// sic
		a.From, a.To = either(row.Get("restiction_start_date"), row.Get("restriction_start_date")),
			row.Get("restriction_end_date")
		all = append(all, a)
	}
	for _, row := range r.Where("period_restr", "title_id", id) {
		a := r.restriction(row)
		period := r.One("period_type", "period_type_id", row.Get("period_type_id")).Get("period_type")
		a.Note = strings.TrimSpace("for " + row.Get("period_multiplier") + " " + period +
			" behind the date of each instance")
		a.From, a.To = r.instance.Get("instance_date"),
			addPeriod(r.instance.Get("instance_date"), row.Get("period_multiplier"), period)
		all = append(all, a)
	}
	for _, row := range r.Where("auth_restr", "title_id", id) {
		a := r.restriction(row)
		a.For = "readers who log in"
		all = append(all, a)
	}
	return all
}

func (r *record) restriction(row *sqldump.Row) model.Access {
	area := r.One("agency_area", "agency_area_id", row.Get("agency_area_id"))
	a := model.Access{Of: "title", Zone: model.Restricted, Written: strings.ToUpper(row.Table),
		For:   area.Get("area_name"),
		State: r.One("condition", "condition_id", row.Get("condition_id")).Get("name"), Source: r.at(row)}
	if area != nil {
		a.Zone = model.Onsite
	}
	return a
}

// addPeriod adds a period to a date, and returns its last day. An unknown period has no end.
func addPeriod(date, multiplier, period string) string {
	n, err := strconv.Atoi(multiplier)
	if err != nil || n < 0 || n > 10000 || len(date) < len(time.DateOnly) {
		return ""
	}
	from, err := time.Parse(time.DateOnly, date[:len(time.DateOnly)])
	if err != nil {
		return ""
	}
	// "day/s"
	switch strings.TrimSuffix(strings.ToLower(strings.NewReplacer("/", "", "(", "", ")", "").Replace(period)), "s") {
	case "day":
		from = from.AddDate(0, 0, n)
	case "week":
		from = from.AddDate(0, 0, 7*n)
	case "month":
		from = from.AddDate(0, n, 0)
	case "year":
		from = from.AddDate(n, 0, 0)
	default:
		return ""
	}
	return from.Format(time.DateOnly)
}
