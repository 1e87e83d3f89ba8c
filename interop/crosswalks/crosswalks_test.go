//go:build interop

// Package crosswalks checks the exports of quire describe with pymarc and xmllint.
package crosswalks

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// export exports the example sheet, and a sheet with extreme values.
func export(t *testing.T, format string) []string {
	t.Helper()
	strained := filepath.Join(t.TempDir(), "strained.csv")
	long := strings.Repeat("long ", 3000)
	sheet := "Title [fr],Title [zh],Description,Note,Subject,URL (seed),Language,Date (captured)\n" +
		"\"]]> <a> & \"\"b\"\" 統計 𝄞\",統計," + long +
		",\"two\nlines\",a # b,http://a.example/100%25?q=[],zh-Hant # gsw,2015-07-08/2016\n" +
		",,,,,http://b.example/é,,in spring\n"
	var notes []string // of a record beyond the limits of ISO 2709
	for i := range 15 {
		notes = append(notes, strconv.Itoa(i)+strings.Repeat(" note", 1900))
	}
	sheet += ",,," + strings.Join(notes, " # ") + ",,http://c.example/,,\n"
	if err := os.WriteFile(strained, []byte(sheet), 0o644); err != nil {
		t.Fatal(err)
	}
	examples := filepath.Join("..", "..", "examples", "describe")
	var folders []string
	for _, args := range [][]string{{"--sheet", filepath.Join(examples, "websites.csv"), "--mapping",
		filepath.Join(examples, "mapping.yaml")}, {"--sheet", strained}} {
		out := filepath.Join(t.TempDir(), "out")
		args = append([]string{"describe", "--export", format, "--out", out}, args...)
		if said, err := exec.Command(peers.Quire(t), args...).CombinedOutput(); err != nil {
			t.Fatalf("quire %s: %v\n%s", args, err, said)
		}
		folders = append(folders, out)
	}
	return folders
}

// xmllint validates each form, by its own schema or by the set that embeds it.
func TestXmllint(t *testing.T) {
	schemas := testsamples.Path(t, "schemas")
	for format, schema := range map[string]string{
		"ead3": "ead/ead3.xsd", "ead2002": "drivers/mets-all.xsd", "marcxml": "marc/MARC21slim.xsd",
		"mods": "drivers/mets-all.xsd", "mods-3.4": "drivers/mets-all-legacy.xsd", "oai_dc": "drivers/mets-all.xsd",
	} {
		for _, folder := range export(t, format) {
			files, err := filepath.Glob(filepath.Join(folder, "*.xml"))
			if err != nil || len(files) == 0 {
				t.Fatal(format, files, err)
			}
			cmd := exec.Command("xmllint",
				append([]string{"--nonet", "--noout", "--schema", filepath.Join(schemas, schema)}, files...)...)
			cmd.Env = append(os.Environ(), "XML_CATALOG_FILES="+filepath.Join(schemas, "catalog.xml"))
			if said, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", format, err, said)
			}
			t.Logf("%s: %d files", format, len(files))
		}
	}
}

type record struct {
	File   string              `json:"file"`
	Leader string              `json:"leader"`
	Fields [][]json.RawMessage `json:"fields"`
}

// pymarc reads the same from both forms of a record, except for the data that the report lists as
// too long for ISO 2709.
func TestPymarc(t *testing.T) {
	t.Run("MARC 21", func(t *testing.T) { sameInBoth(t, "marcxml", "marc", 'a') })
	t.Run("UNIMARC", func(t *testing.T) { sameInBoth(t, "marcxchange", "unimarc", ' ') })
}

