package address

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"

	"quire/format/weburl"
)

// wildcard marks, in the URL of a replay host, the label that differs for each archived site:
// https://*.replay.example.
const wildcard = "://*."

// Wildcard reports whether each archived site has a host of its own.
func (r Replay) Wildcard() bool { return strings.Contains(string(r), wildcard) }

// anySite is the label of addresses that belong to no site. Labels of sites are longer.
const anySite = "any"

// For returns the replay host of an archived URL: r itself, or the host of the URL's site.
func (r Replay) For(in In, archived string) Replay {
	return r.labelled(func() string { return Label(in, archived) })
}

func (r Replay) labelled(label func() string) Replay {
	before, behind, ok := strings.Cut(string(r), wildcard)
	if !ok {
		return r
	}
	return Replay(before + "://" + label() + "." + behind)
}

// Origin returns r without its path, in the form of a content security policy (CSP Level 3, 2.3.1,
// host-source).
func (r Replay) Origin() string {
	scheme, rest, ok := strings.Cut(string(r), "://")
	if !ok {
		return ""
	}
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}

// Serves reports whether r includes the host named by a request. A wildcard matches exactly one
// label.
func (r Replay) Serves(host string) bool {
	_, own, _ := strings.Cut(r.Origin(), "://")
	own, many := strings.CutPrefix(own, "*.")
	host = strings.ToLower(host)
	if !many {
		return host == own && own != ""
	}
	label, behind, ok := strings.Cut(host, ".")
	return ok && behind == own && isLabel(label)
}

// Parent returns the parent domain of a wildcard's hosts, with its port; "" without a wildcard.
func (r Replay) Parent() string {
	_, own, _ := strings.Cut(r.Origin(), "://")
	own, many := strings.CutPrefix(own, "*.")
	if !many {
		return ""
	}
	return own
}

// Lengths of the parts of a label: at most 63 bytes in total (RFC 1035, 2.3.4).
const (
	maxLabel  = 63
	digits    = 20
	maxLegend = maxLabel - digits - 1
)

func isLabel(s string) bool {
	return s != "" && len(s) <= maxLabel && strings.Trim(s, alphabet) == ""
}

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789-"

// Label returns the label of the host on which an archived URL is replayed. It begins with the
// host's name, for readers, and ends with a digest of the URL's origin (scheme, host and port). A
// URL with a capability gets another label, so restricted captures and open captures have different
// origins.
//
//	https://www.example.org   www-example-org-54c744918fc9a1b26845
func Label(in In, archived string) string {
	origin, host := originOf(archived)
	kind := "open"
	if in.Capability != "" {
		kind = "restricted"
	}
	sum := sha256.Sum256([]byte(origin + " " + kind))
	return legend(host) + hex.EncodeToString(sum[:])[:digits]
}

// legend returns the beginning of a label: the letters, digits and single hyphens of a host, and a
// hyphen. Two hyphens could turn "xn--" into an A-label (RFC 5890, 2.3.2.1), which browsers decode.
func legend(host string) string {
	words := strings.FieldsFunc(host, func(r rune) bool { return !strings.ContainsRune(alphabet[:36], r) })
	name := strings.Join(words, "-")
	name = strings.TrimRight(name[:min(len(name), maxLegend)], "-")
	if name == "" {
		return "h-"
	}
	return name + "-"
}

// originOf returns the origin of an archived URL in the serialization of the HTML Standard (7.1.1).
// A URL without a host is its own origin.
func originOf(archived string) (origin, host string) {
	u, err := weburl.Parse(archived, nil, nil)
	if err != nil || u.Host == "" {
		return archived, ""
	}
	origin = u.Scheme + "://" + u.Host
	if u.Port != "" {
		origin += ":" + u.Port
	}
	return origin, u.Host
}

// Sound reports whether an asterisk in the URL of a host, if present, is the whole first label of a
// name.
func Sound(base string) bool {
	u, err := url.Parse(base)
	if err != nil || !strings.Contains(u.Host, "*") {
		return err == nil
	}
	parent, ok := strings.CutPrefix(strings.ToLower(u.Hostname()), "*.")
	return ok && hasLabels(parent) && strings.Trim(parent, "0123456789.") != ""
}

// hasLabels reports whether a name consists of labels.
func hasLabels(name string) bool {
	for label := range strings.SplitSeq(name, ".") {
		if !isLabel(label) {
			return false
		}
	}
	return true
}
