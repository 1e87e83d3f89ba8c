package pandas

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/internal/secret"
	"quire/model"
	"quire/source/internal/dumps"
	"quire/source/internal/facts"
	"quire/source/internal/sqldump"
)

// ofDatabase identifies a dump of PANDAS's database by its tables.
var ofDatabase = regexp.MustCompile(`(?i)\b(ins_gather|title_gather|state_history)\b`)

// relations lead from a title to its data and to the data of its instances. They are the relations
// of PANDAS 4. PANDAS 2 and 3, in Oracle, have the same tables.
var relations = []sqldump.Relation{
	{Table: "title", Column: "title_id", To: "instance", ToColumn: "title_id"},
	{Table: "title", Column: "title_id", To: "title_gather", ToColumn: "title_id"},
	{Table: "title", Column: "title_id", To: "tep", ToColumn: "title_id"},
	{Table: "title", Column: "title_id", To: "permission", ToColumn: "title_id"},
	{Table: "title", Column: "title_id", To: "date_restr", ToColumn: "title_id"},
	{Table: "title", Column: "title_id", To: "period_restr", ToColumn: "title_id"},
	{Table: "title", Column: "title_id", To: "auth_restr", ToColumn: "title_id"},
	{Table: "title", Column: "title_id", To: "title_col", ToColumn: "title_id"},
	{Table: "title", Column: "title_id", To: "subject_titles", ToColumn: "title_id"},
	{Table: "title", Column: "title_id", To: "title_previous_name", ToColumn: "title_id"},
	{Table: "title", Column: "permission_id", To: "permission", ToColumn: "permission_id"},
	{Table: "title", Column: "default_permission_id", To: "permission", ToColumn: "permission_id"},
	{Table: "title", Column: "publisher_id", To: "publisher", ToColumn: "publisher_id"},
	{Table: "title", Column: "agency_id", To: "agency", ToColumn: "agency_id"},
	{Table: "title", Column: "agency_id", To: "organisation", ToColumn: "agency_id"},
	{Table: "title", Column: "current_owner_id", To: "individual", ToColumn: "individual_id"},
	{Table: "title", Column: "format_id", To: "format", ToColumn: "format_id"},
	{Table: "title", Column: "current_status_id", To: "status", ToColumn: "status_id"},
	{Table: "title_col", Column: "collection_id", To: "col", ToColumn: "col_id"},
	{Table: "subject_titles", Column: "subject_id", To: "subject", ToColumn: "subject_id"},
	{Table: "publisher", Column: "organisation_id", To: "organisation", ToColumn: "organisation_id"},
	{Table: "publisher", Column: "publisher_id", To: "organisation", ToColumn: "publisher_id"},
	{Table: "agency", Column: "organisation_id", To: "organisation", ToColumn: "organisation_id"},
	{Table: "permission", Column: "publisher_id", To: "publisher", ToColumn: "publisher_id"},
	{Table: "permission", Column: "individual_id", To: "individual", ToColumn: "individual_id"},
	{Table: "permission", Column: "permission_state_id", To: "permission_state", ToColumn: "permission_state_id"},
	{Table: "permission", Column: "permission_type_id", To: "permission_type", ToColumn: "permission_type_id"},
	{Table: "instance", Column: "instance_id", To: "ins_gather", ToColumn: "instance_id"},
	{Table: "instance", Column: "instance_id", To: "state_history", ToColumn: "instance_id"},
	{Table: "instance", Column: "instance_id", To: "instance_seed", ToColumn: "instance_id"},
	{Table: "instance", Column: "current_state_id", To: "state", ToColumn: "state_id"},
	{Table: "state_history", Column: "state_id", To: "state", ToColumn: "state_id"},
	{Table: "state_history", Column: "individual_id", To: "individual", ToColumn: "individual_id"},
	{Table: "title_gather", Column: "gather_method_id", To: "gather_method", ToColumn: "gather_method_id"},
	{Table: "title_gather", Column: "gather_schedule_id", To: "gather_schedule", ToColumn: "gather_schedule_id"},
	{Table: "tep", Column: "copyright_type_id", To: "copyright_type", ToColumn: "copyright_type_id"},
	{Table: "date_restr", Column: "condition_id", To: "condition", ToColumn: "condition_id"},
	{Table: "period_restr", Column: "condition_id", To: "condition", ToColumn: "condition_id"},
	{Table: "auth_restr", Column: "condition_id", To: "condition", ToColumn: "condition_id"},
	{Table: "date_restr", Column: "agency_area_id", To: "agency_area", ToColumn: "agency_area_id"},
	{Table: "period_restr", Column: "agency_area_id", To: "agency_area", ToColumn: "agency_area_id"},
	{Table: "period_restr", Column: "period_type_id", To: "period_type", ToColumn: "period_type_id"},
}

// states are the states of an instance, for dumps without a table of them.
var states = map[string]string{"1": "archived", "2": "awaitGather", "3": "checked", "4": "checking", "5": "creation",
	"6": "deleted", "7": "deleting",
	"8": "gatherPause", "9": "gatherProcess", "10": "gathered", "12": "gathering", "13": "archiving", "14": "failed"}

