package pack

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/harvestmd"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/policy"
	"quire/preserve/schemas"
)

// heritrixJob is a job of Heritrix 1 with its reports; the configuration has a password.
func heritrixJob() map[string]string {
	return map[string]string{
		"job/arcs/x.warc": good,
		"job/order.xml": `<crawl-order><meta><name>harbour</name><operator>Ada</operator></meta><controller>` +
			`<long name="max-time-sec">60</long><map name="http-headers"><string name="user-agent">Mozilla/5.0 ` +
			`(compatible; heritrix/1.12.1 +http://q.example/)</string></map><newObject name="robots-honoring-policy">` +
			`<string name="type">ignore</string></newObject></controller></crawl-order>`,
		"job/seeds.txt": "http://x.example/\n",
		"job/logs/crawl.log": "2024-01-02T03:04:05.000Z   200          5 http://x.example/ - - text/html #001 " +
			"20240102030405000+5 - - -\n" +
			"2024-01-02T03:04:06.000Z -9998          - http://x.example/no - - text/html #001 - - - -\n" +
			"2024-01-02T03:04:06.000Z    -2          - http://y.example/ - - text/html #001 - - - -\n",
		"job/logs/progress-statistics.log": "20240102030405 CRAWL RESUMED - Running\n20240102030505 CRAWL ENDING - " +
			"Finished - Timelimit hit\n20240102030506 CRAWL ENDED - Finished - Timelimit hit\n",
		"job/crawl-report.txt": "Crawl Name: harbour\nCrawl Status: Finished - Timelimit hit\n" +
			"Total Seeds not Crawled: 0\nTotal Documents Crawled: 1\n",
		"job/hosts-report.txt": "[#urls] [#bytes] [host] [#robots] [#remaining]\n1 5 x.example 1 9\n" +
			"0 0 y.example 0 3\na line that is odd\n",
		"job/mimetype-report.txt":     "[#urls] [#bytes] [mime-types]\n1 5 text/html\n",
		"job/responsecode-report.txt": "[rescode] [#urls]\n200 1\n",
		"job/seeds-report.txt":        "[code] [status] [seed] [redirect]\n200 CRAWLED http://x.example/\n",
		"job/archivefiles-report.txt": "[ARCHIVEFILE] [Closed] [Size]\nx.warc 2024-01-02T03:05:06Z 5\n",
	}
}

