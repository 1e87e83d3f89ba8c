package wct

import (
	"context"
	"regexp"
	"strings"

	"quire/model"
	"quire/source/internal/dumps"
	"quire/source/internal/facts"
	"quire/source/internal/sqldump"
)

// ofDatabase identifies a dump of WCT's database by its tables.
var ofDatabase = regexp.MustCompile(`(?i)\b(target_instance|abstract_target)\b`)

// relations lead from a target instance to its data in WCT's database. The names are the names of
// the schema. Few names differ between versions: AT_PROFILE_ID was T_PROFILE_ID.
var relations = []sqldump.Relation{
	{Table: "target_instance", Column: "ti_target_id", To: "abstract_target", ToColumn: "at_oid"},
	{Table: "target_instance", Column: "ti_target_id", To: "target", ToColumn: "t_at_oid"},
	{Table: "target_instance", Column: "ti_target_id", To: "target_group", ToColumn: "tg_at_oid"},
	{Table: "target_instance", Column: "ti_target_id", To: "seed", ToColumn: "s_target_id"},
	{Table: "target_instance", Column: "ti_target_id", To: "group_member", ToColumn: "gm_child_id"},
	{Table: "target_instance", Column: "ti_target_id", To: "annotations", ToColumn: "an_obj_oid"},
	{Table: "target_instance", Column: "ti_oid", To: "annotations", ToColumn: "an_obj_oid"},
	{Table: "target_instance", Column: "ti_oid", To: "seed_history", ToColumn: "sh_ti_oid"},
	{Table: "target_instance", Column: "ti_oid", To: "target_instance_orig_seed", ToColumn: "tios_ti_oid"},
	{Table: "target_instance", Column: "ti_oid", To: "harvest_result", ToColumn: "hr_target_instance_id"},
	{Table: "target_instance", Column: "ti_oid", To: "harvest_status", ToColumn: "hs_oid"},
	{Table: "target_instance", Column: "ti_oid", To: "sip_part_element", ToColumn: "spe_target_instance_oid"},
	{Table: "target_instance", Column: "ti_owner_id", To: "wctuser", ToColumn: "usr_oid"},
	{Table: "harvest_result", Column: "hr_created_by_id", To: "wctuser", ToColumn: "usr_oid"},
	{Table: "harvest_result", Column: "hr_oid", To: "hr_modification_note", ToColumn: "hmn_hr_oid"},
	{Table: "harvest_result", Column: "hr_rr_oid", To: "rejection_reason", ToColumn: "rr_oid"},
	{Table: "annotations", Column: "an_user_oid", To: "wctuser", ToColumn: "usr_oid"},
	{Table: "wctuser", Column: "usr_agc_oid", To: "agency", ToColumn: "agc_oid"},
	{Table: "abstract_target", Column: "at_dublin_core_oid", To: "dublin_core", ToColumn: "dc_oid"},
	{Table: "group_member", Column: "gm_parent_id", To: "abstract_target", ToColumn: "at_oid"},
	{Table: "group_member", Column: "gm_parent_id", To: "target_group", ToColumn: "tg_at_oid"},
	{Table: "group_member", Column: "gm_parent_id", To: "group_member", ToColumn: "gm_child_id"},
	{Table: "seed", Column: "s_oid", To: "seed_permission", ToColumn: "sp_seed_id"},
	{Table: "seed_permission", Column: "sp_permission_id", To: "permission", ToColumn: "pe_oid"},
	{Table: "permission", Column: "pe_site_id", To: "site", ToColumn: "st_oid"},
	{Table: "permission", Column: "pe_auth_agent_id", To: "authorising_agent", ToColumn: "aa_oid"},
	{Table: "permission", Column: "pe_oid", To: "permission_exclusion", ToColumn: "pex_permission_oid"},
	{Table: "permission", Column: "pe_oid", To: "permission_urlpattern", ToColumn: "pu_permission_id"},
	{Table: "permission_urlpattern", Column: "pu_urlpattern_id", To: "url_pattern", ToColumn: "up_oid"},
}

// database has the facts about all target instances of a source from the dumps.
type database struct {
	*dumps.Set
	oids []string
}

