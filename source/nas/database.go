package nas

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quire/model"
	"quire/source/internal/dumps"
	"quire/source/internal/facts"
	"quire/source/internal/sqldump"
)

// ofDatabase identifies a dump of NetarchiveSuite's harvest database by its tables.
var ofDatabase = regexp.MustCompile(`(?i)\b(harvestdefinitions|historyinfo)\b`)

// relations are the relations in the harvest database from a job to its data. Passwords and owners
// of domains are not among them.
var relations = []sqldump.Relation{
	{Table: "jobs", Column: "harvest_id", To: "harvestdefinitions", ToColumn: "harvest_id"},
	{Table: "jobs", Column: "harvest_id", To: "fullharvests", ToColumn: "harvest_id"},
	{Table: "jobs", Column: "harvest_id", To: "partialharvests", ToColumn: "harvest_id"},
	{Table: "jobs", Column: "job_id", To: "historyinfo", ToColumn: "job_id"},
	{Table: "partialharvests", Column: "schedule_id", To: "schedules", ToColumn: "schedule_id"},
	{Table: "harvestdefinitions", Column: "channel_id", To: "harvestchannel", ToColumn: "id"},
	{Table: "historyinfo", Column: "config_id", To: "configurations", ToColumn: "config_id"},
	{Table: "configurations", Column: "domain_id", To: "domains", ToColumn: "domain_id"},
}

// Codes of the database.
var (
	statuses    = []string{"NEW", "SUBMITTED", "STARTED", "DONE", "FAILED", "RESUBMITTED", "FAILED_REJECTED"}
	stopReasons = []string{"DOWNLOAD_COMPLETE", "OBJECT_LIMIT", "SIZE_LIMIT", "CONFIG_SIZE_LIMIT",
		"DOWNLOAD_UNFINISHED", "CONFIG_OBJECT_LIMIT", "TIME_LIMIT"}
)

// database has the facts about all jobs of a source from the dumps.
type database struct {
	*dumps.Set
	keys []sqldump.Key
}

// findDumps looks for dumps, if there is a job that they could describe.
func (s *search) findDumps(named []string) (*database, error) {
	db := &database{Set: &dumps.Set{}}
	for _, j := range s.jobs {
		if j.id != "" {
			db.keys = append(db.keys, sqldump.Key{Table: "jobs", Column: "job_id", Value: j.id})
		}
	}
	if len(db.keys) == 0 {
		return db, nil
	}
	var err error
	db.Set, err = dumps.Find(s.tree, named, ofDatabase)
	return db, err
}

// tellDatabase adds the facts about the job from each dump. If the job of that number has another
// harvest definition in a dump, the dump belongs to another archive.
func (j *job) tellDatabase(ctx context.Context, f *facts.Facts) error {
	if j.database == nil {
		return nil
	}
	loaded, err := j.database.Load(ctx, j.database.keys, relations)
	if err != nil {
		return err
	}
	for _, p := range j.database.Within {
		f.AddFile(model.SourceFile{Path: p, Size: j.tree.Find(p).Size, Role: model.RoleDescription})
	}
	j.database.Restrict(f)
	for _, l := range loaded {
		row := l.One("jobs", "job_id", j.id)
		if row == nil || j.definition != "" && row.Get("harvest_id") != "" && row.Get("harvest_id") != j.definition {
			continue
		}
		tellJob(f, l, row)
		tellHistory(f, l, j.id)
	}
	return nil
}

// tellJob adds the job and its harvest definition. Times in the database have no zone: they are
// only evidence.
func tellJob(f *facts.Facts, l *dumps.Loaded, row *sqldump.Row) {
	about, at := f.About, row.Place(l.Name)
	f.Set(&about.ID, "job", number(row.Get("job_id")), at)
	f.Note("harvest definition", row.Get("harvest_id"), at)
	f.Note("harvest number", row.Get("harvest_num"), at)
	f.Note("job status", coded(row.Get("status"), statuses), at)
	for _, n := range []struct{ column, fact string }{
		{"channel", "channel"}, {"orderxml", "template"}, {"creationdate", "job created (no zone)"},
		{"submitteddate", "job submitted (no zone)"},
		{"startdate", "job started (no zone)"}, {"enddate", "job ended (no zone)"},
		{"resubmitted_as_job", "resubmitted as job"},
		{"continuationof", "continuation of job"}, {"harvest_errors", "errors of the harvest"},
		{"harvest_error_details", "errors of the harvest"},
		{"upload_errors", "errors of the upload"}, {"upload_error_details", "errors of the upload"},
		{"harvestname_prefix", "file name prefix"},
	} {
		f.Note(n.fact, row.Get(n.column), at)
	}
	for _, column := range []string{"forcemaxbytes", "forcemaxcount", "forcemaxrunningtime"} {
		databaseLimit(f, l, row, column)
	}
	id := row.Get("harvest_id")
	if definition := l.One("harvestdefinitions", "harvest_id", id); definition != nil {
		place := definition.Place(l.Name)
		f.Set(&about.Collection, "collection", definition.Get("name"), place)
		f.Set(&about.Note, "note", definition.Get("comments"), place)
		f.Note("audience", definition.Get("audience"), place)
		if channel := l.One("harvestchannel", "id", definition.Get("channel_id")); channel != nil {
			f.Note("channel", channel.Get("name"), channel.Place(l.Name))
		}
	}
	if full := l.One("fullharvests", "harvest_id", id); full != nil {
		f.Note("harvest definition before", full.Get("previoushd"), full.Place(l.Name))
		for _, column := range []string{"maxbytes", "maxobjects", "maxjobrunningtime"} {
			databaseLimit(f, l, full, column)
		}
	}
	if partial := l.One("partialharvests", "harvest_id", id); partial != nil {
		if schedule := l.One("schedules", "schedule_id", partial.Get("schedule_id")); schedule != nil {
			f.Note("schedule", schedule.Get("name"), schedule.Place(l.Name))
		}
	}
}

func databaseLimit(f *facts.Facts, l *dumps.Loaded, row *sqldump.Row, column string) {
	if v := row.Get(column); v != "" {
		limit(f, model.Field{Name: column, Value: v}, row.Place(l.Name))
	}
}

// coded adds the name of a code after its number.
func coded(v string, names []string) string {
	for i, name := range names {
		if v == strconv.Itoa(i) {
			return v + " " + name
		}
	}
	return v
}

// maxDomains bounds the domains that are listed.
const maxDomains = 1000

// tellHistory adds the reason for the end of the crawl of each domain. No other source has it.
func tellHistory(f *facts.Facts, l *dumps.Loaded, id string) {
	reasons := map[string]int{}
	for i, row := range l.Where("historyinfo", "job_id", id) {
		reason := coded(row.Get("stopreason"), stopReasons)
		reasons[cmp.Or(reason, "not told")]++
		if i >= maxDomains {
			continue
		}
		domain := l.One("domains", "domain_id",
			l.One("configurations", "config_id", row.Get("config_id")).Get("domain_id")).Get("name")
		f.Note("end of a domain", fmt.Sprintf("%s: %s, %s objects, %s bytes",
			cmp.Or(domain, "configuration "+row.Get("config_id")), reason,
			cmp.Or(row.Get("objectcount"), "?"), cmp.Or(row.Get("bytecount"), "?")), row.Place(l.Name))
	}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		_, name, _ := strings.Cut(reason, " ")
		f.About.Counted = append(f.About.Counted,
			model.Field{Name: "domains that ended with " + cmp.Or(name, reason), Value: strconv.Itoa(reasons[reason])})
	}
}
