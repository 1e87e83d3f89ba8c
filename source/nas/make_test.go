package nas

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/internal/sourcetest"
)

// record is one document of a generated metadata file.
type record struct{ url, text string }

const order = `<?xml version="1.0"?><crawl-order><meta><name>default_orderxml</name><description>Default ` +
	`Profile</description>
<operator>Admin</operator><organization/><date>20080118111217</date></meta><controller>
<map name="http-headers"><string name="user-agent">Mozilla/5.0 (compatible; heritrix/1.12.1 +http://a.dk/)</string></map>
<newObject name="robots-honoring-policy" class="R"><string name="type">ignore</string></newObject>
PASSWORD</controller></crawl-order>`

const infoXML = `<?xml version="1.0" encoding="UTF-8"?>
<harvestInfo>
  <version>0.4</version>
  <jobId>7</jobId>
  <priority>HIGHPRIORITY</priority>
  <harvestNum>3</harvestNum>
  <origHarvestDefinitionID>2</origHarvestDefinitionID>
  <maxBytesPerDomain>500000000</maxBytesPerDomain>
  <maxObjectsPerDomain>-1</maxObjectsPerDomain>
  <orderXMLName>default_orderxml</orderXMLName>
  <origHarvestDefinitionName>Weekly &amp; all</origHarvestDefinitionName>
  <scheduleName>Once_a_week</scheduleName>
  <harvestFilenamePrefix>7-2</harvestFilenamePrefix>
  <jobSubmitDate>2012-12-19T19:18:30Z</jobSubmitDate>
  <performer>undefined</performer>
</harvestInfo>
`

const crawlLog = "2012-12-19T19:18:33.671Z     1         58 dns:www.a.dk P http://www.a.dk/ text/dns #050 " +
	"20121219191833396+46 sha1:M756PWSZD4RQ4KFHS6BU4MGVWZY53ISU http://www.a.dk/ content-size:58\n" +
	"2012-12-19T19:18:35.402Z   200        269 http://www.a.dk/ - - text/html #048 20121219191834967+430 " +
	"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ http://www.a.dk/ content-size:269,3t\n" +
	"2012-12-19T19:18:36.402Z   200       8321 http://www.a.dk/a.png E http://www.a.dk/ image/png #029 " +
	"20121219191835967+67 sha1:OUZ5LFEXKVOTUNOH6DQSKMCPAAGQAOO3 - duplicate:\"5-2-20120501153616-00000-h.arc,9358\"," +
	"content-size:8606\n" +
	"2012-12-19T19:18:37.402Z   200       8321 http://www.a.dk/b.png E http://www.a.dk/ image/png #029 " +
	"20121219191836967+67 sha1:OUZ5LFEXKVOTUNOH6DQSKMCPAAGQAOO3 - duplicate:\"5-2-20120501153616-00000-h.arc,12," +
	"20120501153617000\"\n" +
	"2012-12-19T19:18:38.402Z   200       8321 http://www.a.dk/c.png E http://www.a.dk/ image/png #029 " +
	"20121219191837967+67 sha1:OUZ5LFEXKVOTUNOH6DQSKMCPAAGQAOO3 - duplicate:\"7-2-20121219191833-00000-h.dk.arc," +
	"99\"\n" +
	"2012-12-19T19:18:39.402Z   200       8321 http://www.a.dk/d.png E http://www.a.dk/ image/png #029 " +
	"20121219191838967+67 sha1:OUZ5LFEXKVOTUNOH6DQSKMCPAAGQAOO3 - duplicate:\"7-2-20121219191900-00001-h.dk.arc,5\"\n" +
	"this is no line\n"

const migrations = "5-2-20120501153616-00000-h.arc 9358 4434 1335886577123\n5-2-20120501153616-00000-h.arc 12 10"

// standard returns the documents of a job.
func standard() []record {
	const q = "?heritrixVersion=1.14.4&harvestid=2&jobid=7"
	const base = "metadata://netarkivet.dk/crawl/"
	return []record{
		{base + "setup/duplicatereductionjobs?majorversion=1&minorversion=0&harvestid=2&harvestnum=3&jobid=7", "5,6"},
		{base + "setup/aliases?jobid=7&harvestnum=3&harvestid=2&minorversion=0&majorversion=1",
			"b.dk is an alias of a.dk\n"},
		{base + "setup/harvestInfo.xml" + q, infoXML},
		{base + "setup/order.xml" + q, order},
		{base + "setup/seeds.txt" + q, "www.a.dk\n"},
		{base + "setup/settings.xml" + q + "&domain=a.dk",
			`<crawl-settings><object name="robots-honoring-policy"><string name="type">classic</string></object>` +
				`</crawl-settings>`},
		{base + "reports/arcfiles-report.txt" + q,
			"[ARCFILE] [Opened] [Closed] [Size]\n7-2-20121219191833-00000-h.dk.arc 2012-12-19T19:18:33.664Z " +
				"35352805\n"},
		{base + "reports/crawl-report.txt" + q, "Crawl Name: default_orderxml\nCrawl Status: Finished\n"},
		{base + "logs/crawl.log" + q, crawlLog},
		{base + "logs/heritrix_dmesg.log" + q,
			"Heritrix 1.14.4 is running.\nWeb console login and password: admin/secret\n"},
		{base + "logs/uri-errors.log" + q, ""},
		{base +
			"index/cdx?majorversion=2&minorversion=0&harvestid=2&jobid=7&filename=7-2-20121219191833-00000-h.dk.arc",
			"http://www.a.dk/ 1.2.3.4 20121219191834 text/html 608 7-2-20121219191833-00000-h.dk.arc 3165 " +
				"d41d8cd98f00b204e9800998ecf8427e\n"},
		{"metadata://crawl/index/deduplicationmigration?majorversion=0&minorversion=0", migrations},
	}
}

