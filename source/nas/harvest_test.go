package nas

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/internal/prove"
	"quire/model"
	"quire/source"
)

const dataName7 = "7-2-20121219191833-00000-h.dk.arc"

// TestEachKindOfMetadataFile checks that every form and packing of a metadata file gives the same
// facts.
func TestEachKindOfMetadataFile(t *testing.T) {
	arc, warc := arcOf("7-metadata-1.arc.open", standard()), warcOf("7-metadata-1.warc", "7", standard())
	for _, c := range []struct {
		name, file, content string
		open                func(testing.TB, map[string]string) *archivefs.Tree
	}{
		{"ARC", "7-metadata-1.arc", plain(arc), folderOf},
		{"WARC", "7-metadata-1.warc", plain(warc), folderOf},
		{"ARC, a gzip member for each record", "7-metadata-1.arc.gz", packed(arc...), folderOf},
		{"WARC, a gzip member for each record", "7-metadata-1.warc.gz", packed(warc...), folderOf},
		{"ARC, one gzip member", "7-metadata-1.arc.gz", packed(plain(arc)), folderOf},
		{"WARC, one gzip member", "7-metadata-1.warc.gz", packed(plain(warc)), folderOf},
		{"WARC in a zip", "7-metadata-1.warc", plain(warc), zipOf},
		{"named with a prefix", "BnF-7-2-metadata-1.warc.gz", packed(warc...), folderOf},
		{"named otherwise", "unnamed.arc", plain(arcOf("other.arc", standard())), folderOf},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := c.open(t, map[string]string{c.file: c.content, dataName7: "",
				"8-2-20121219191833-00000-h.dk.arc": ""})
			h := only(t, tr)
			checkFacts(t, h, c.file)
			checkDocuments(t, tr, h, c.file)
			checkFetches(t, h, c.file)
		})
	}
}

func checkFacts(t *testing.T, h source.Harvest, container string) {
	t.Helper()
	about := h.About()
	for _, c := range [][3]string{
		{"system", string(about.System), "netarchivesuite"}, {"ID", about.ID, "7"},
		{"collection", about.Collection, "Weekly & all"},
		{"software", about.Software, "Heritrix 1.14.4"}, {"operator", about.Operator, "Admin"},
		{"organization", about.Organization, "netarkivet.dk"},
		{"robots", about.Robots, "ignore"},
		{"user agent", about.UserAgent, "Mozilla/5.0 (compatible; heritrix/1.12.1 +http://a.dk/)"},
		{"seeds", strings.Join(about.Seeds, " "), "www.a.dk"}, {"end reason", about.EndReason, "Finished"},
		{"documentation", string(about.Documentation), "documented"},
		{"start", about.Start.Format(time.RFC3339Nano), "2012-12-19T19:18:33.396Z"}, {"host", about.Host, "h.dk"},
	} {
		if c[1] != c[2] {
			t.Errorf("%s: got %q, want %q", c[0], c[1], c[2])
		}
	}
	for fact, want := range map[string]string{
		"harvest definition": "2 | harvestid in the URL " +
			"metadata://netarkivet.dk/crawl/setup/duplicatereductionjobs?majorversion=1&minorversion=0&" +
			"harvestid=2&harvestnum=3&jobid=7 in " + container,
		"channel": "HIGHPRIORITY | priority in " +
			"metadata://netarkivet.dk/crawl/setup/harvestInfo.xml?heritrixVersion=1.14.4&harvestid=2&jobid=7 in " + container,
		"software": "Heritrix 1.14.4 | heritrixVersion in the URL " +
			"metadata://netarkivet.dk/crawl/setup/harvestInfo.xml?heritrixVersion=1.14.4&harvestid=2&jobid=7 in " +
			container,
		"start": "2012-12-19T19:18:33.396Z | begin of the earliest fetch, column 9 of " +
			"metadata://netarkivet.dk/crawl/logs/crawl.log?heritrixVersion=1.14.4&harvestid=2&jobid=7 in " + container,
		"configuration date": "20080118111217 | meta/date in " +
			"metadata://netarkivet.dk/crawl/setup/order.xml?heritrixVersion=1.14.4&harvestid=2&jobid=7 in " + container,
		"robots policy of some hosts": "classic | " +
			"metadata://netarkivet.dk/crawl/setup/settings.xml?heritrixVersion=1.14.4&harvestid=2&jobid=7&" +
			"domain=a.dk in " + container,
		"name of the crawl": "default_orderxml | meta/name in " +
			"metadata://netarkivet.dk/crawl/setup/order.xml?heritrixVersion=1.14.4&harvestid=2&jobid=7 in " + container,
		"jobs that duplicates were looked for in": "5,6 | metadata://netarkivet.dk/crawl/setup/duplicatereduct" +
			"ionjobs?majorversion=1&minorversion=0&harvestid=2&harvestnum=3&jobid=7 in " + container,
		"alias": "b.dk is an alias of a.dk | metadata://netarkivet.dk/crawl/setup/aliases?jobid=7&" +
			"harvestnum=3&harvestid=2&minorversion=0&majorversion=1 in " + container,
		"migrated duplicates": "2 places of duplicates have moved, since containers were compressed | " +
			"metadata://crawl/index/deduplicationmigration?majorversion=0&minorversion=0 in " + container,
		"foreign files": "2 duplicates lie in 1 containers that are not of this job | annotations in the " +
			"crawl log",
		"first container begun": "2012-12-19T19:18:33Z | name of " + dataName7,
	} {
		if got := told(h, fact); len(got) == 0 || got[0] != want {
			t.Errorf("%s:\n got %q\nwant %q", fact, got, want)
		}
	}
	if want := []model.ForeignFile{{Name: "5-2-20120501153616-00000-h.arc", Job: "5",
		Duplicates: 2}}; !slices.Equal(about.Foreign, want) {
		t.Errorf("foreign files %+v", about.Foreign)
	}
	place := "line 2 of metadata://netarkivet.dk/crawl/reports/arcfiles-report.txt?heritrixVersion=1.14.4&" +
		"harvestid=2&jobid=7 in " + container
	if want := []model.ExpectedFile{{Name: dataName7, Path: dataName7, Size: 35352805,
		Created: "2012-12-19T19:18:33.664Z", Source: place}}; !slices.Equal(about.Expected, want) {
		t.Errorf("expected files %+v", about.Expected)
	}
	if want := []string{"SOURCE-SECRET " + container}; !slices.Equal(codes(about.Findings), want) {
		t.Errorf("findings %v", about.Findings)
	}
}

