package migrate

import (
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/clamdtest"
	"quire/preserve/aip"
	"quire/preserve/antivirus"
	"quire/preserve/pack"
)

// TestRestrictionsGoOn: conversions of a restricted container are restricted as it is, with their
// index and their METS.
func TestRestrictionsGoOn(t *testing.T) {
	for _, form := range []pack.METSForm{pack.InDocuments, pack.Single} {
		pkg := packed(t, pack.Options{METS: form}, false)
		name := filepath.Join(pkg, aip.METSName)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		const rights = `<mets:amdSec ID="RGT-restricted-1"><mets:rightsMD ID="RGT-restricted-1-rights">` +
			`<mets:mdWrap MDTYPE="OTHER">` +
			`<mets:xmlData><x/></mets:xmlData></mets:mdWrap></mets:rightsMD></mets:amdSec>`
		edited := strings.Replace(string(text), "<mets:fileSec>", rights+"<mets:fileSec>", 1)
		edited = strings.Replace(edited, `ADMID="AMD-c1"`, `ADMID="AMD-c1 RGT-restricted-1"`, 1)
		sum := sha512.Sum512([]byte(edited))
		for file, content := range map[string][]byte{name: []byte(edited),
			filepath.Join(pkg, aip.DigestName): aip.DigestLine(hex.EncodeToString(sum[:]))} {
			if err := os.WriteFile(file, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, out, err := run(t, pkg, "gif-to-png", Options{})
		if err != nil {
			t.Fatal(err)
		}
		e := read(t, out)
		ids := []string{"FILE-c3", "FILE-i3"}
		if form == pack.InDocuments {
			ids = append(ids, "FILE-m3")
		}
		for _, id := range ids {
			if !strings.Contains(strings.Join(e.files[id].AdmID, " "), "RGT-restricted-1") {
				t.Errorf("%q: %s is open: %v", form, id, e.files[id].AdmID)
			}
		}
	}
}

// TestInfectedStays: an infected bytestream is not converted, because nothing has scanned the result.
func TestInfectedStays(t *testing.T) {
	clamd := clamdtest.Start(t, clamdtest.Options{Answer: func(b []byte) string {
		if strings.Contains(string(b), "GIF8") {
			return "stream: Test FOUND"
		}
		return "stream: OK"
	}})
	scanner, err := antivirus.New(clamd.Address, antivirus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := run(t, packed(t, pack.Options{Scan: scanner}, false), "gif-to-png", Options{})
	if !errors.Is(err, ErrNothing) && err != nil {
		t.Fatal(err)
	}
	if r == nil || r.Left[leftInfected] == 0 || r.Converted > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
