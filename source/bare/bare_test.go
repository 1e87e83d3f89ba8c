package bare

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/internal/testsamples"
	"quire/model"
	"quire/source"
	"quire/source/records"
)

func TestWhatTheNameOfAContainerTells(t *testing.T) {
	tests := []struct{ name, prefix, time, serial, host string }{
		{"IAH-20080430204825-00000-blackbook.arc.gz", "IAH", "20080430204825", "00000", "blackbook"},
		{"IAH-20240708230933685-00012-1087998~dia~8443.warc", "IAH", "20240708230933.685", "00012", "1087998~dia~8443"},
		{"42-117-20051212141240-00001-sb-test-har-001.statsbiblioteket.dk.arc", "42-117", "20051212141240", "00001",
			"sb-test-har-001.statsbiblioteket.dk"},
		{"TEST-WEBRENDER-20220304210341-20220304210402959-00000-pxa4tq3c.warc.gz.open", "TEST-WEBRENDER-20220304210341",
			"20220304210402.959", "00000", "pxa4tq3c"},
		{"ARCHIVEIT-5541-CRAWL_SELECTED_SEEDS-JOB224414-20160901142410-00002.warc.gz",
			"ARCHIVEIT-5541-CRAWL_SELECTED_SEEDS-JOB224414", "20160901142410", "00002", ""},
		{"rec-manual-20240115101530123-0.warc.gz", "rec-manual", "20240115101530.123", "0", ""},
		{"spn2-20200406225714-wwwb-spn22.us.archive.org-8000.warc.gz", "spn2", "20200406225714", "",
			"wwwb-spn22.us.archive.org-8000"},
		{"rec-20180203004221123456-host.warc.gz", "rec", "20180203004221.123456", "", "host"},
		{"51_23_20110804181044_crawl101.arc.gz", "51", "20110804181044", "23", "crawl101"},
		{"DX_crawl29.20040711214146.arc", "DX", "20040711214146", "", "crawl29"},
		{"crc24.20001110112006.arc", "crc24", "20001110112006", "", ""},
		{"GR-034368.arc", "GR", "", "034368", ""},
		{"site-00003.warc.gz", "site", "", "00003", ""},
		{"site-meta.warc.gz", "site", "", "meta", ""},
		{"fyensdk.arc", "", "", "", ""},
		{"20040121.arc", "", "", "", ""},
		{"part-99999999999999-00000-host.arc", "", "", "", ""}, // not a plausible time
	}
	for _, tt := range tests {
		n := parseName("folder/" + tt.name)
		at := ""
		if !n.Time.IsZero() {
			at = n.Time.Format("20060102150405.999999")
		}
		if n.Prefix != tt.prefix || at != tt.time || n.Serial != tt.serial || n.Host != tt.host {
			t.Errorf("%s: %q %q %q %q, want %q %q %q %q", tt.name, n.Prefix, at, n.Serial, n.Host, tt.prefix, tt.time,
				tt.serial, tt.host)
		}
	}
}

// arcOf returns an ARC file with a version block of that name and date.
func arcOf(name, date, origin string) []byte {
	block := "1 0 " + origin + "\nURL IP-address Archive-date Content-type Archive-length\n\n"
	return []byte(fmt.Sprintf("filedesc://%s 0.0.0.0 %s text/plain %d\n%s", name, date, len(block), block))
}

func warcOf(name, fields string) []byte {
	return []byte(fmt.Sprintf("WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: "+
		"2012-12-19T19:48:38Z\r\n"+
		"WARC-Filename: %s\r\nContent-Type: application/warc-fields\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", name,
		len(fields), fields))
}

func packed(t *testing.T, b []byte) []byte {
	t.Helper()
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return z.Bytes()
}

type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

func treeOf(files map[string][]byte) *archivefs.Tree {
	var parts []archivefs.Part
	for name, content := range files {
		parts = append(parts, archivefs.Part{File: archivefs.File{Path: name, Size: int64(len(content))},
			Open: func() (archivefs.Content, error) { return memory{bytes.NewReader(content)}, nil }})
	}
	return archivefs.Of("/delivery", parts, nil)
}