// dumps looks for dumps, if there is a target instance that they could describe.
func (s *survey) dumps(named []string) (*database, error) {
	db := &database{Set: &dumps.Set{}}
	for _, in := range s.all() {
		db.oids = append(db.oids, in.oid())
	}
	if len(db.oids) == 0 {
		return db, nil
	}
	var err error
	db.Set, err = dumps.Find(s.tree, named, ofDatabase)
	return db, err
}

// record has the facts about one target instance from one dump.
type record struct {
	*dumps.Loaded
	instance *sqldump.Row
	target   *sqldump.Row // of ABSTRACT_TARGET; nil if missing in the dump
	mets     bool         // a METS exists too
}

// of returns the facts about a target instance from each dump.
func (db *database) of(ctx context.Context, in *instance) ([]*record, error) {
	oid := in.oid()
	var keys []sqldump.Key
	for _, id := range db.oids {
		keys = append(keys, sqldump.Key{Table: "target_instance", Column: "ti_oid", Value: id})
	}
	loaded, err := db.Load(ctx, keys, relations)
	if err != nil {
		return nil, err
	}
	var all []*record
	for _, l := range loaded {
		if row := l.One("target_instance", "ti_oid", oid); row != nil {
			all = append(all, &record{l, row, l.One("abstract_target", "at_oid", row.Get("ti_target_id")),
				in.mets != nil})
		}
	}
	return all, nil
}

// addFacts adds the facts about the target instance.
func (r *record) addFacts(f *facts.Facts) {
	about, in := f.About, r.instance
	f.Note("target instance", in.Get("ti_oid"), r.at(in))
	dc := r.One("dublin_core", "dc_oid", r.target.Get("at_dublin_core_oid"))
	f.Set(&about.Title, "title", dc.Get("dc_title"), r.at(dc))
	f.Set(&about.Title, "title", r.target.Get("at_name"), r.at(r.target))
	f.Set(&about.Collection, "collection", r.target.Get("at_name"), r.at(r.target))
	f.Set(&about.Note, "note", dc.Get("dc_description"), r.at(dc))
	f.Set(&about.Note, "note", r.target.Get("at_desc"), r.at(r.target))
	owner := r.One("wctuser", "usr_oid", in.Get("ti_owner_id"))
	agency := r.One("agency", "agc_oid", owner.Get("usr_agc_oid"))
	f.Set(&about.Operator, "operator", owner.Get("usr_username"), r.at(owner))
	f.Set(&about.Organization, "organization", agency.Get("agc_name"), r.at(agency))
	f.Note("state", in.Get("ti_state"), r.at(in))
	f.Note("archive", in.Get("ti_archive_id"), r.at(in))
	f.Note("archived", in.Get("ti_archived_time"), r.at(in))
	r.seeds(f)
	r.describe(f, dc)
	r.groups(f)
	r.annotate(f)
	r.results(f)
	r.permit(f)
}

// at returns the name of a row for evidence, or "" for nil.
func (r *record) at(row *sqldump.Row) string {
	if row == nil {
		return ""
	}
	return row.Place(r.Name)
}

// seeds adds all seeds of the instance. If the dump has no seeds of the instance, seeds adds the
// seeds of the target, which may have changed later.
func (r *record) seeds(f *facts.Facts) {
	for _, s := range []struct{ table, key, value, url, primary string }{
		{"seed_history", "sh_ti_oid", r.instance.Get("ti_oid"), "sh_seed", "sh_primary"},
		{"target_instance_orig_seed", "tios_ti_oid", r.instance.Get("ti_oid"), "tios_seed", ""},
		{"seed", "s_target_id", r.instance.Get("ti_target_id"), "s_seed", "s_primary"},
	} {
		rows := r.Where(s.table, s.key, s.value)
		for _, row := range rows {
			kind := ""
			if v, ok := row.Lookup(s.primary); ok {
				kind = map[bool]string{true: "Primary ", false: "Secondary "}[isTrue(v.Text)]
			}
			f.AddSeed(row.Get(s.url))
			f.Note("seeds", kind+row.Get(s.url), r.at(row))
		}
		if len(rows) > 0 {
			return
		}
	}
}

// isTrue parses a database flag.
func isTrue(v string) bool {
	switch strings.ToLower(v) {
	case "1", "t", "true", "y", "b'1'":
		return true
	}
	return false
}