// checkDocuments checks that every document is present, byte for byte, with its role and its
// record.
func checkDocuments(t *testing.T, tr *archivefs.Tree, h source.Harvest, container string) {
	t.Helper()
	paths := []string{"duplicatereductionjobs", "aliases", "harvestInfo.xml", "order.xml", "seeds.txt",
		"settings/a.dk/settings.xml", "reports/arcfiles-report.txt",
		"reports/crawl-report.txt", "logs/crawl.log", "logs/heritrix_dmesg.log", "logs/uri-errors.log",
		"index/" + dataName7 + ".cdx", "index/deduplicationmigration"}
	for i, r := range standard() {
		f := file(t, h, paths[i])
		if got := text(t, tr, h, f); got != r.text || f.Size != int64(len(r.text)) {
			t.Errorf("%s has %d bytes, and reads as %.60q", f.Path, f.Size, got)
		}
		if f.Record == nil || f.Record.URI != r.url || f.Record.Container != container {
			t.Errorf("%s is %+v", f.Path, f.Record)
		}
		if _, err := tr.Open(f.Path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is a file of the source too: %v", f.Path, err)
		}
	}
	for path, role := range map[string]model.Role{container: model.RoleContainer, dataName7: model.RoleContainer,
		"order.xml":      model.RoleConfiguration,
		"logs/crawl.log": model.RoleLog, "reports/crawl-report.txt": model.RoleReport,
		"index/" + dataName7 + ".cdx": model.RoleIndex} {
		if f := file(t, h, path); f.Role != role {
			t.Errorf("%s is %s, want %s", path, f.Role, role)
		}
	}
	if f := file(t, h, "logs/heritrix_dmesg.log"); f.Restricted == "" {
		t.Error("the console's password is not restricted")
	}
	if f := file(t, h, container); f.Restricted != "holds what must not be shown to everyone: heritrix_dmesg.log" {
		t.Errorf("the metadata file is restricted for %q", f.Restricted)
	}
	if n := len(h.About().Files); n != len(paths)+2 {
		t.Errorf("%d files", n)
	}
}

