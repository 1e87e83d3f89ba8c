package repotest

import (
	"crypto/sha512"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"quire/metadata/mets"
	"quire/preserve/aip"
)

// reason is the reason for restricted files, as pack writes it from a crawler's configuration.
const reason = `<mets:rightsMD ID="RGT-restricted-9"><mets:mdWrap MDTYPE="PREMIS:RIGHTS" MDTYPEVERSION="3.0">` +
	`<mets:xmlData><premis:rights>` +
	`<premis:rightsStatement><premis:rightsStatementIdentifier><premis:rightsStatementIdentifierType>` +
	`local</premis:rightsStatementIdentifierType>` +
	`<premis:rightsStatementIdentifierValue>9</premis:rightsStatementIdentifierValue>` +
	`</premis:rightsStatementIdentifier><premis:rightsBasis>other</premis:rightsBasis>` +
	`<premis:otherRightsInformation><premis:otherRightsBasis>secrets</premis:otherRightsBasis>` +
	`<premis:otherRightsNote>holds passwords</premis:otherRightsNote></premis:otherRightsInformation>` +
	`<premis:rightsGranted><premis:act>disseminate</premis:act><premis:restriction>restricted</premis:restriction>` +
	`</premis:rightsGranted>` +
	`</premis:rightsStatement></premis:rights></mets:xmlData></mets:mdWrap></mets:rightsMD>`

// restrict marks files as restricted in the METS of a package.
func (r *Repository) restrict(dir string, paths []string) {
	r.t.Helper()
	if len(paths) == 0 {
		return
	}
	name := filepath.Join(dir, aip.METSName)
	read, err := os.ReadFile(name)
	if err != nil {
		r.t.Fatal(err)
	}
	text := strings.Replace(string(read), `<mets:digiprovMD`, reason+`<mets:digiprovMD`, 1)
	for _, path := range paths {
		file := regexp.MustCompile(`(<mets:file [^>]*ADMID="[^"]*)("[^>]*>\s*<mets:FLocat [^>]*xlink:href="` +
			regexp.QuoteMeta(mets.Href(path)) + `")`)
		marked := file.ReplaceAllString(text, "$1 RGT-restricted-9$2")
		if marked == text {
			r.t.Fatalf("the METS has no entry for %s", path)
		}
		text = marked
	}
	sum := sha512.Sum512([]byte(text))
	r.Write(name, text)
	r.Write(filepath.Join(dir, aip.DigestName), string(aip.DigestLine(hex.EncodeToString(sum[:]))))
}
