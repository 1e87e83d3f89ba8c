//go:build interop

package containermd

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/metadata/containermd"
	"quire/metadata/xmlstream"
)

// The four modes, each with the schemas of its version. The mode with an entry per record includes
// the format of each.
var modes = []struct {
	version, driver string
	verbose         bool
}{
	{"1.2", "mets-all.xsd", false},
	{"1.2", "mets-all.xsd", true},
	{"1.1", "mets-all-legacy.xsd", false},
	{"1.1", "mets-all-legacy.xsd", true},
}

// fewest is the minimum number of sample containers. A search without results must not pass.
const fewest = 300

func TestSamplesAreDescribedValidly(t *testing.T) {
	quire, samples, schemas := built(t), testsamples.Path(t, "samples"), testsamples.Path(t, "schemas")
	for _, mode := range modes {
		t.Run(fmt.Sprintf("%s verbose=%t", mode.version, mode.verbose), func(t *testing.T) {
			out := t.TempDir()
			describe(t, quire, "--containermd-version", mode.version, fmt.Sprintf("--verbose=%t", mode.verbose),
				fmt.Sprintf("--identify=%t", mode.verbose), "--out", out, samples)
			documents := found(t, out)
			if len(documents) < fewest {
				t.Fatalf("only %d documents were written", len(documents))
			}
			judge(t, schemas, mode.driver, documents)
			entries := int64(0)
			for _, document := range documents {
				entries += readBack(t, document, mode.verbose)
			}
			t.Logf("%d documents, %d entries", len(documents), entries)
		})
	}
}

// describe runs quire. Invalid samples are not a failure.
func describe(t *testing.T, quire string, args ...string) {
	t.Helper()
	cmd := exec.Command(quire, append([]string{"inspect", "--format", "containermd"}, args...)...)
	said, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("%s: %v\n%s", cmd, err, said)
	}
}

func found(t *testing.T, folder string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// judge validates all documents with one offline call of xmllint.
func judge(t *testing.T, schemas, driver string, documents []string) {
	t.Helper()
	cmd := exec.Command("xmllint",
		append([]string{"--nonet", "--noout", "--huge", "--schema", filepath.Join(schemas, "drivers", driver)},
			documents...)...)
	cmd.Env = append(os.Environ(), "XML_CATALOG_FILES="+filepath.Join(schemas, "catalog.xml"))
	said, err := cmd.CombinedOutput()
	valid := bytes.Count(said, []byte(" validates\n"))
	if err == nil && valid == len(documents) {
		return
	}
	t.Errorf("xmllint: %d of %d documents are valid: %v", valid, len(documents), err)
	for line := range strings.Lines(string(said)) {
		if !strings.HasSuffix(line, " validates\n") && !strings.Contains(line, "parser warning") {
			t.Log(strings.TrimSpace(line))
		}
	}
}

// readBack reads a document and returns the number of its entries: with verbose, the number in the
// sums; otherwise none.
func readBack(t *testing.T, document string, verbose bool) int64 {
	t.Helper()
	f, err := os.Open(document)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // read only
	r := xmlstream.NewReader(f, xmlstream.Limits{})
	r.OnUnknown = func(path string) { t.Errorf("%s: our reader does not know %s", document, path) }
	entries := int64(0)
	_, err = r.Root()
	var md containermd.ContainerMD
	if err == nil {
		md, err = containermd.Read(r, containermd.ReadOptions{Entry: func(containermd.Entry) error {
			entries++
			return nil
		}})
	}
	if err == nil {
		err = r.Finish()
	}
	switch {
	case err != nil:
		t.Errorf("%s: %v", document, err)
	case md.Information == nil || md.Container.OriginalName == "":
		t.Errorf("%s says too little: %+v", document, md)
	case verbose && entries != md.Information.Number, !verbose && entries != 0:
		t.Errorf("%s: %d entries of %d", document, entries, md.Information.Number)
	}
	return entries
}

// built returns the path of the binary of interop/run.
func built(t *testing.T) string {
	t.Helper()
	binary, err := filepath.Abs("../../build/quire")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(binary); err != nil {
		t.Fatalf("quire is not built; run these tests with `bash interop/run containermd`: %v", err)
	}
	return binary
}
