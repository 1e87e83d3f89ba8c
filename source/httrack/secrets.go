package httrack

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"

	"quire/model"
	"quire/source"
)

// inURL finds a name and a password: in a URL, or behind -P, the option for a proxy.
var inURL = regexp.MustCompile(`((?:://|(?:^|[\s(])-P\s*)[^\s/@":?#]+):[^\s/@"?#]+@`)

// conceal puts a mark in the place of passwords, for what is told outside the restricted file.
func conceal(s string) string {
	if !strings.ContainsRune(s, '@') {
		return s
	}
	return inURL.ReplaceAllString(s, "${1}:…@")
}

// restrict says that a file must not be shown to everyone. The secret itself is not repeated.
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
	if inURL.MatchString(full) {
		m.restrict(path, "a password in a URL", 0)
	}
}

// searchText looks for passwords in the arguments and messages of a text.
func (m *Mirror) searchText(path string, in io.Reader) error {
	l := newLines(in)
	for {
		if err := l.next(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if bytes.IndexByte(l.Text, '@') >= 0 && inURL.Match(l.Text) {
			m.restrict(path, "a password in a URL", l.Offset)
			return nil
		}
	}
}

// searchCookies says whether a cookie file (Netscape's format: seven columns) holds any.
func (m *Mirror) searchCookies(path string, in io.Reader) error {
	l := newLines(in)
	for {
		if err := l.next(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if !bytes.HasPrefix(l.Text, []byte("# ")) && bytes.Count(l.Text, []byte("\t")) >= 6 {
			m.restrict(path, "cookies", l.Offset)
			return nil
		}
	}
}
