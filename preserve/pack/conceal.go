package pack

import (
	"regexp"
	"strings"
)

// userInfo matches a name and a password in a URL.
var userInfo = regexp.MustCompile(`(://[^\s/@":?#]+):[^\s/@"?#]+@`)

// conceal replaces passwords in URLs by a mark: the METS is read by more people than the file that
// has the password.
func conceal(s string) string {
	if !strings.ContainsRune(s, '@') {
		return s
	}
	return userInfo.ReplaceAllString(s, "${1}:…@")
}