func checkFetches(t *testing.T, h source.Harvest, container string) {
	t.Helper()
	var findings []model.Finding
	count, places := 0, []model.Place{}
	for f, err := range h.Fetches(t.Context(), func(f model.Finding) { findings = append(findings, f) }) {
		if err != nil {
			t.Fatal(err)
		}
		if count++; f.Duplicate != nil {
			places = append(places, *f.Duplicate)
		}
	}
	want := []model.Place{{Container: "5-2-20120501153616-00000-h.arc", Offset: 9358},
		{Container: "5-2-20120501153616-00000-h.arc", Offset: 12, Time: time.Date(2012, 5, 1, 15, 36, 17, 0, time.UTC)},
		{Container: dataName7, Offset: 99},
		{Container: "7-2-20121219191900-00001-h.dk.arc", Offset: 5}} // also of this job, by its name alone
	if count != 6 || !slices.Equal(places, want) {
		t.Errorf("%d fetches, duplicates of %v", count, places)
	}
	log := "metadata://netarkivet.dk/crawl/logs/crawl.log"
	if len(findings) != 1 || findings[0].Path != container || findings[0].Offset == 0 &&
		!strings.HasSuffix(container, ".gz") || !strings.HasPrefix(findings[0].Message, log) {
		t.Errorf("findings %+v", findings)
	}
}

// TestContainersTellOfTheCrawl checks that a container of the job takes precedence over the URLs,
// because the crawler wrote it.
func TestContainersTellOfTheCrawl(t *testing.T) {
	info := "software: Heritrix/3.4.0 http://crawler.archive.org\r\nhostname: crawler.dk\r\nisPartOf: " +
		"default_orderxml\r\nhttp-header-user-agent: NAS/1\r\n" +
		"#added by NetarchiveSuite Version: 5.3\r\nharvestInfo.version: 0.6\r\nharvestInfo.jobId: 7\r\n" +
		"harvestInfo.channel: SNAPSHOT\r\n" +
		"harvestInfo.origHarvestDefinitionName: all of dk\r\nharvestInfo.maxBytesPerDomain: -1\r\n" +
		"harvestInfo.operator: Bob\r\n"
	members := warcOf("x.warc", "7", nil)
	content := strings.NewReplacer("Content-Length: "+lengthOf(members[0]), "Content-Length: "+itoa(len(info)),
		bodyOf(members[0]), info).Replace(members[0])
	const name = "7-2-20121219191833000-00000-h.dk.warc"
	alone := only(t, folderOf(t, map[string]string{name: content, "renamed.warc.gz": packed(content),
		"8-2-20121219191833000-00000-h.dk.warc": plain(members)}))
	if a := alone.About(); a.ID != "7" || a.Collection != "all of dk" || a.Operator != "Bob" ||
		a.Software != "Heritrix/3.4.0 http://crawler.archive.org" ||
		a.UserAgent != "NAS/1" || a.Documentation != model.PartlyDocumented || len(a.Files) != 2 || len(a.Limits) != 0 {
		t.Errorf("alone: %+v", a)
	}
	both := only(t, folderOf(t, map[string]string{name: content,
		"7-metadata-1.warc": plain(warcOf("7-metadata-1.warc", "7", standard()))}))
	if a := both.About(); a.Collection != "Weekly & all" || a.Software != "Heritrix/3.4.0 http://crawler.archive.org" ||
		a.UserAgent != "NAS/1" || a.Operator != "Bob" {
		t.Errorf("with a metadata file: %q, %q, %q, %q", a.Collection, a.Software, a.UserAgent, a.Operator)
	}
}

func TestRenamedMetadataFile(t *testing.T) {
	h := only(t, folderOf(t, map[string]string{
		"2-metadata-1.arc": plain(arcOf("7-metadata-1.arc", standard())), dataName7: "",
		"2-2-20121219191833-00000-h.dk.arc": ""}))
	if h.About().ID != "7" {
		t.Errorf("job %s", h.About().ID)
	}
	if got, want := codes(h.About().Findings),
		[]string{CodeJob + " 2-metadata-1.arc", CodeJob + " 2-metadata-1.arc",
			"SOURCE-SECRET 2-metadata-1.arc"}; !slices.Equal(got, want) {
		t.Errorf("findings %v", h.About().Findings)
	}
	file(t, h, dataName7)
	if len(h.About().Files) != len(standard())+2 {
		t.Error("the container of job 2 was taken")
	}
}