// database has the facts about all instances of a source from the dumps.
type database struct {
	*dumps.Set
	pis []string
}

// findDatabase looks for dumps, if there is an instance that they could describe.
func findDatabase(t *archivefs.Tree, named []string, units []*unit) (*database, error) {
	if len(units) == 0 {
		return &database{Set: &dumps.Set{}}, nil
	}
	pis := map[string]bool{}
	for _, u := range units {
		pis[u.pi] = true
	}
	set, err := dumps.Find(t, named, ofDatabase)
	return &database{set, slices.Sorted(maps.Keys(pis))}, err
}

// record has the facts about one instance from one dump.
type record struct {
	*dumps.Loaded
	title, instance, gathered, stats, tep *sqldump.Row
}

// of returns the facts about an instance from each dump. Facts about the title apply even if the
// dump lacks the instance.
func (db *database) of(ctx context.Context, f *facts.Facts, k key) ([]*record, error) {
	var keys []sqldump.Key
	for _, pi := range db.pis {
		keys = append(keys, sqldump.Key{Table: "title", Column: "pi", Value: pi})
	}
	loaded, err := db.Load(ctx, keys, relations)
	if err != nil {
		return nil, err
	}
	var all []*record
	for _, l := range loaded {
		title := l.One("title", "pi", k.pi)
		if title == nil {
			continue
		}
		id := title.Get("title_id")
		r := &record{Loaded: l, title: title, gathered: l.One("title_gather", "title_id", id),
			tep: l.One("tep", "title_id", id)}
		r.choose(f, k)
		all = append(all, r)
	}
	return all, nil
}

// choose finds the instance by its date: by the day, or by day and minute if the name of the
// instance has both.
func (r *record) choose(f *facts.Facts, k key) {
	n := 0
	for _, row := range r.Where("instance", "title_id", r.title.Get("title_id")) {
		at := localTime(row.Get("instance_date"))
		if at.IsZero() || at.Format("20060102") != k.date && at.Format("20060102-1504") != k.date {
			continue
		}
		if n++; n == 1 {
			r.instance = row
			r.stats = r.One("ins_gather", "instance_id", row.Get("instance_id"))
		}
	}
	switch {
	case n == 0:
		f.Find(CodeDiffers, model.Info, r.Name, 0, "has the title %s, but no instance of %s", k.pi, k.date)
	case n > 1:
		f.Find(CodeDiffers, model.Warning, r.Name, 0, "has %d instances of title %s on %s; the first is used", n, k.pi,
			k.date)
	}
}

// at returns the name of a row for evidence, or "" for nil.
func (r *record) at(row *sqldump.Row) string {
	if row == nil {
		return ""
	}
	return row.Place(r.Name)
}

// addFacts adds the facts about the title and the instance.
func (r *record) addFacts(f *facts.Facts) {
	about := f.About
	f.Set(&about.Title, "title", r.title.Get("name"), r.at(r.title))
	f.Set(&about.Collection, "collection", r.title.Get("name"), r.at(r.title))
	f.Set(&about.Note, "note", r.title.Get("notes"), r.at(r.title))
	owner := r.One("individual", "individual_id", r.title.Get("current_owner_id"))
	f.Set(&about.Operator, "operator", owner.Get("userid"), r.at(owner))
	agency := r.agency()
	f.Set(&about.Organization, "organization", agency.Get("name"), r.at(agency))
	f.AddSeedOf(secret.Conceal(r.instance.Get("gathered_url")), r.at(r.instance))
	for _, s := range r.Where("instance_seed", "instance_id", r.instance.Get("instance_id")) {
		f.AddSeedOf(secret.Conceal(s.Get("url")), r.at(s))
	}
	if r.instance.Get("gathered_url") == "" {
		f.AddSeedOf(secret.Conceal(r.gathered.Get("gather_url")), r.at(r.gathered))
	}
	for url := range strings.FieldsSeq(r.gathered.Get("additional_urls")) {
		f.AddSeedOf(secret.Conceal(url), r.at(r.gathered))
	}
	f.Note("gather command", secret.Conceal(r.instance.Get("gather_command")), r.at(r.instance))
	f.Note("gather method", r.instance.Get("gather_method_name"), r.at(r.instance))
	f.Note("entry page", r.instance.Get("tep_url"), r.at(r.instance))
	f.Note("type of instance", r.instance.Get("type_name"), r.at(r.instance))
	f.Note("prefix", r.instance.Get("prefix"), r.at(r.instance))
	r.describe(f)
	r.history(f)
	r.permit(f)
}

// agency returns the row of the agency that selected the title.
func (r *record) agency() *sqldump.Row {
	row := r.One("agency", "agency_id", r.title.Get("agency_id"))
	if org := r.One("organisation", "organisation_id", row.Get("organisation_id")); org != nil {
		return org
	}
	return r.One("organisation", "agency_id", r.title.Get("agency_id"))
}

// publisher returns the organisation row of a publisher.
func (r *record) publisher(id string) *sqldump.Row {
	row := r.One("publisher", "publisher_id", id)
	if org := r.One("organisation", "organisation_id", row.Get("organisation_id")); org != nil {
		return org
	}
	return r.One("organisation", "publisher_id", id)
}

