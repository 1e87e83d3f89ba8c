package aip

import (
	"io"
	"strings"
)

// sidecarSize is the size of mets.xml.sha512 in bytes: 128 digits, two spaces, a name, a line feed.
const sidecarSize = int64(128 + 2 + len(METSName) + 1)

// readSidecar reads mets.xml.sha512. Of a longer file it reads just enough to see that it is
// longer.
func readSidecar(r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, sidecarSize+1))
	return string(text), err
}

// judgeSidecar compares the text of mets.xml.sha512 with the SHA-512 of mets.xml, in lower-case
// hexadecimal (clause 1.2).
func judgeSidecar(text, sum string) *breach {
	if text == string(DigestLine(sum)) {
		return nil
	}
	stated, rest, _ := strings.Cut(text, " ")
	if rest != " "+METSName+"\n" || !isSHA512(stated) || stated != strings.ToLower(stated) {
		return breaks(CodeSidecarForm, DigestName,
			"is not one line with a SHA-512 in lower-case hexadecimal, two spaces, %s and a line feed", METSName)
	}
	return breaks(CodeSidecarDigest, METSName, "has SHA-512 %s; %s says %s", sum, DigestName, stated)
}

// isSHA512 reports whether s is a SHA-512 in hexadecimal.
func isSHA512(s string) bool {
	return len(s) == 128 && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}
