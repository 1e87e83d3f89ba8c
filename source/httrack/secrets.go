package httrack

import (
	"io"
	"regexp"
	"strings"

	"quire/internal/secret"
	"quire/model"
	"quire/source"
)

// userInfo matches the part before the host in a URL.
var userInfo = regexp.MustCompile(`^((?:\w+://)?)[^/?#]*@`)

// withoutUser removes the user information: it is not part of the resource, and may be a secret.
func withoutUser(url string) string {
	if !strings.ContainsRune(url, '@') {
		return url
	}
	return userInfo.ReplaceAllString(url, "$1")
}

// restrict marks a file as not public. It does not repeat the secret.
func (m *Mirror) restrict(path, what string, offset int64) {
	if m.secrets[path] != "" {
		return
	}
	m.secrets[path] = what
	m.findings.add(source.CodeSecret, model.Warning, path, offset, "it holds %s", what)
}

// watch looks for a password in a URL of a file.
func (m *Mirror) watch(path, url string) {
	if !strings.ContainsRune(url, '@') {
		return
	}
	full, _ := withScheme(url)
	if secret.InURL([]byte(full)) {
		m.restrict(path, "a password in a URL", 0)
	}
}

// searchText searches the arguments and messages of a text for passwords.
func (m *Mirror) searchText(path string, in io.Reader) error {
	at, found, err := secret.Text(in)
	if found {
		m.restrict(path, "a password in a URL", at)
	}
	return err
}

// searchCookies looks for cookies in a cookie file.
func (m *Mirror) searchCookies(path string, in io.Reader) error {
	at, found, err := secret.Cookies(in)
	if found {
		m.restrict(path, "cookies", at)
	}
	return err
}
