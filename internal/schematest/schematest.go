// Package schematest checks, in tests, that the output of the metadata packages is valid. It uses
// the XSDs in the folder next to the project, with a validator in Go and, if installed, libxml2's
// xmllint. It follows standards.md, section 0. METS validates its payloads laxly. So a payload is
// checked only if its schema is in the same set of schemas as METS. drivers/mets-all.xsd is such a
// set.
package schematest

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/jacoelho/xsd"
)

// engines holds the schemas compiled so far, by driver: compiling takes longer than validating.
var engines = struct {
	sync.Mutex
	byDriver map[string]*xsd.Engine
}{byDriver: map[string]*xsd.Engine{}}

// Valid fails the test unless doc is valid against the driver schema in both validators; xmllint
// may be missing.
func Valid(t *testing.T, driver string, doc []byte) {
	t.Helper()
	if err := InGo(driver, doc); err != nil {
		t.Errorf("jacoelho/xsd: %v\n%s", err, excerpt(doc))
	}
	if err := xmllint(t, driver, doc); err != nil {
		t.Errorf("xmllint: %v\n%s", err, excerpt(doc))
	}
}

// InGo validates doc against the driver schema.
func InGo(driver string, doc []byte) error {
	engine, err := compiled(driver)
	if err != nil {
		return err
	}
	return engine.Validate(context.Background(), bytes.NewReader(doc))
}

func compiled(driver string) (*xsd.Engine, error) {
	engines.Lock()
	defer engines.Unlock()
	if engine, ok := engines.byDriver[driver]; ok {
		return engine, nil
	}
	c, err := readCatalog(filepath.Join(filepath.Dir(driver), "..", "catalog.xml"))
	if err != nil {
		return nil, err
	}
	engine, err := xsd.Compile(context.Background(), xsd.File(driver).WithResolver(c))
	if err != nil {
		return nil, err
	}
	engines.byDriver[driver] = engine
	return engine, nil
}

// xmllint validates doc with libxml2. The error contains its messages.
func xmllint(t *testing.T, driver string, doc []byte) error {
	t.Helper()
	tool, missing := exec.LookPath("xmllint")
	if missing != nil {
		t.Log("xmllint is not installed: only the Go validator was used")
		return nil //nolint:nilerr // a second opinion that is not to be had is no failure
	}
	file := filepath.Join(t.TempDir(), "doc.xml")
	if err := os.WriteFile(file, doc, 0o600); err != nil {
		return err
	}
	cmd := exec.Command(tool, "--nonet", "--noout", "--huge", "--schema", driver, file)
	catalog := filepath.Join(filepath.Dir(driver), "..", "catalog.xml")
	cmd.Env = append(os.Environ(), "XML_CATALOG_FILES="+catalog)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return &xmllintError{err, out}
	}
	return nil
}

type xmllintError struct {
	err error
	out []byte
}

func (e *xmllintError) Error() string { return e.err.Error() + "\n" + string(e.out) }

func (e *xmllintError) Unwrap() error { return e.err }

// excerpt shortens doc to keep failure messages readable.
func excerpt(doc []byte) []byte {
	const most = 4 << 10
	if len(doc) > most {
		return append(doc[:most:most], "…"...)
	}
	return doc
}