func TestContradictionsWithinAMetadataFile(t *testing.T) {
	documents := standard()
	documents[2].text = strings.Replace(documents[2].text, "<jobId>7<", "<jobId>8<", 1)
	documents[8].url = strings.Replace(documents[8].url, "jobid=7", "jobid=9", 1)
	h := only(t, folderOf(t, map[string]string{"7-metadata-1.warc": plain(warcOf("7-metadata-1.warc", "6",
		documents))}))
	n := 0
	for _, f := range h.About().Findings {
		if f.Code == CodeJob {
			n++
		}
	}
	if n != 3 || h.About().ID != "7" {
		t.Errorf("job %s, findings %v", h.About().ID, h.About().Findings)
	}
}

func TestWithoutAMetadataFileNothingIsClaimed(t *testing.T) {
	tr := folderOf(t, map[string]string{dataName7: plain(arcOf(dataName7,
		[]record{{"http://a.dk/", "HTTP/1.0 200 OK\r\n\r\nx"}})), "a.warc": "", "order.xml": order,
		"b/harvestInfo.xml": "<a/>"})
	if all := jobs(t, tr); len(all) != 0 {
		t.Errorf("%d jobs were found: %+v", len(all), all[0].About())
	}
}

func TestBrokenMetadataFiles(t *testing.T) {
	whole := plain(warcOf("7-metadata-1.warc", "7", standard()))
	gz := packed(warcOf("7-metadata-1.warc", "7", standard())...)
	for _, c := range []struct {
		name, content string
		code          string
		documents     int
	}{
		{"nothing", "", CodeMetadata, 0},
		{"something else", "just some text, and nothing of an archive\n", CodeMetadata, 0},
		{"cut within a document", whole[:strings.Index(whole, crawlLog)+200], CodeMetadata, 9},
		{"cut within a member", gz[:len(gz)*3/5], CodeMetadata, -1},
		{"garbage between", strings.Replace(whole, "WARC/1.0\r\nWARC-Type: resource\r\n",
			"garbage\r\nWARC-Type: resource\r\n", 1), CodeMetadata, len(standard()) - 1},
		{"no documents", plain(arcOf("7-metadata-1.arc", []record{{"dns:a.dk", "x"}})), CodeMetadata, 0},
		{"a bomb in harvestInfo", strings.Replace(whole, `<?xml version="1.0" encoding="UTF-8"?>`,
			`<!DOCTYPE h [<!ENTITY a "aa">]>   .   `[:38], 1), CodeConfiguration, len(standard())},
	} {
		tr := folderOf(t, map[string]string{"7-metadata-1.warc": c.content})
		h := only(t, tr)
		if !slices.Contains(codes(h.About().Findings), c.code+" 7-metadata-1.warc") {
			t.Errorf("%s: findings %v", c.name, h.About().Findings)
		}
		n := 0
		for i := range h.About().Files {
			if f := &h.About().Files[i]; f.Record != nil {
				if n++; int64(len(text(t, tr, h, f))) != f.Size {
					t.Errorf("%s: %s is not as long as it says", c.name, f.Path)
				}
			}
		}
		if c.documents >= 0 && n != c.documents {
			t.Errorf("%s: %d documents, want %d", c.name, n, c.documents)
		}
		for _, err := range h.Fetches(t.Context(), nil) {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}

// TestMoreDocumentsThanAreListed checks that a million tiny records cost no more than the limit.
func TestMoreDocumentsThanAreListed(t *testing.T) {
	prove.Serial(t)
	const more = 100
	b := plain(arcOf("7-metadata-1.arc", standard()))
	var tiny strings.Builder
	for i := range maxDocuments - len(standard()) + more {
		tiny.WriteString("metadata://a/crawl/setup/settings.xml?jobid=7&domain=" + itoa(i) +
			" 1.2.3.4 20121219194839 text/plain 1\nx\n")
	}
	about := only(t, folderOf(t, map[string]string{"7-metadata-1.arc": b + tiny.String()})).About()
	if len(about.Files) != maxDocuments+1 || !slices.Contains(codes(about.Findings), CodeLarge+" 7-metadata-1.arc") {
		t.Errorf("%d files, findings %.300v", len(about.Files), about.Findings)
	}
	if n := len(about.Findings); n > 2*maxTaken || !slices.Contains(codes(about.Findings), CodeLarge+" ") {
		t.Errorf("%d findings", n)
	}
}