func find(t *testing.T, files map[string][]byte) []source.Claim {
	t.Helper()
	claims, err := Reader{}.Find(t.Context(), treeOf(files))
	if err != nil {
		t.Fatal(err)
	}
	return claims
}

func about(t *testing.T, c source.Claim) *model.Harvest {
	t.Helper()
	h, err := c.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return h.About()
}

func TestContainersThatBelongTogether(t *testing.T) {
	files := map[string][]byte{
		// one crawl of two machines, and the same prefix again, a year later
		"a/CRAWL-20040101000000-00000-one.arc.gz": nil, "a/CRAWL-20040101000000-00000-two.arc.gz": nil,
		"a/CRAWL-20040102000000-00001-one.arc.gz": nil,
		"a/CRAWL-20050101000000-00000-one.arc.gz": nil,
		"a/CRAWL-20040102000000-00001-one.cdx":    nil, "a/CRAWL-20050101000000-00000-one.arc.gz.md5": nil,
		"a/md5sums.txt": nil,
		"cdx/CRAWL-20040101000000-00000-two.arc.gz.cdx": nil,
		// names without a known pattern: grouped by the first record
		"b/x.arc": arcOf("DX_crawl29.20040711214146.arc", "20040711214146", "Alexa Internet"),
		"b/y.arc": arcOf("y.arc", "20010101000000", "A"), "b/z": packed(t, arcOf("z.arc", "200101010000", "A")),
		"b/w.warc": warcOf("w.warc", "software: Tool 1\r\n"),
		// not containers
		"b/readme.txt": []byte("see http://a.example/ 10.0.0.1 20040721232941 text/html 24\n"),
		"b/packed.gz":  packed(t, []byte("text")), "b/other.md5": nil, "b/readme.txt.md5": nil, "c/lone.cdx": nil,
	}
	want := []string{
		"a CRAWL-20040101000000: a/CRAWL-20040101000000-00000-one.arc.gz a/CRAWL-20040101000000-00000-two.arc.gz " +
			"a/CRAWL-20040102000000-00001-one.arc.gz a/CRAWL-20040102000000-00001-one.cdx a/md5sums.txt " +
			"cdx/CRAWL-20040101000000-00000-two.arc.gz.cdx",
		"a CRAWL-20050101000000: a/CRAWL-20050101000000-00000-one.arc.gz a/CRAWL-20050101000000-00000-one.arc.gz.md5 " +
			"a/md5sums.txt",
		"b DX: b/other.md5 b/x.arc",
		"b b: b/other.md5 b/y.arc b/z",
		"b w: b/other.md5 b/w.warc",
	}
	var got []string
	for _, c := range find(t, files) {
		got = append(got, c.Root+" "+about(t, c).ID+": "+strings.Join(c.Files, " "))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func TestWhatIsToldOfBareContainers(t *testing.T) {
	fields := "software: Heritrix/1.14\r\noperator: Ann\r\ndescription: [see override above]\r\n" +
		"http-header-user-agent: bot\r\n"
	claims := find(t, map[string][]byte{
		"NLA-20070813080023-00000-h.arc.gz": packed(t,
			arcOf("NLA-20070813080023-00000-h.arc", "200708130800", "InternetArchive")),
		"NLA-20070814080023-00001-h.warc":         warcOf("NLA-20070814080023-00001-h.warc", fields),
		"NLA-20070814090023-00002-h.warc.gz.open": packed(t, warcOf("Other-20070814090023-00002-h.warc.gz", fields)),
		"NLA-20070814100023-00003-h.arc":          []byte("nothing of the kind"),
		"NLA-20070814100023-00003-h.cdx":          nil, "NLA-20070814100023-00003-h.arc.sha1": nil,
	})
	if len(claims) != 1 {
		t.Fatalf("%d claims", len(claims))
	}
	a := about(t, claims[0])
	if a.System != model.Bare || a.ID != "NLA" || a.Documentation != model.Undocumented ||
		a.Software != "Heritrix/1.14" || a.Operator != "Ann" || a.UserAgent != "bot" || a.Note != "" {
		t.Errorf("%+v", a)
	}
	// the date of the record has no seconds
	if want := time.Date(2007, 8, 13, 8, 0, 0, 0, time.UTC); !a.Start.Equal(want) || !a.End.IsZero() {
		t.Errorf("%v to %v", a.Start, a.End)
	}
	for _, want := range []string{
		"origin code=InternetArchive (first record of NLA-20070813080023-00000-h.arc.gz)",
		"software=Heritrix/1.14 (field software of the first record of NLA-20070814080023-00001-h.warc, and of 1 more)",
		"start=2007-08-13T08:00:00Z (date of the first record of NLA-20070813080023-00000-h.arc.gz, the earliest; " +
			"only names and first records were looked at)",
		"last container begun=2012-12-19T19:48:38Z (date of the first record of NLA-20070814080023-00001-h.warc; " +
			"when the crawl ended is not known before the containers are read)",
		"documentation=absent (only containers, their indexes and checksums lie here: no log, no configuration, no " +
			"report)",
	} {
		if !slices.ContainsFunc(a.Evidence, func(e model.Evidence) bool {
			return e.Fact+"="+e.Value+" ("+e.Source+")" == want
		}) {
			t.Errorf("no evidence %q among %v", want, a.Evidence)
		}
	}
	var codes []string
	for _, f := range a.Findings {
		codes = append(codes, path.Join(f.Code, f.Path))
	}
	want := []string{"SOURCE-UNFINISHED/NLA-20070814090023-00002-h.warc.gz.open",
		"SOURCE-RENAMED/NLA-20070814090023-00002-h.warc.gz.open",
		"SOURCE-NO-RECORD/NLA-20070814100023-00003-h.arc", "SOURCE-UNDOCUMENTED"}
	if !slices.Equal(codes, want) {
		t.Errorf("%q", codes)
	}
	if last := a.Findings[3].Message; !strings.Contains(last, "absent") || !strings.Contains(last, "robots policy") ||
		strings.Contains(last, "user agent") {
		t.Error(last)
	}
	roles := map[string]model.Role{}
	for _, f := range a.Files {
		roles[path.Ext(f.Path)] = f.Role
	}
	if roles[".cdx"] != model.RoleIndex || roles[".sha1"] != model.RoleDescription ||
		roles[".open"] != model.RoleContainer {
		t.Error(roles)
	}
	h, _ := claims[0].Read(t.Context())
	for f, err := range h.Fetches(t.Context(), nil) {
		t.Errorf("a fetch of nowhere: %v %v", f, err)
	}
}

// TestEvidenceDoesNotGrowWithTheContainers checks a delivery of thousands of containers. It gives
// one line of evidence for values common to all, and a bounded number for individual values.
func TestEvidenceDoesNotGrowWithTheContainers(t *testing.T) {
	files := map[string][]byte{}
	for i := range 3 * maxValues {
		name := fmt.Sprintf("A-20040101000000-%05d-h.warc", i)
		files[name] = warcOf(name, fmt.Sprintf("software: same\r\nhostname: h%d\r\n", i))
	}
	a := about(t, find(t, files)[0])
	if len(a.Evidence) > maxValues+10 {
		t.Errorf("%d lines of evidence", len(a.Evidence))
	}
	if !slices.ContainsFunc(a.Findings, func(f model.Finding) bool {
		return f.Code == CodeMore && strings.Contains(f.Message, "100 more")
	}) {
		t.Errorf("%v", a.Findings)
	}
}

func TestNamesOfDeliveries(t *testing.T) {
	for prefix, want := range map[string]string{
		"42-117":              "job of NetarchiveSuite=42 harvest definition of NetarchiveSuite=117",
		"bnf-42-117":          "job of NetarchiveSuite=42 harvest definition of NetarchiveSuite=117",
		"ARCHIVEIT-5541-JOB1": "collection of Archive-It=5541 crawl of Archive-It=JOB1",
		"IAH":                 "",
		"INA-HISTORICAL-2000-GROUP-ACS": "extraction=taken out of collections that were made before: each record may " +
			"be of another crawl and another crawler",
	} {
		var got []string
		for _, p := range parts(prefix) {
			got = append(got, p[0]+"="+p[1])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q", prefix, got)
		}
	}
}

// TestSamples reads the bare ARCs of NetarchiveSuite and the Internet Archive among the samples.
func TestSamples(t *testing.T) {
	tests := []struct{ folder, id, start, software string }{
		{"internetarchive_CDX-Writer", "DX", "2004-07-11T21:41:46Z", ""},
		{"internetarchive_CDX-Writer", "NARA-PEOT-2004", "2004-10-17T23:56:48Z",
			"Heritrix 1.0.5-200410121100 http://crawler.archive.org"},
		{"netarchivesuite_jwat/jwat-arc", "IAH", "2008-04-30T20:48:25Z",
			"Heritrix @VERSION@ http://crawler.archive.org"},
	}
	for _, tt := range tests {
		tr, err := archivefs.Open(testsamples.Path(t, "samples", tt.folder))
		if err != nil {
			t.Fatal(err)
		}
		defer tr.Close()
		claims, err := Reader{}.Find(t.Context(), tr)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, c := range claims {
			if a := about(t, c); a.ID == tt.id {
				found = true
				if got := a.Start.Format(time.RFC3339Nano); got != tt.start || a.Software != tt.software {
					t.Errorf("%s %s: %s, %q", tt.folder, tt.id, got, a.Software)
				}
			}
		}
		if !found {
			t.Errorf("%s: no harvest %s", tt.folder, tt.id)
		}
	}
}

// TestCompanion checks index names with letters that change length in lower case: Ⱥ (2 bytes)
// becomes ⱥ (3 bytes).
func TestCompanion(t *testing.T) {
	for _, tt := range []struct {
		base, stem string
		kind       kind
	}{
		{"ȺȺȺ.CDX", "ȺȺȺ", kindIndex}, {"a.warc.cdxj.GZ", "a", kindIndex},
		{"\u212a.warc.gz.md5", "\u212a", kindChecksums},
		{"SHA512SUMS.txt", "", kindChecksums}, {"a.txt", "", kindNone}, {"cdx", "", kindNone},
	} {
		if stem, kind := companion(tt.base); stem != tt.stem || kind != tt.kind {
			t.Errorf("%s: %q, %d", tt.base, stem, kind)
		}
	}
}

// FuzzFind checks any names and bytes: no panic, and each container is in one harvest.
func FuzzFind(f *testing.F) {
	f.Add("a/IAH-20080430204825-00000-h.arc.gz b.warc b.cdx md5sums c",
		[]byte("WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 5\r\n\r\na: b\n\r\n\r\n"))
	f.Add("x-00001.arc x-00001.arc.cdx x-meta.arc", arcOf("DX_crawl29.20040711214146.arc", "200407", "A"))
	f.Add("ȺȺȺ.cdx", []byte{})
	f.Fuzz(func(t *testing.T, names string, content []byte) {
		files := map[string][]byte{}
		for i, name := range strings.Fields(names) {
			if i < 30 {
				files[name] = content
			}
		}
		owners := map[string]int{}
		for _, c := range find(t, files) {
			for _, file := range about(t, c).Files {
				if file.Role == model.RoleContainer {
					owners[file.Path]++
				}
			}
		}
		for p, n := range owners {
			if n != 1 {
				t.Errorf("%q is in %d harvests", p, n)
			}
		}
		for p := range files {
			if is, _ := records.NamedContainer(p); is && path.Clean(p) == p && owners[p] == 0 &&
				!strings.Contains(p, "..") && !strings.HasPrefix(p, "/") && !strings.ContainsAny(p, "\\\x00") {
				t.Errorf("%q is in none", p)
			}
		}
	})
}
