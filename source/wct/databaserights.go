package wct

import (
	"slices"
	"strings"

	"quire/model"
	"quire/source/internal/facts"
	"quire/source/internal/sqldump"
)

// The states in the database are numbers (org.webcurator.domain.model.core.Permission,
// HarvestResult).
var (
	permissionStates = map[string]string{"0": "Pending", "1": "Requested", "2": "Granted", "3": "Denied"}
	resultStates     = map[string]string{"0": "Unassessed", "1": "Endorsed", "2": "Rejected", "3": "Indexing",
		"4": "Aborted"}
)

// named adds the name of a state after its number.
func named(states map[string]string, number string) string {
	if name, ok := states[number]; ok {
		return name
	}
	return number
}

// results adds the harvest results, the last first, as in the METS.
func (r *record) results(f *facts.Facts) {
	rows := slices.Clone(r.Where("harvest_result", "hr_target_instance_id", r.instance.Get("ti_oid")))
	slices.Reverse(rows)
	for _, row := range rows {
		v := model.Version{Number: row.Get("hr_harvest_no"), Creator: r.user(row.Get("hr_created_by_id")),
			Date: row.Get("hr_created_date"),
			Note: row.Get("hr_provenance_note"), State: named(resultStates, row.Get("hr_state")), Source: r.at(row)}
		for _, note := range r.Where("hr_modification_note", "hmn_hr_oid", row.Get("hr_oid")) {
			v.Changes = append(v.Changes, note.Get("hmn_note"))
		}
		if reason := r.One("rejection_reason", "rr_oid", row.Get("hr_rr_oid")).Get("rr_name"); reason != "" {
			v.State += ": " + reason
		}
		if from := row.Get("hr_derived_from"); from != "" {
			v.Note = strings.TrimSpace(v.Note + " (derived from " + from + ")")
		}
		f.About.Description.Versions = append(f.About.Description.Versions, v)
	}
}

// permit adds the permissions of the target's seeds, and the access rule of the harvest, both at
// the time of the dump.
func (r *record) permit(f *facts.Facts) {
	seeds := map[string][]string{} // of each permission
	var order []string
	for _, seed := range r.Where("seed", "s_target_id", r.instance.Get("ti_target_id")) {
		for _, link := range r.Where("seed_permission", "sp_seed_id", seed.Get("s_oid")) {
			id := link.Get("sp_permission_id")
			if seeds[id] == nil {
				order = append(order, id)
			}
			seeds[id] = append(seeds[id], seed.Get("s_seed"))
		}
	}
	for _, id := range order {
		if row := r.One("permission", "pe_oid", id); row != nil {
			f.About.Rights.Permissions = append(f.About.Rights.Permissions, r.permission(row, seeds[id]))
		}
	}
	if a := r.targetAccess(); a != (model.Access{}) {
		a.Of, a.Source = "target", r.at(r.target)
		f.About.Rights.Access = append(f.About.Rights.Access, a)
	}
	a := model.Access{Displayed: columnText(r.instance, "ti_display_target_instance"),
		Note: r.instance.Get("ti_display_note"), Reason: r.instance.Get("ti_display_chg_reason")}
	if a != (model.Access{}) {
		a.Of, a.Source = "target instance", r.at(r.instance)
		f.About.Rights.Access = append(f.About.Rights.Access, a)
	}
}

func (r *record) targetAccess() model.Access {
	t := r.target
	a := model.Access{Displayed: columnText(t, "at_display_target"), Note: t.Get("at_display_note"),
		Reason: t.Get("at_display_chg_reason")}
	a.Zone, a.Written = zoneOf(t.Get("at_access_zone"), "")
	return a
}

func (r *record) permission(row *sqldump.Row, seeds []string) model.Permission {
	site, agent := r.One("site", "st_oid", row.Get("pe_site_id")),
		r.One("authorising_agent", "aa_oid", row.Get("pe_auth_agent_id"))
	p := model.Permission{
		State: named(permissionStates, row.Get("pe_status")), Start: row.Get("pe_start_date"),
		End:       row.Get("pe_end_date"),
		Requested: row.Get("pe_permission_requested_date"), Decided: row.Get("pe_permission_granted_date"),
		Basis: site.Get("st_title"), BasisNote: site.Get("st_desc"), Order: site.Get("st_library_order_no"),
		Published:    columnText(site, "st_published"),
		AccessStatus: row.Get("pe_access_status"), OpenAccessDate: row.Get("pe_open_access_date"),
		Special:   row.Get("pe_special_requirements"),
		Copyright: row.Get("pe_copyright_statement"), CopyrightURL: row.Get("pe_copyright_url"),
		FileReference: row.Get("pe_file_reference"),
		Note:          row.Get("pe_notes"), Agent: agent.Get("aa_name"), Contact: agent.Get("aa_contact"), Seeds: seeds,
		Source: r.at(row),
	}
	for _, link := range r.Where("permission_urlpattern", "pu_permission_id", row.Get("pe_oid")) {
		if pattern := r.One("url_pattern", "up_oid", link.Get("pu_urlpattern_id")).Get("up_pattern"); pattern != "" {
			p.Patterns = append(p.Patterns, pattern)
		}
	}
	for _, x := range r.Where("permission_exclusion", "pex_permission_oid", row.Get("pe_oid")) {
		p.Exclusions = append(p.Exclusions, model.Exclusion{Pattern: x.Get("pex_url"), Reason: x.Get("pex_reason")})
	}
	return p
}

// crawl adds the database's facts about the run, after the facts from the crawler and from the
// METS.
func (r *record) crawl(f *facts.Facts) {
	status := r.One("harvest_status", "hs_oid", r.instance.Get("ti_oid"))
	f.Set(&f.About.Software, "software", status.Get("hs_hrtx_version"), r.at(status))
	f.Note("application version", status.Get("hs_app_version"), r.at(status))
	f.Note("harvest status", status.Get("hs_status"), r.at(status))
	f.Set(&f.About.Host, "host", r.instance.Get("ti_harvest_server"), r.at(r.instance))
	known := len(f.About.Counted) > 0
	for _, c := range []struct{ name, column string }{
		{"urls downloaded", "hs_urls_down"}, {"urls failed", "hs_urls_failed"}, {"duration in ms", "hs_elapsed_time"},
		{"average bandwidth in KB/s", "hs_avg_kb"}, {"documents per second", "hs_avg_uri"},
		{"bytes downloaded", "hs_data_amount"},
	} {
		if v := status.Get(c.column); known {
			f.Note("counted", c.name+"="+v, r.at(status))
		} else {
			count(f, c.name, v, r.at(status))
		}
	}
	if start := r.instance.Get("ti_start_time"); start != "" {
		tellTimes(f, start, status.Get("hs_elapsed_time"), "TI_START_TIME of "+r.at(r.instance),
			inferZone(f, localTime(start), nil))
	}
	r.sections(f)
}