// sameInBoth compares the records in XML and in ISO 2709. unicode is position 9 of the leader in ISO
// 2709.
func sameInBoth(t *testing.T, inXML, inISO string, unicode byte) {
	xml, iso := export(t, inXML), export(t, inISO)
	for i := range xml {
		a := ask(t, filepath.Join(xml[i], "records.xml"))
		b := ask(t, filepath.Join(iso[i], "records.mrc"))
		if len(a) == 0 || len(a) != len(b) {
			t.Fatalf("%d records in MARCXML, %d in ISO 2709", len(a), len(b))
		}
		missing := 0
		for n := range a {
			in := map[string]bool{}
			for _, f := range b[n].Fields {
				in[text(f)] = true
			}
			for _, f := range a[n].Fields {
				// These fields contain the time of their creation.
				tag := string(f[0])
				timed := tag == `"005"` || tag == `"008"` || unicode == ' ' && tag == `"100"`
				if !timed && !in[text(f)] {
					missing++
				}
			}
			if a[n].Leader[:3] != b[n].Leader[:3] || b[n].Leader[4] != unicode {
				t.Errorf("leaders %q and %q", a[n].Leader, b[n].Leader)
			}
		}
		only := losses(t, iso[i]) - losses(t, xml[i])
		if missing != only {
			t.Errorf("%d fields are not the same in both, and the report of ISO 2709 has %d more losses", missing, only)
		}
		t.Logf("%d records, %d fields that ISO 2709 could not hold as they are", len(a), missing)
	}
}

// TestMARCOfTheExamples: pymarc reads the languages in words, the dates and the names of the example
// sheet in both formats.
func TestMARCOfTheExamples(t *testing.T) {
	for format, want := range map[string][]string{
		"marc": {`"546","  ",[["a","Dutch, French, German and English."]]`,
			`"264"," 0",[["3","Archived copy"],["c","2015-07-08"]]`,
			`"110","2 ",[["a","Bureau voor de statistiek"]`,
			`"710","2 ",[["a","Example Library"],["e","collector"],["4","col"]]`},
		"unimarc": {`"302","  ",[["a","Dutch, French, German and English."]]`,
			`"318","  ",[["a","captured"],["c","2015-07-08"]]`,
			`"710","02",[["a","Bureau voor de statistiek"],["4","070"]]`, `"712","02",[["a","Example Library"]]`,
			`"510","1 ",[["a","Statistics office"],["z","eng"]]`},
	} {
		var all strings.Builder
		for _, r := range ask(t, filepath.Join(export(t, format)[0], "records.mrc")) {
			for _, f := range r.Fields {
				all.WriteString(strings.ReplaceAll(text(f), `""`, `","`) + "\n")
			}
		}
		plain := func(s string) string {
			return strings.NewReplacer(`"`, "", ",", "", " ", "", "[", "", "]", "").Replace(s)
		}
		for _, w := range want {
			if !strings.Contains(plain(all.String()), plain(w)) {
				t.Errorf("%s has no %s in\n%s", format, w, all.String())
			}
		}
	}
}

// TestArchivesSpace: finding aids keep the rules of ArchivesSpace's importer, and its names are read.
func TestArchivesSpace(t *testing.T) {
	for i, folder := range export(t, "ead2002") {
		files, err := filepath.Glob(filepath.Join(folder, "*.xml"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		said := peers.Python(t, "archivesspace_rules.py", files)
		lines := strings.Split(strings.TrimSpace(said), "\n")
		if len(lines) != 1 || i == 0 && strings.HasSuffix(lines[0], "agents 0") {
			t.Errorf("ArchivesSpace would refuse:\n%s", said)
		}
		t.Log(lines[len(lines)-1])
	}
}

func ask(t *testing.T, file string) []record {
	t.Helper()
	driver, err := filepath.Abs("pymarc_read.py")
	if err != nil {
		t.Fatal(err)
	}
	var out []record
	for line := range strings.Lines(peers.Python(t, driver, []string{file})) {
		var r record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func text(field []json.RawMessage) string {
	var b strings.Builder
	for _, part := range field {
		b.Write(part)
	}
	return b.String()
}

func losses(t *testing.T, folder string) int {
	t.Helper()
	report, err := os.ReadFile(filepath.Join(folder, "losses.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(report), "\n")
}
