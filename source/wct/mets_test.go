package wct

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/model"
	"quire/source/internal/facts"
	"quire/source/internal/sourcetest"
)

// TestLenient checks that a malformed METS is read as far as possible, and reported.
func TestLenient(t *testing.T) {
	good := whole("")
	for _, c := range []struct {
		name, mets string
		codes      string
		note       string // of the annotation on the instance
	}{
		{"well-formed", good, "SOURCE-UNLISTED", "pruned"},
		{"control character", strings.Replace(good, "pruned", "pru\x0bned", 1), "SOURCE-DESCRIPTION", "pru\uFFFDned"},
		{"reference to one", strings.Replace(good, "pruned", "pru&#11;n&#x1F;ed", 1),
			"SOURCE-DESCRIPTION SOURCE-DESCRIPTION", "pru\uFFFDn\uFFFDed"},
		{"references that are allowed", strings.Replace(good, "pruned", "p&#233;&#10;&#13;x", 1), "", "pé\n\rx"},
		{"halves of a character", strings.Replace(good, "pruned", "p&#55357;&#56832;d", 1), "SOURCE-DESCRIPTION",
			"p😀d"},
		{"Latin-1 that is called UTF-8", strings.Replace(good, "pruned", "M\xe4ori", 1), "SOURCE-DESCRIPTION", "Mäori"},
		{"Latin-1 that says so", strings.Replace(strings.Replace(good, `encoding="UTF-8"`, `encoding="ISO-8859-1"`, 1),
			"pruned", "M\xe4ori", 1), "", "Mäori"},
		{"an ampersand alone", strings.Replace(good, "pruned", "a & b", 1), "SOURCE-DESCRIPTION", "a & b"},
		{"not closed", strings.Replace(good, "pruned</wct:Note>", "pruned", 1), "SOURCE-DESCRIPTION", "pruned"},
		{"cut", good[:strings.Index(good, "<mets:rightsMD")], "SOURCE-DESCRIPTION", "pruned"},
	} {
		a := only(t, folder(t, "x", map[string]string{"METS-3459.xml": c.mets}))
		var got []string
		for _, f := range a.Findings {
			if f.Code == CodeDescription {
				got = append(got, f.Code)
			}
		}
		want := strings.ReplaceAll(c.codes, "SOURCE-UNLISTED", "")
		if strings.Join(got, " ") != strings.TrimSpace(want) || len(a.Description.Annotations) == 0 ||
			a.Description.Annotations[0].Text != c.note {
			t.Errorf("%s: %v, %+v", c.name, a.Findings, a.Description.Annotations)
		}
		if a.ID != "3459" || a.Title != "A title" {
			t.Errorf("%s: %q, %q", c.name, a.ID, a.Title)
		}
	}
}

// TestHostileMETS checks that entities are not expanded, and that nothing is fetched.
func TestHostileMETS(t *testing.T) {
	for name, mets := range map[string]string{
		"external": strings.Replace(whole(""), "<mets:mets",
			`<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/hostname">]><mets:mets`, 1),
		"bomb": strings.Replace(whole(""), "<mets:mets",
			`<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><mets:mets`, 1),
		"deep":    strings.Replace(whole(""), "pruned", strings.Repeat("<a>", 10_000), 1),
		"wide":    strings.Replace(whole(""), "pruned", strings.Repeat("<a/>", 200_000), 1),
		"nothing": `<mets xmlns="http://www.loc.gov/METS/"`,
	} {
		a := only(t, folder(t, "x", map[string]string{"METS-3459.xml": mets}))
		if f := fileOf(a, "METS-3459.xml"); f.Restricted == "" ||
			!strings.Contains(codes(a.Findings), CodeDescription) {
			t.Errorf("%s: %v, %q", name, a.Findings, f.Restricted)
		}
	}
}

func TestMoreThan999Files(t *testing.T) {
	var files strings.Builder
	there := map[string]string{"3459/reports/order.xml": "<crawl-order/>", "3459/logs/crawl.log": logLine}
	for i := range 1200 {
		name := "arcs/" + strings.Repeat("a", i%7+1) + string(rune('0'+i%10)) + string(rune('a'+i/10%10)) +
			string(rune('a'+i/100)) + ".arc"
		files.WriteString(listed("FILE"+string(rune('0'+i/100%10))+string(rune('0'+i/10%10))+string(rune('0'+i%10)),
			"file://./"+name, "application/octet-stream", 3))
		there["3459/"+name] = container
	}
	there["3459/METS-3459.xml"] = whole(files.String())
	a := only(t, folder(t, "x", there))
	if len(a.Expected) != 1200 || a.Expected[1199].Source != "file 1200 of 3459/METS-3459.xml" ||
		a.Expected[1199].Path == "" {
		t.Errorf("%d files, the last %+v", len(a.Expected), a.Expected[len(a.Expected)-1])
	}
	if got := codes(a.Findings); !strings.Contains(got, CodeTwins) || strings.Contains(got, CodeListed) {
		t.Errorf("findings %.200s", got)
	}
}

