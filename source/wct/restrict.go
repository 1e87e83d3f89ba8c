package wct

import (
	"regexp"
	"strings"

	"quire/source/internal/facts"
	"quire/source/internal/xmltree"
)

// restrict marks the confidential parts of the METS: the vCard of the owner, e-mail addresses,
// passwords in notes. It does not repeat them.
func (d *document) restrict(f *facts.Facts) {
	if d.unread {
		f.Restrict(d.path, 0, "could not be read, and may name persons")
		return
	}
	card, mail := int64(-1), int64(-1)
	d.root.Each(func(n *xmltree.Node) {
		value := n.Value()
		switch {
		case value == "" || within(n, "ORG"):
		case within(n, "VCard") && n.Name != "ORG" && n.Name != "URL" && n.Name != "LOGO":
			card = first(card, n.Offset)
		case address.MatchString(value):
			mail = first(mail, n.Offset)
		}
		if n.Name == "ProfileNote" && speaksOfLogin(value) {
			f.Restrict(d.path, n.Offset, "the profile note speaks of how somebody logs in")
		}
	})
	if card >= 0 {
		f.Personal(d.path, card, "holds a vCard: name, e-mail address and login of the owner")
	}
	if mail >= 0 {
		f.Personal(d.path, mail, "holds e-mail addresses in its notes")
	}
	if d.partly {
		f.Personal(d.path, 0, "could not be read to its end, and may name persons there")
	}
}

func first(at, offset int64) int64 {
	if at < 0 {
		return offset
	}
	return at
}

var (
	address = regexp.MustCompile(`[\w.+-]+@[\w-]+\.[\w.]+`)
	login   = regexp.MustCompile(`(?i)\b(passwords?|passwd|pwd|credentials?|log-?in|pass)\s*(is|[:=/])|passwor` +
		`d|credential`)
)

// speaksOfLogin reports whether a note may contain a password.
func speaksOfLogin(note string) bool { return strings.TrimSpace(note) != "" && login.MatchString(note) }