// The event of a harvest has its outcome, its settings and the tables of the crawler, in both
// versions of PREMIS.
func TestHarvestIsStructured(t *testing.T) {
	dir := crawlOf(t, heritrixJob())
	for _, version := range []SchemaVersion{Current, Legacy} {
		o := options(t)
		o.ID, o.SchemaVersion = "x", version
		mustPack(t, o, dir)
		mets := read(t, o.Out, "mets.xml")
		for _, want := range []string{
			`<harvest:run xmlns:harvest="urn:x-quire:harvest:1" system="heritrix" id="job" state="limited">`,
			`name="robots policy" source="robots-honoring-policy/type in job/order.xml">ignore<`,
			`<harvest:limit name="max-time-sec" source="controller/max-time-sec in job/order.xml">60<`,
			`<harvest:file name="job/order.xml"/>`,
			`<harvest:count name="Total Documents Crawled" source="job/crawl-report.txt">1<`,
			`<harvest:count name="unreadable lines" source="job/hosts-report.txt">1<`,
			`source="job/hosts-report.txt" total="2">`,
			`<harvest:host name="x.example" documents="1" bytes="5" robots="1" remaining="9"/>`,
			`source="the logs" total="2">`, `<harvest:missed reason="robots" number="1"/>`,
			`<harvest:missed reason="network" number="1"/>`,
			`<harvest:mediaType name="text/html" documents="1" bytes="5"/>`,
			`<harvest:status code="200" documents="1"/>`,
			`<harvest:seed code="200" status="CRAWLED">http://x.example/<`,
		} {
			if !strings.Contains(mets, want) {
				t.Errorf("%s: the METS lacks %s", version, want)
			}
		}
		d := readBack(t, o.Out)
		linked(t, d)
		e := d.events["x#EVT-capture"]
		if e.Outcomes[0].Outcome.Text != "warning" {
			t.Errorf("outcome %q", e.Outcomes[0].Outcome.Text)
		}
		for _, note := range []string{"end reason: Finished - Timelimit hit (from event CRAWL ENDED in " +
			"job/logs/progress-statistics.log)",
			"limit: max-time-sec=60 (from controller/max-time-sec in job/order.xml)",
			"seed: http://x.example/", "identifier there: job"} {
			if !slices.Contains(e.Outcomes[0].Notes, note) {
				t.Errorf("readers do not get %q", note)
			}
		}
		check(t, o.Out, aip.Options{})
		t.Run("schemas", func(t *testing.T) { check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")}) })
	}
}

// The job, its definition and the user agent are agents. The user agent of the template is no
// program beside the program of the containers.
func TestPlansAreAgents(t *testing.T) {
	o := options(t)
	o.ID = "x"
	mustPack(t, o, crawlOf(t, heritrixJob()))
	d := readBack(t, o.Out)
	var got []string
	for _, l := range d.events["x#EVT-capture"].Agents {
		a := d.agents[l.Value]
		got = append(got, l.Roles[0].Text+": "+a.Names[0].Text)
	}
	want := []string{"executing program: Boat/2.0", "implementer: Ada", "crawl job: job",
		"harvest definition: the harbour",
		"HTTP user agent: Mozilla/5.0 (compatible; heritrix/1.12.1 +http://q.example/)"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A table has the rows with the most documents, and the number of all.
func TestTop(t *testing.T) {
	rows := top[int64]{by: func(n int64) int64 { return n }}
	for n := range int64(5 * maxRows) {
		rows.add(n * 7 % (5 * maxRows))
	}
	list := rows.list()
	if len(list) != maxRows || list[0] != 5*maxRows-1 || list[maxRows-1] != 4*maxRows || rows.total != 5*maxRows {
		t.Errorf("%d rows of %d, from %d to %d", len(list), rows.total, list[0], list[len(list)-1])
	}
}

// The domains of a job have the reason why they ended.
func TestDomainsAreListed(t *testing.T) {
	h := harvest{about: &model.Harvest{Evidence: []model.Evidence{
		{Fact: "end of a domain", Value: "a.dk: 2 SIZE_LIMIT, 7 objects, 900 bytes", Source: "row 1 of historyinfo"},
		{Fact: "end of a domain", Value: "b.dk: 0 DOWNLOAD_COMPLETE, ? objects, ? bytes",
			Source: "row 2 of historyinfo"},
		{Fact: "end of a domain", Value: "odd", Source: "row 3 of historyinfo"},
	}}}
	h.listDomains()
	if len(h.tables) != 1 {
		t.Fatalf("%d tables", len(h.tables))
	}
	want := &harvestmd.Hosts{Source: "row 1 of historyinfo", Total: 2, Hosts: []harvestmd.Host{
		{Name: "a.dk", End: "2 SIZE_LIMIT", Documents: xmlstream.IntOf(7), Bytes: xmlstream.IntOf(900)},
		{Name: "b.dk", End: "0 DOWNLOAD_COMPLETE"}}}
	if !reflect.DeepEqual(h.tables[0], want) {
		t.Errorf("%+v", h.tables[0])
	}
}

// A policy gets the same facts while packing and from the package.
func TestPoliciesReadTheFacts(t *testing.T) {
	o := options(t)
	o.ID = "x"
	mustPack(t, o, crawlOf(t, heritrixJob()))
	d := readBack(t, o.Out)
	h := policy.HarvestOf(d.events["x#EVT-capture"], map[string]string{})
	if h.System != "heritrix" || h.ID != "job" || !slices.Equal(h.Robots, []string{"ignore"}) ||
		!slices.Equal(h.Seeds, []string{"http://x.example/"}) || len(h.UserAgents) != 1 {
		t.Errorf("%+v", h)
	}
}

// Passwords in seeds are not in the METS.
func TestPasswordsAreConcealed(t *testing.T) {
	files := heritrixJob()
	files["job/seeds.txt"] += "http://ada:geheim@x.example/\n"
	files["job/seeds-report.txt"] = "[code] [status] [seed] [redirect]\n200 CRAWLED http://ada:geheim@x.example/\n"
	o := options(t)
	mustPack(t, o, crawlOf(t, files))
	mets := read(t, o.Out, "mets.xml")
	if strings.Contains(mets, "geheim") || strings.Count(mets, ">http://ada:…@x.example/<") != 2 {
		t.Error("the METS has the password, or lacks the seed")
	}
}

// The schema of harvestMD is among the schemas that validate a package.
func TestHarvestMDIsValidated(t *testing.T) {
	dir := t.TempDir()
	_, err := schemas.Fetch(t.Context(), schemas.Options{To: dir, Unpinned: true,
		From: schematest.Home(t, testsamples.Path(t, "schemas"))})
	if err != nil {
		t.Fatal(err)
	}
	o := options(t)
	mustPack(t, o, crawlOf(t, heritrixJob()))
	check(t, o.Out, aip.Options{Schemas: dir})
}
