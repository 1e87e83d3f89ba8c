package nas

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source/internal/facts"
)

// tellNumbers adds facts from the URLs of the documents and from the metadata files. The name of a
// metadata file is the weakest source, because renaming changes it but not the content.
func (j *job) tellNumbers(f *facts.Facts, containers []*container, a documentSet) {
	about, told := f.About, distinct{}
	for _, d := range a.current {
		f.Set(&about.ID, "job", told.first("job", d.url.job()), "jobid in the URL "+d.place())
		f.Note("harvest definition", told.first("harvest definition", d.url.definition()),
			"harvestid in the URL "+d.place())
		f.Note("harvest number", told.first("harvest number", number(d.url.query["harvestnum"])),
			"harvestnum in the URL "+d.place())
	}
	for _, c := range containers {
		j.tellContainer(f, c)
	}
}

// tellDefinition names the harvest definition by its number if no source has its name; before 2009
// no source has it.
func tellDefinition(f *facts.Facts) {
	for _, e := range f.About.Evidence {
		if e.Fact == "harvest definition" && f.About.Collection == "" {
			f.Set(&f.About.Collection, "collection", e.Value,
				"number of the harvest definition, whose name is not told: "+e.Source)
		}
	}
}

// distinct has the known values of a fact: each document repeats them in its URL.
type distinct map[string]int

// first returns a new value, or "" for a repeated one, or above the credible number of values.
func (d distinct) first(fact, value string) string {
	key := fact + " " + value
	if value == "" || d[key] > 0 || d[fact] >= maxDistinct {
		return ""
	}
	d[key]++
	d[fact]++
	return value
}

// maxDistinct bounds the different values of one fact in the URLs of one job.
const maxDistinct = 10

// tellContainer adds the facts that one metadata file states about itself.
func (j *job) tellContainer(f *facts.Facts, c *container) {
	place := "name of " + c.path
	f.Set(&f.About.ID, "job", c.name.job, place)
	f.Note("harvest definition", c.name.definition, place)
	for _, v := range c.fields {
		source := "field " + v.Name + " of the first record of " + c.path
		switch strings.ToLower(v.Name) {
		case "software":
			f.Note("metadata file written by", v.Value, source)
		case "hostname":
			f.Set(&f.About.Host, "host", v.Value, source)
		case "replaces":
			f.Note("replaces", v.Value, source)
		case "ispartof":
			j.compare(f, c.path, 0, v.Value, "its warcinfo")
		}
	}
	j.compare(f, c.path, 0, c.name.job, "its name")
	if called, ok := parseMetadataName(c.filedesc); ok && called.job != c.name.job {
		f.Find(CodeJob, model.Info, c.path, 0, "was written under the name %.200q and renamed later",
			c.filedesc)
	}
	j.compareURLs(f, c)
	switch {
	case c.unreadable:
		f.Find(CodeMetadata, model.Error, c.path, 0,
			"is neither an ARC nor a WARC file: the crawler's files for job %s are lost", cmp.Or(j.id, "unknown"))
	case c.damages > 0:
		f.Find(CodeMetadata, model.Warning, c.path, c.damage.Offset,
			"is damaged, so documents may be missing; of %d places the first: %s, %s", c.damages, c.damage.Code,
			c.damage.Detail)
	}
	if !c.unreadable && len(c.documents) == 0 {
		f.Find(CodeMetadata, model.Warning, c.path, 0, "has no document of a job")
	}
	if c.strangers > 0 {
		f.Find(CodeMetadata, model.Info, c.path, 0, "has %d records that are not documents of a job", c.strangers)
	}
	if c.unlisted > 0 {
		f.Find(CodeLarge, model.Warning, c.path, 0, "has %d documents above the limit; they are not listed", c.unlisted)
	}
}

// compare reports a source that names another job than the one assumed.
func (j *job) compare(f *facts.Facts, file string, offset int64, told, witness string) {
	if told = number(told); told != "" && j.id != "" && told != j.id {
		f.Find(CodeJob, model.Warning, file, offset, "%s names job %s, but its content belongs to job %s", witness, told,
			j.id)
	}
}

// compareURLs reports a metadata file with documents of several jobs.
func (j *job) compareURLs(f *facts.Facts, c *container) {
	others := map[string]int{}
	for _, d := range c.documents {
		if id := d.url.job(); id != "" && id != j.id {
			others[id]++
		}
	}
	for i, id := range slices.Sorted(maps.Keys(others)) {
		if i < maxFindings {
			f.Find(CodeJob, model.Warning, c.path, 0,
				"the URLs of %d of its records name job %s, but the file is read as part of job %s", others[id], id,
				cmp.Or(j.id, "unknown"))
		}
	}
}

// tellVersions adds the version of Heritrix from the URLs. For old jobs it is the best source:
// their containers do not state it, and the user agent comes from a template.
func tellVersions(f *facts.Facts, documents []*document) {
	told := distinct{}
	for _, d := range documents {
		if v := d.url.query["heritrixversion"]; v != "" {
			value := "Heritrix " + v
			f.Set(&f.About.Software, "software", told.first("software", value),
				"heritrixVersion in the URL "+d.place())
		}
	}
}

// tellOrganization adds the archive's organization from the URLs, if no better source has it.
func tellOrganization(f *facts.Facts, documents []*document) {
	told := distinct{}
	for _, d := range documents {
		f.Set(&f.About.Organization, "organization", told.first("organization", d.url.organization),
			"authority of the URL "+d.place())
	}
}

// tellInfos reads the harvestInfo.xml of the metadata file or of the folder of the job.
func (j *job) tellInfos(f *facts.Facts, a documentSet) error {
	for _, d := range a.current {
		if d.url.class == "setup" && d.url.name == infoName {
			if err := j.tellInfoFile(f, d.open, d.in.path, d.offset, d.place()); err != nil {
				return err
			}
		}
	}
	if j.info == "" {
		return nil
	}
	open := func() (archivefs.Content, error) { return j.tree.Open(j.info) }
	return j.tellInfoFile(f, open, j.info, 0, j.info)
}

// infoName is the file in which NetarchiveSuite stores the facts about a running job.
const infoName = "harvestInfo.xml"

// tellInfoFile reads one harvestInfo.xml. If the file is unreadable, tellInfoFile adds a finding.
func (j *job) tellInfoFile(f *facts.Facts, open func() (archivefs.Content, error), file string, offset int64,
	place string) error {
	content, err := open()
	if err != nil {
		return err
	}
	fields, err := parseInfo(content)
	if closed := content.Close(); closed != nil {
		return closed
	}
	if err != nil {
		f.Find(CodeConfiguration, model.Warning, file, offset, "%s: unreadable: %v", infoName, err)
		return nil
	}
	tellInfo(f, fields, func(name string) string { return fmt.Sprintf("%s in %s", name, place) })
	j.compare(f, file, offset, value(fields, "jobId"), infoName)
	return nil
}