func TestTimes(t *testing.T) {
	for _, c := range []struct{ name, crawl, files, start, zone, codes string }{
		{"from the name of a container", crawl, listed("A", "file://./"+stored, "", 3), "2021-07-02 08:57:13 +0000 UTC",
			"12h0m0s", ""},
		{"half an hour", strings.ReplaceAll(crawl, "20:57:13.0", "18:27:20"), listed("A", "file://./"+stored, "", 3),
			"2021-07-02 08:57:20 +0000 UTC", "9h30m0s", ""},
		{"the zone is unknown", crawl, listed("A", "file://./a.arc", "", 3), "0001-01-01 00:00:00 +0000 UTC", "",
			""},
		{"no zone fits", crawl, listed("A", "file://./IAH-20210702085013123-00000-x.warc", "", 3),
			"0001-01-01 00:00:00 +0000 UTC", "", ""},
		{"two begins", strings.Replace(crawl, "20:57:13.0", "20:57:12.0", 1), listed("A", "file://./"+stored, "", 3),
			"2021-07-02 08:57:12 +0000 UTC", "12h0m0s", CodeDiffers},
	} {
		a := only(t, folder(t, "x", map[string]string{"METS-3459.xml": sip(space, target, c.crawl, "", "", c.files)}))
		zone := evidence(a, "zone")
		if a.Start.String() != c.start || (c.zone == "") != (len(zone) == 0) || len(zone) > 0 &&
			!strings.Contains(zone[0], c.zone+" ahead") {
			t.Errorf("%s: %v, %q", c.name, a.Start, zone)
		}
		if c.zone == "" && len(evidence(a, "start")) != 1 {
			t.Errorf("%s: the time as written is lost: %q", c.name, evidence(a, "start"))
		}
		if strings.Contains(codes(a.Findings), CodeDiffers) != (c.codes != "") {
			t.Errorf("%s: %v", c.name, a.Findings)
		}
	}
}

func TestPersonsAndPasswords(t *testing.T) {
	card := `<vCard:VCard xmlns:vCard="http://www.w3.org/2001/vcard-rdf/3.0#"><vCard:FN>%s</vCard:FN><vCard:N>` +
		`<vCard:FAMILY></vCard:FAMILY></vCard:N><vCard:ORG><vCard:Orgname>NLNZ</vCard:Orgname><vCard:EMAIL>` +
		`x@agency.example</vCard:EMAIL></vCard:ORG></vCard:VCard>`
	for _, c := range []struct{ name, digiprov, code string }{
		{"nothing", digiprov, ""},
		{"a card", digiprov + strings.Replace(card, "%s", "Jo Doe", 1), "SOURCE-PERSONAL"},
		{"an address in a note", strings.Replace(digiprov, "on target", "ask jo.doe@example.org", 1),
			"SOURCE-PERSONAL"},
		{"a password in the profile note", strings.Replace(digiprov, ">PN<", ">Login: jo, password: hunter2<", 1),
			"SOURCE-SECRET"},
	} {
		a := only(t, folder(t, "x", map[string]string{"METS-3459.xml": sip(space, target, crawl, "", c.digiprov, "")}))
		if got := codes(a.Findings); got != c.code || (fileOf(a, "METS-3459.xml").Restricted == "") != (c.code == "") {
			t.Errorf("%s: %q", c.name, got)
		}
		for _, f := range a.Findings {
			if strings.Contains(f.Message, "hunter2") || strings.Contains(f.Message, "jo.doe") {
				t.Errorf("%s: repeated in %q", c.name, f.Message)
			}
		}
	}
}

func FuzzMETS(f *testing.F) {
	f.Add([]byte(whole(listed("FILE001", "file://./arcs/a.arc", "text/plain", 3))))
	f.Add([]byte(whole("")[:900]))
	f.Add([]byte("<mets><wct:Target><HarvestResult><DerivedFrom><HarvestResult/></DerivedFrom>\x0b&#55357;&#56832;" +
		"&#1;&"))
	f.Fuzz(func(t *testing.T, b []byte) {
		d := &document{path: "METS-1.xml", ids: map[string]int{}}
		d.parse(b)
		if d.root == nil && len(d.findings) == 0 {
			t.Error("the METS was not read, and no finding reports it")
		}
		if d.root == nil {
			return
		}
		a := &model.Harvest{}
		f := facts.New(a)
		d.addFacts(f)
		d.crawl(f)
		d.restrict(f)
		for _, e := range d.files {
			if e.Size < -1 || e.Source == "" {
				t.Errorf("file %+v", e)
			}
		}
	})
}

// TestDamagedInZip checks that a damaged METS in a zip is reported and restricted; the files beside
// it are read.
func TestDamagedInZip(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range [][2]string{{"3459/METS-3459.xml", whole("")}, {"3459/1/a.arc", container},
		{"3459/logs/crawl.log", logLine}, {"3459/reports/order.xml", "<crawl-order/>"}} {
		e, err := w.CreateHeader(&zip.FileHeader{Name: f[0], Method: zip.Deflate})
		if err == nil {
			_, err = e.Write([]byte(f[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	damaged := b.Bytes()
	damaged[len("PK")+28+len("3459/METS-3459.xml")+700] ^= 0xff // within the compressed METS, which comes first
	p := filepath.Join(t.TempDir(), "x.zip")
	if err := os.WriteFile(p, damaged, 0o666); err != nil {
		t.Fatal(err)
	}
	a := only(t, sourcetest.Open(t, p))
	if f := fileOf(a, "3459/METS-3459.xml"); a.ID != "3459" || f == nil || f.Restricted == "" ||
		!strings.Contains(codes(a.Findings), CodeDescription) || a.Start.IsZero() {
		t.Errorf("%q, %+v, %v", a.ID, f, a.Findings)
	}
}
