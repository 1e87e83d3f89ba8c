//go:build interop

package eark

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// The crawls to validate, below the shared samples.
var crawls = []struct{ id, source string }{
	{"blackbook", "netarchivesuite_jwat/jwat-gzip/IAH-20080430204825-00000-blackbook.warc.gz"},
	{"govuk", "ukwa_webarchive-discovery/gov.uk-revisit-warcs/BL-20140325121225068-00000-32090~opera~8443.warc.gz"},
	{"wacz", "webrecorder_browsertrix/example-2.wacz"},
}

func TestPackages(t *testing.T) {
	quire, work := peers.Quire(t), t.TempDir()
	repo, rights := filepath.Join(work, "repository"), filepath.Join(work, "rights.yaml")
	if err := os.WriteFile(rights, []byte("access: open\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	peers.Call(t, nil, quire, "init", repo)
	schemas := testsamples.Path(t, "schemas")
	var made []string
	for _, c := range crawls {
		pkg, out := filepath.Join(work, c.id), filepath.Join(work, c.id+"-dip")
		peers.Call(t, nil, quire, "pack", testsamples.Path(t, "samples", c.source), "--out", pkg, "--id", c.id,
			"--rights", rights)
		peers.Call(t, nil, quire, "ingest", pkg, "--repo", repo)
		peers.Call(t, nil, quire, "export", c.id, "--repo", repo, "--out", out, "--as", "eark")
		for _, mets := range []string{"METS.xml", "representations/rep1/METS.xml", "metadata/preservation/premis.xml",
			"metadata/descriptive/mods.xml"} {
			peers.Xmllint(t, schemas, "mets-all.xsd", filepath.Join(out, filepath.FromSlash(mets)))
		}
		own := filepath.Join(out, "schemas") // validates without ours
		for doc, schema := range map[string]string{"METS.xml": "mets.xsd", "representations/rep1/METS.xml": "mets.xsd",
			"metadata/preservation/premis.xml": "premis-v3-0.xsd", "metadata/descriptive/mods.xml": "mods-3-8.xsd",
			"representations/rep1/metadata/preservation/premis.xml": "premis-v3-0.xsd",
			"metadata/descriptive/dc.xml":                           "oai_dc.xsd"} {
			peers.Call(t, []string{"XML_CATALOG_FILES=" + filepath.Join(own, "catalog.xml")}, "xmllint",
				"--nonet", "--noout",
				"--schema", filepath.Join(own, schema), filepath.Join(out, filepath.FromSlash(doc)))
		}
		made = append(made, out)
	}
	for path, said := range validator(t, made) {
		if want := "structure WellFormed, schema VALID, schematron VALID"; said != want {
			t.Errorf("eark-validator says of %s: %s", path, said)
		}
	}
	for _, path := range made {
		if errors := commonsIP(t, path); len(errors) > 0 {
			t.Errorf("commons-ip says of %s: %v", path, errors)
		}
	}
	notices(t, made[0])
}

// notices checks that both validators detect an error. Otherwise their verdicts would prove
// nothing.
func notices(t *testing.T, path string) {
	t.Helper()
	mets := filepath.Join(path, "METS.xml")
	text, err := os.ReadFile(mets)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mets, []byte(strings.Replace(string(text), ` csip:OAISPACKAGETYPE="DIP"`, "", 1)),
		0o666); err != nil {
		t.Fatal(err)
	}
	if said := validator(t, []string{path})[path]; !strings.Contains(said, "error CSIP9") {
		t.Errorf("eark-validator notices nothing: %s", said)
	}
	if errors := commonsIP(t, path); len(errors) == 0 {
		t.Error("commons-ip notices nothing")
	}
}

// validator runs eark-validator.
func validator(t *testing.T, paths []string) map[string]string {
	t.Helper()
	cmd := exec.Command(filepath.Join(peers.Tools(t), "eark-venv", "bin", "python"), "judge.py")
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\n") + "\n")
	var complaint strings.Builder
	cmd.Stderr = &complaint
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, complaint.String())
	}
	said, at := map[string]string{}, ""
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if word == "path" {
			at = rest
			continue
		}
		if said[at] != "" {
			said[at] += ", "
		}
		said[at] += word + " " + rest
	}
	return said
}

// commonsIP returns the requirements that a package does not meet according to commons-ip. A
// violated MUST is an error.
func commonsIP(t *testing.T, path string) (errors []string) {
	t.Helper()
	reports := t.TempDir()
	cmd := exec.Command("java", "-cp", filepath.Join(peers.Tools(t), "eark", "*"),
		"org.roda_project.commons_ip2.cli.Main", "validate", "-i", path, "-o", reports)
	cmd.Dir = reports // the folder of its log
	said, runErr := cmd.CombinedOutput()
	found, err := filepath.Glob(filepath.Join(reports, "*.json"))
	if err != nil || len(found) != 1 {
		t.Fatalf("commons-ip left no report: %v, %v\n%s", runErr, err, said)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Summary    struct{ Result string }
		Validation []struct {
			ID, Level string
			Testing   struct {
				Outcome string
				Issues  []string
			}
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	for _, v := range report.Validation {
		if v.Level == "MUST" && v.Testing.Outcome == "FAILED" {
			errors = append(errors, v.ID+": "+strings.Join(v.Testing.Issues, "; "))
		}
	}
	if len(errors) == 0 && report.Summary.Result != "VALID" {
		errors = []string{report.Summary.Result}
	}
	return errors
}