// arcOf returns a metadata file in the ARC form of NetarchiveSuite.
func arcOf(name string, records []record) []string {
	head := "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
	members := []string{fmt.Sprintf("filedesc://%s 0.0.0.0 20121219194838 text/plain %d\n%s\n", name, len(head), head)}
	for _, r := range records {
		members = append(members, fmt.Sprintf("%s 130.226.228.8 20121219194839 text/plain %d\n%s\n", r.url, len(r.text),
			r.text))
	}
	return members
}

// warcOf returns the records of a metadata file in the WARC form of NetarchiveSuite 4: digests in
// hexadecimal, and no Content-Type for empty records.
func warcOf(name, job string, records []record) []string {
	one := func(kind, header, text string) string {
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Date: 2012-12-19T19:48:38Z\r\nWARC-Record-ID: "+
			"<urn:uuid:c154ed08-ea98-4012-a590-b1bffa2d2636>\r\n"+
			"WARC-Block-Digest: sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709\r\n%sContent-Length: %d\r\n\r\n%s\r\n"+
			"\r\n", kind, header, len(text), text)
	}
	members := []string{one("warcinfo", "WARC-Filename: "+name+"\r\nContent-Type: application/warc-fields\r\n",
		"software: NetarchiveSuite/Version: 4.0.0 status UNSTABLE (r2587)/https://sbforge.org/display/NAS\r\n"+
			"hostname: h.dk\r\nisPartOf: "+job+"\r\n")}
	for _, r := range records {
		kind := "Content-Type: text/plain\r\n"
		if r.text == "" {
			kind = ""
		}
		members = append(members, one("resource", "WARC-Target-URI: "+r.url+"\r\n"+kind, r.text))
	}
	return members
}

func plain(members []string) string { return strings.Join(members, "") }

// packed compresses each part as a gzip member.
func packed(members ...string) string {
	var b bytes.Buffer
	for _, m := range members {
		w := gzip.NewWriter(&b)
		_, _ = io.WriteString(w, m)
		_ = w.Close()
	}
	return b.String()
}

// folderOf writes files and opens them as a source.
func folderOf(t testing.TB, files map[string]string) *archivefs.Tree {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return sourcetest.Open(t, dir)
}

// zipOf writes a zip of files and opens it.
func zipOf(t testing.TB, files map[string]string) *archivefs.Tree {
	t.Helper()
	p := filepath.Join(t.TempDir(), "source.zip")
	f, err := os.Create(p)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, content := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return sourcetest.Open(t, p)
}

// jobs reads all harvests of a source, in the order found.
func jobs(t testing.TB, tr *archivefs.Tree) []source.Harvest {
	t.Helper()
	claims, err := Reader{}.Find(t.Context(), tr)
	if err != nil {
		t.Fatal(err)
	}
	var all []source.Harvest
	for _, c := range claims {
		if len(c.Why) == 0 || len(c.Files) == 0 {
			t.Errorf("the claim of %s has no reason or no files: %+v", c.Root, c)
		}
		h, err := c.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, h)
	}
	return all
}

// only reads the one harvest of a source.
func only(t testing.TB, tr *archivefs.Tree) source.Harvest {
	t.Helper()
	all := jobs(t, tr)
	if len(all) != 1 {
		t.Fatalf("%d harvests were found, want 1", len(all))
	}
	return all[0]
}

// told returns the values of a fact, with their sources.
func told(h source.Harvest, fact string) []string {
	var all []string
	for _, e := range h.About().Evidence {
		if e.Fact == fact {
			all = append(all, e.Value+" | "+e.Source)
		}
	}
	return all
}

// codes returns the codes of findings and their files.
func codes(findings []model.Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, f.Code+" "+f.Path)
	}
	return all
}

func file(t testing.TB, h source.Harvest, path string) *model.SourceFile {
	t.Helper()
	files := h.About().Files
	for i := range files {
		if files[i].Path == path {
			return &files[i]
		}
	}
	t.Fatalf("there is no %s among %d files", path, len(files))
	return nil
}

// text opens a file of a harvest, in any place.
func text(t testing.TB, tr *archivefs.Tree, h source.Harvest, f *model.SourceFile) string {
	t.Helper()
	c, err := source.OpenFile(tr, h, f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(c)
	if err != nil {
		t.Fatalf("%s: %v", f.Path, err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func itoa(n int) string { return strconv.Itoa(n) }

// bodyOf and lengthOf parse a WARC record of a test.
func bodyOf(record string) string {
	_, body, _ := strings.Cut(record, "\r\n\r\n")
	return strings.TrimSuffix(body, "\r\n\r\n")
}

func lengthOf(record string) string { return itoa(len(bodyOf(record))) }