// described are the columns with the curators' descriptions.
var described = []struct{ table, column, name string }{
	{"title", "pi", "pandas:PI"}, {"title", "name", "pandas:Name"},
	{"title", "short_display_name", "pandas:ShortDisplayName"}, {"title", "title_url", "pandas:TitleURL"},
	{"title", "seed_url", "pandas:SeedURL"}, {"title", "legacy_purl", "pandas:LegacyPURL"},
	{"title", "anbd_number", "pandas:ANBDNumber"},
	{"title", "local_database_no", "pandas:LocalDatabaseNumber"}, {"title", "local_reference", "pandas:LocalReference"},
	{"title", "content_warning", "pandas:ContentWarning"}, {"title", "reg_date", "pandas:Registered"},
	{"title", "legal_deposit", "pandas:LegalDeposit"},
	{"tep", "display_title", "pandas:DisplayTitle"}, {"tep", "general_note", "pandas:GeneralNote"},
	{"tep", "metadata", "pandas:Metadata"},
	{"tep", "copyright_note", "pandas:CopyrightNote"}, {"tep", "copyright_url", "pandas:CopyrightURL"},
	{"title_gather", "notes", "pandas:GatherNotes"},
}

func (r *record) describe(f *facts.Facts) {
	rows := map[string]*sqldump.Row{"title": r.title, "tep": r.tep, "title_gather": r.gathered}
	add := func(name, value string, row *sqldump.Row) {
		if value != "" {
			f.About.Description.Fields = append(f.About.Description.Fields,
				model.DescriptiveField{Field: model.Field{Name: name, Value: value}, Source: r.at(row)})
		}
	}
	for _, d := range described {
		add(d.name, rows[d.table].Get(d.column), rows[d.table])
	}
	publisher := r.publisher(r.title.Get("publisher_id"))
	add("pandas:Publisher", publisher.Get("name"), publisher)
	id := r.title.Get("title_id")
	for _, l := range []struct{ name, table, key, to, toKey, value string }{
		{"pandas:Subject", "subject_titles", "subject_id", "subject", "subject_id", "subject_name"},
		{"pandas:PreviousName", "title_previous_name", "", "", "", "previous_name"},
	} {
		for _, row := range r.Where(l.table, "title_id", id) {
			if l.to != "" {
				row = r.One(l.to, l.toKey, row.Get(l.key))
			}
			add(l.name, row.Get(l.value), row)
		}
	}
	format, status := r.One("format", "format_id", r.title.Get("format_id")),
		r.One("status", "status_id", r.title.Get("current_status_id"))
	add("pandas:Format", format.Get("name"), format)
	add("pandas:Status", status.Get("status_name"), status)
	for _, link := range r.Where("title_col", "title_id", id) {
		col := r.One("col", "col_id", link.Get("collection_id"))
		if col != nil {
			f.About.Description.Groups = append(f.About.Description.Groups,
				model.Group{Name: col.Get("name"), Description: col.Get("display_comment"), Type: "collection",
					Source: r.at(col)})
		}
	}
}

// history adds the states of the instance, in the order of their start.
func (r *record) history(f *facts.Facts) {
	rows := slices.Clone(r.Where("state_history", "instance_id", r.instance.Get("instance_id")))
	slices.SortStableFunc(rows, func(a, b *sqldump.Row) int {
		return localTime(a.Get("start_date")).Compare(localTime(b.Get("start_date")))
	})
	for _, row := range rows {
		who := r.One("individual", "individual_id", row.Get("individual_id"))
		f.About.Description.States = append(f.About.Description.States,
			model.State{Name: r.state(row.Get("state_id")), Start: row.Get("start_date"), End: row.Get("end_date"),
				Who: who.Get("userid"), Source: r.at(row)})
	}
	f.Note("state", r.state(r.instance.Get("current_state_id")), r.at(r.instance))
}

// state returns the name of a state.
func (r *record) state(id string) string {
	if name := r.One("state", "state_id", id).Get("state_name"); name != "" {
		return name
	}
	if name := states[id]; name != "" {
		return name
	}
	return id
}

// gather adds the counts of PANDAS, and the outcome of the gather.
func (r *record) gather(f *facts.Facts) {
	for _, c := range []struct {
		name, column string
	}{{"files", "gather_files"}, {"bytes", "gather_size"}, {"bytes per second", "gather_rate"},
		{"time", "gather_time"}} {
		if v := r.stats.Get(c.column); v != "" {
			f.About.Counted = append(f.About.Counted, model.Field{Name: c.name, Value: v})
			f.Note("counted", c.name+"="+v, r.at(r.stats))
		}
	}
	if v := r.stats.Get("exit_status"); v != "" {
		f.Set(&f.About.EndReason, "end reason", "exit status "+v, r.at(r.stats))
	}
	f.Note("gather start", r.stats.Get("gather_start"), r.at(r.stats))
	f.Note("gather finish", r.stats.Get("gather_finish"), r.at(r.stats))
}