func columnText(row *sqldump.Row, column string) string {
	v, ok := row.Lookup(column)
	if !ok || v.Null || v.Text == "" {
		return ""
	}
	if isTrue(v.Text) {
		return "true"
	}
	return "false"
}

// described are the columns with the curators' descriptions, with their names in the METS.
var described = []struct{ table, column, name string }{
	{"target", "t_harvest_type", "wct:HarvestType"}, {"target", "t_selection_date", "wct:SelectionDate"},
	{"target", "t_selection_type", "wct:SelectionType"},
	{"target", "t_selection_note", "wct:SelectionNote"}, {"target", "t_evaluation_note", "wct:EvaluationNote"},
	{"abstract_target", "at_reference", "wct:ReferenceNumber"}, {"abstract_target", "at_name", "wct:Name"},
	{"abstract_target", "at_desc", "wct:Description"},
	{"abstract_target", "at_profile_note", "wct:ProfileNote"},
	{"abstract_target", "at_creation_date", "wct:CreationDate"},
	{"target_instance", "ti_reference", "wct:InstanceReference"},
	{"target_group", "tg_type", "wct:GroupType"},
	{"target_group", "tg_ownership_metadata", "wct:GroupOwnershipInformation"},
}

func (r *record) describe(f *facts.Facts, dc *sqldump.Row) {
	if dc != nil {
		for i, column := range dc.Columns {
			name, ok := strings.CutPrefix(column, "dc_")
			if ok && name != "oid" && i < len(dc.Values) && !dc.Values[i].Null {
				name, _, _ = strings.Cut(name, "_") // identifier_isbn
				addField(f, "dc:"+name, dc.Values[i].Text, r.at(dc))
			}
		}
	}
	id := r.instance.Get("ti_target_id")
	rows := map[string]*sqldump.Row{"target_instance": r.instance, "abstract_target": r.target,
		"target": r.One("target", "t_at_oid", id), "target_group": r.One("target_group", "tg_at_oid", id)}
	for _, d := range described {
		addField(f, d.name, rows[d.table].Get(d.column), r.at(rows[d.table]))
	}
}

// groups adds the groups of the target, and their parent groups.
func (r *record) groups(f *facts.Facts) {
	children := []string{r.instance.Get("ti_target_id")}
	seen := map[string]bool{children[0]: true}
	for len(children) > 0 {
		for _, member := range r.Where("group_member", "gm_child_id", children[0]) {
			id := member.Get("gm_parent_id")
			if seen[id] {
				continue
			}
			seen[id] = true
			children = append(children, id)
			group, more := r.One("abstract_target", "at_oid", id), r.One("target_group", "tg_at_oid", id)
			if group == nil && more == nil {
				continue
			}
			f.About.Description.Groups = append(f.About.Description.Groups,
				model.Group{Reference: group.Get("at_reference"), Name: group.Get("at_name"),
					Description: group.Get("at_desc"), Type: more.Get("tg_type"),
					Ownership: more.Get("tg_ownership_metadata"), Source: r.at(group)})
		}
		children = children[1:]
	}
}

// annotate adds the notes on the target and the instance. Their type is the name of a class; the
// number alone could belong to another object.
func (r *record) annotate(f *facts.Facts) {
	for _, of := range []struct{ id, what, class string }{
		{r.instance.Get("ti_oid"), "target instance", "TargetInstance"},
		{r.instance.Get("ti_target_id"), "target", "Target"},
	} {
		for _, row := range r.Where("annotations", "an_obj_oid", of.id) {
			class := row.Get("an_obj_type")
			class = class[strings.LastIndexByte(class, '.')+1:]
			if class != of.class && !(of.class == "Target" && (class == "TargetGroup" || class == "AbstractTarget")) {
				continue
			}
			f.About.Description.Annotations = append(f.About.Description.Annotations,
				model.Annotation{Of: of.what, Date: row.Get("an_date"),
					Who: r.user(row.Get("an_user_oid")), Text: row.Get("an_note"), Source: r.at(row)})
		}
	}
}

// user returns the login of a user.
func (r *record) user(oid string) string { return r.One("wctuser", "usr_oid", oid).Get("usr_username") }
