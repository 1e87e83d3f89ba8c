package nas

import (
	"slices"
	"strings"
	"testing"

	"quire/model"
	"quire/source"
)

// numbered returns the documents of another job.
func numbered(job, definition string, records []record) []record {
	var all []record
	for _, r := range records {
		r.url = strings.NewReplacer("jobid=7", "jobid="+job, "harvestid=2", "harvestid="+definition).Replace(r.url)
		r.text = strings.NewReplacer("<jobId>7<", "<jobId>"+job+"<", "<origHarvestDefinitionID>2<",
			"<origHarvestDefinitionID>"+definition+"<").Replace(r.text)
		all = append(all, r)
	}
	return all
}

func claims(t *testing.T, files map[string]string) []source.Claim {
	t.Helper()
	all, err := Reader{}.Find(t.Context(), folderOf(t, files))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestWhichFilesAreOfWhichJob(t *testing.T) {
	metadata := func(name, job, definition string) string {
		return plain(arcOf(name, numbered(job, definition, standard())))
	}
	seven, eight := metadata("7-metadata-1.arc", "7", "2"), metadata("8-metadata-1.arc", "8", "2")
	cdxOnly := plain(arcOf("7-metadata-2.arc",
		[]record{{"metadata://netarkivet.dk/crawl/index/cdx?majorversion=3&minorversion=0&jobid=7&filename=a.warc",
			"x\n"}}))
	const d7, d8 = "7-2-20121219191833-00000-h.arc", "8-2-20121219191833-00000-h.arc"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"several jobs in a folder", map[string]string{"7-metadata-1.arc": seven, "8-metadata-1.arc": eight, d7: "",
			d8: "", "9-2-20121219191833-00000-h.arc": ""},
			[]string{". 7-metadata-1.arc " + d7, ". 8-metadata-1.arc " + d8}},
		{"data beside", map[string]string{"md/7-metadata-1.arc": seven, "data/" + d7: ""},
			[]string{". md/7-metadata-1.arc data/" + d7}},
		{"several metadata files", map[string]string{"a/7-metadata-1.arc": seven, "b/7-metadata-2.arc": cdxOnly},
			[]string{". a/7-metadata-1.arc b/7-metadata-2.arc"}},
		{"one compressed since", map[string]string{"7-oldmetadata-1.arc": seven, "7-metadata-2.arc.gz": packed(seven)},
			[]string{". 7-metadata-2.arc.gz 7-oldmetadata-1.arc"}},
		{"two archives that count alike",
			map[string]string{"a/7-metadata-1.arc": seven, "b/7-metadata-1.arc": seven, "a/" + d7: "", "c/" + d7: ""},
			[]string{"a a/7-metadata-1.arc a/" + d7, "b b/7-metadata-1.arc"}},
		{"another definition", map[string]string{"a.arc": seven,
			"7-metadata-1.arc": metadata("7-metadata-1.arc", "7", "3"), d7: "", "7-3-20121219191833-00000-h.arc": ""},
			[]string{". 7-metadata-1.arc 7-3-20121219191833-00000-h.arc", ". a.arc " + d7}},
		{"a job without a number", map[string]string{"null-preharvest-metadata-1.arc": plain(arcOf("x",
			[]record{{"metadata://a.dk", "x"}})), "x/null-preharvest-metadata-1.arc": ""},
			[]string{". null-preharvest-metadata-1.arc", "x x/null-preharvest-metadata-1.arc"}},
		{"a folder of a crawl", map[string]string{"job/harvestInfo.xml": infoXML, "job/order.xml": order,
			"job/logs/crawl.log": crawlLog, "job/arcs/" + d7: "",
			"job/7-preharvest-metadata-1.arc": seven, "other/order.xml": order, "job/arcs/" + d8: "",
			"8-metadata-1.arc": eight},
			[]string{". 8-metadata-1.arc job/arcs/" + d8,
				"job job/harvestInfo.xml job/7-preharvest-metadata-1.arc job/arcs/" + d7 +
					" job/logs/crawl.log job/order.xml"}},
		{"data of another job of that number",
			map[string]string{"job/harvestInfo.xml": infoXML, "job/logs/crawl.log": crawlLog,
				"7-3-20121219191833-00000-h.arc": "", d7: ""},
			[]string{". job/harvestInfo.xml job/logs/crawl.log " + d7}},
		{"Heritrix 3 below", map[string]string{"harvestInfo.xml": infoXML,
			"heritrix3/jobs/7_1/20150522150108/logs/crawl.log": crawlLog},
			[]string{". harvestInfo.xml heritrix3/jobs/7_1/20150522150108/logs/crawl.log"}},
		{"harvestInfo.xml alone", map[string]string{"a/harvestInfo.xml": infoXML}, []string{"a a/harvestInfo.xml"}},
	} {
		var got []string
		for _, claim := range claims(t, c.files) {
			got = append(got, claim.Root+" "+strings.Join(claim.Files, " "))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// TestTheLatestDocumentCounts checks a document that is in several metadata files. The latest is
// used. The others are kept, and searched for secrets.
func TestTheLatestDocumentCounts(t *testing.T) {
	secret := strings.Replace(order, "PASSWORD", `<map name="x"><string name="password">p</string></map>`, 1)
	const url = "metadata://netarkivet.dk/crawl/setup/order.xml?heritrixVersion=1.14.4&harvestid=2&jobid=7"
	first := numbered("7", "2", standard())
	first[3].text = secret
	second := []record{
		{"metadata://netarkivet.dk/crawl/setup/order.xml?jobid=7&harvestid=2&heritrixVersion=1.14.4",
			strings.Replace(order, "Admin", "Carl", 1)},
		{"metadata://netarkivet.dk/crawl/setup/seeds.txt?heritrixVersion=1.14.4&harvestid=2&jobid=7", "c.dk\n"},
		{"metadata://netarkivet.dk/crawl/setup/seeds.txt?heritrixVersion=1.14.4&harvestid=2&jobid=7", "d.dk\n"},
	}
	tr := folderOf(t, map[string]string{"7-metadata-10.arc.gz": packed(arcOf("7-metadata-10.arc", second)...),
		"7-metadata-2.arc": plain(arcOf("7-metadata-2.arc", first))})
	h := only(t, tr)
	about := h.About()
	if about.Operator != "Carl" || !slices.Equal(about.Seeds, []string{"d.dk"}) {
		t.Errorf("operator %q, seeds %q", about.Operator, about.Seeds)
	}
	old := file(t, h, "superseded/7-metadata-2.arc/order.xml")
	if old.Role != model.RoleOther || old.Restricted == "" || old.Record.URI != url || text(t, tr, h, old) != secret {
		t.Errorf("the first is %+v", old)
	}
	if now := file(t, h, "order.xml"); now.Restricted != "" || now.Record.Container != "7-metadata-10.arc.gz" {
		t.Errorf("the second is %+v", now)
	}
	for _, path := range []string{"superseded/7-metadata-2.arc/seeds.txt", "superseded/7-metadata-10.arc.gz/seeds.txt",
		"logs/crawl.log"} {
		file(t, h, path)
	}
	if f := file(t, h, "7-metadata-10.arc.gz"); f.Restricted != "" {
		t.Errorf("the second file is restricted: %s", f.Restricted)
	}
	if f := file(t, h,
		"7-metadata-2.arc"); f.Restricted != "holds what must not be shown to everyone: heritrix_dmesg.log, order.xml" {
		t.Errorf("the first file is restricted: %q", f.Restricted)
	}
	count := map[string]int{}
	for _, code := range codes(about.Findings) {
		count[code]++
	}
	if count[CodeSuperseded+" 7-metadata-2.arc"] != 1 || count[CodeSuperseded+" 7-metadata-10.arc.gz"] != 1 ||
		count["SOURCE-SECRET 7-metadata-2.arc"] != 2 {
		t.Errorf("findings %v", about.Findings)
	}
}

// TestListsOfCapturesOfNobodyKnowsWhat checks that lists without a container are not treated as the
// same document.
func TestListsOfCapturesOfNobodyKnowsWhat(t *testing.T) {
	const url = "metadata://a.dk/crawl/index/cdx?jobid=7"
	tr := folderOf(t, map[string]string{"7-metadata-1.arc": plain(arcOf("7-metadata-1.arc", []record{
		{"metadata://a.dk/crawl/index/cdx", "1"}, {"metadata://a.dk/crawl/index/cdx", "2"}, {url, "3"},
		{url + "&filename=x.arc", "4"},
		{"metadata://a.dk/crawl/x/y?jobid=7", "5"}, {"metadata://a.dk/crawl/x%2fy?jobid=7", "6"}}))})
	h := only(t, tr)
	got := map[string]string{}
	for i := range h.About().Files {
		if f := &h.About().Files[i]; f.Record != nil {
			got[f.Path] = text(t, tr, h, f)
		}
	}
	want := map[string]string{"index/cdx.cdx": "1", "index/cdx.cdx~2": "2", "index/7.cdx": "3", "index/x.arc.cdx": "4",
		"other/x_y": "5", "other/x_y~2": "6"}
	for path, content := range want {
		if got[path] != content {
			t.Errorf("%s is %q, want %q", path, got[path], content)
		}
	}
	if len(got) != len(want) {
		t.Errorf("documents %v", got)
	}
}

// TestFolderOfACrawl has the folder of an unfinished crawl: the facts from before the crawl are in
// a file of records, the others in separate files.
func TestFolderOfACrawl(t *testing.T) {
	tr := folderOf(t, map[string]string{
		"job/harvestInfo.xml": infoXML,
		"job/order.xml": strings.Replace(order, "PASSWORD",
			`<map name="x"><string name="password">p</string></map>`, 1),
		"job/logs/crawl.log": crawlLog, "job/arcs/" + dataName7: "",
		"job/7-preharvest-metadata-1.arc": plain(arcOf("7-preharvest-metadata-1.arc", standard()[:2])),
	})
	h := only(t, tr)
	about := h.About()
	if about.ID != "7" || about.Collection != "Weekly & all" || about.Documentation != model.Documented ||
		about.Robots != "ignore" || about.Host != "h.dk" {
		t.Errorf("%+v", about)
	}
	if len(told(h, "jobs that duplicates were looked for in")) != 1 || len(told(h, "alias")) != 1 ||
		told(h, "job")[1] != "7 | name of job/7-preharvest-metadata-1.arc" {
		t.Errorf("evidence %v", about.Evidence)
	}
	log := file(t, h, "job/logs/crawl.log")
	if log.Record != nil || text(t, tr, h, log) != crawlLog {
		t.Errorf("the log is %+v", log)
	}
	if f := file(t, h, "job/order.xml"); f.Restricted == "" || f.Record != nil {
		t.Errorf("the configuration is %+v", f)
	}
	if f := file(t, h, "aliases"); f.Record == nil || text(t, tr, h, f) != standard()[1].text {
		t.Errorf("aliases are %+v", f)
	}
	if len(about.Foreign) != 1 || about.Foreign[0].Job != "5" {
		t.Errorf("foreign %+v", about.Foreign)
	}
	n := 0
	for _, err := range h.Fetches(t.Context(), nil) {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	if n != 6 || len(about.Files) != 7 {
		t.Errorf("%d fetches, %d files", n, len(about.Files))
	}
}

// TestADocumentAndAFileOfOnePath checks a document and a file of the folder with the same path:
// both are listed.
func TestADocumentAndAFileOfOnePath(t *testing.T) {
	secret := strings.Replace(order, "PASSWORD", `<map name="x"><string name="password">p</string></map>`, 1)
	const url = "metadata://netarkivet.dk/crawl/setup/order.xml?heritrixVersion=1.14.4&harvestid=2&jobid=7"
	for _, c := range []struct{ inRecord, inFolder string }{{order, secret}, {secret, order}} {
		tr := folderOf(t, map[string]string{"harvestInfo.xml": infoXML, "order.xml": c.inFolder,
			"logs/crawl.log":              crawlLog,
			"7-preharvest-metadata-1.arc": plain(arcOf("7-preharvest-metadata-1.arc", []record{{url, c.inRecord}}))})
		h := only(t, tr)
		seen := 0
		for i := range h.About().Files {
			f := &h.About().Files[i]
			if f.Path != "order.xml" {
				continue
			}
			want := c.inFolder
			if f.Record != nil {
				want = c.inRecord
			}
			if seen++; text(t, tr, h, f) != want || f.Size != int64(len(want)) ||
				(f.Restricted != "") != (want == secret) {
				t.Errorf("%+v", f)
			}
		}
		if seen != 2 || len(h.About().Files) != 5 {
			t.Errorf("%d files, %d of them are called order.xml", len(h.About().Files), seen)
		}
		container := file(t, h, "7-preharvest-metadata-1.arc")
		if (container.Restricted != "") != (c.inRecord == secret) {
			t.Errorf("the metadata file is restricted for %q", container.Restricted)
		}
		place := "SOURCE-SECRET order.xml"
		if c.inRecord == secret {
			place = "SOURCE-SECRET 7-preharvest-metadata-1.arc"
		}
		if !slices.Contains(codes(h.About().Findings), place) {
			t.Errorf("findings %v", h.About().Findings)
		}
	}
}
