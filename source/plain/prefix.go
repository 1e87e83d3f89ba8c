package plain

import (
	"fmt"
	"net/url"
	"strings"
)

// parsePrefix parses the base URL of a folder, and ends it with a slash.
func parsePrefix(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return "", fmt.Errorf("the URL of the folder, %q, is invalid: %w", s, err)
	case u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "ftp" || u.Host == "":
		return "",
			fmt.Errorf("the URL of the folder, %q, is not absolute: add scheme and host, as in "+
				"http://www.example.org/", s)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.HasSuffix(s, "#"):
		return "", fmt.Errorf("the URL of the folder, %q, has a query or a fragment; remove it", s)
	case u.User != nil:
		return "", fmt.Errorf("the URL of the folder has a user name; remove it")
	}
	return strings.TrimSuffix(s, "/") + "/", nil
}

// inPath are the bytes that need no escaping in the path of a URL (RFC 3986, 3.3), in addition to
// letters and digits.
const inPath = "-._~!$&'()*+,;=:@/"

// escape escapes a file path for a URL. It escapes all other bytes, including the percent sign,
// because a file name is not a URL yet.
func escape(p string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(p) {
		c := p[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(inPath, c) >= 0 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}
