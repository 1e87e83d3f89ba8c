package bagit

import (
	"strings"
	"testing"
	"testing/fstest"
)

// FuzzValidate checks that any tag files yield a report, and that no path leads out of the bag.
func FuzzValidate(f *testing.F) {
	const declaration = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
	f.Add(declaration, "d41d8cd98f00b204e9800998ecf8427e  data/a\n", "Payload-Oxum: 0.1\n",
		"http://a.example/ - data/a\n")
	f.Add("BagIt-Version: 0.97\r\nTag-File-Character-Encoding: UTF-16\r\n", "\xfe\xff\x00d", "a:\n b\n", "x")
	f.Add(declaration, "d41d8cd98f00b204e9800998ecf8427e *./data/%0A\n", " : \n", "")
	f.Fuzz(func(t *testing.T, declared, manifest, info, fetch string) {
		bag := fstest.MapFS{
			"bagit.txt": {Data: []byte(declared)}, "manifest-md5.txt": {Data: []byte(manifest)},
			"bag-info.txt": {Data: []byte(info)},
			"fetch.txt":    {Data: []byte(fetch)}, "data/a": {},
		}
		report, err := Validate(t.Context(), bag, Options{Temp: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if report.Valid() && (report.Version == "" || report.Files != 1 || !strings.Contains(manifest, "d")) {
			t.Errorf("valid: %+v", report)
		}
	})
}

func TestWriteAndRead(t *testing.T) {
	for _, p := range []string{"data/a", "data/100% b", "data/a\nb", "data/%0A", "data/%25"} {
		var b strings.Builder
		if err := WriteLine(&b, "d41d8cd98f00b204e9800998ecf8427e", p); err != nil {
			t.Fatal(err)
		}
		if strings.Count(b.String(), "\n") != 1 {
			t.Errorf("%q", b.String())
		}
		bag := fstest.MapFS{
			"bagit.txt":        {Data: []byte("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n")},
			"manifest-md5.txt": {Data: []byte(b.String())}, p: {},
		}
		report, err := Validate(t.Context(), bag, Options{})
		if err != nil || !report.Valid() {
			t.Errorf("%q: %v, %v", p, report.Findings, err)
		}
	}
}
