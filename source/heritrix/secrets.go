package heritrix

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/source/internal/facts"
	"quire/source/internal/xmltree"
)

// secretsIn finds the places of passwords and credentials in a configuration: the credential store,
// and every setting with a name that mentions a password. It returns only the places, not the
// values.
func secretsIn(root *xmltree.Node) []string {
	var places []string
	add := func(place string) {
		if !slices.Contains(places, place) && len(places) < maxPlaces {
			places = append(places, place)
		}
	}
	root.Each(func(n *xmltree.Node) {
		name := n.Attr("name") + n.Attr("key")
		class := n.Attr("class")
		switch {
		case n.Attr("name") == "credential-store": // Heritrix 1
			for _, c := range n.Named("credentials").All() {
				add("credential-store/" + c.Attr("name"))
			}
		case strings.Contains(class, ".credential.") && !strings.HasSuffix(class, ".CredentialStore"): // Heritrix 3
			add("a bean of class " + class)
		case speaksOfPassword(name) && holdsValue(n):
			add(name)
		case n.Name == "bean" && isOverrides(n):
			for _, p := range readProperties(xmltree.Text(n.Named("properties").Child("value"))) {
				if speaksOfPassword(p.key) && p.value != "" {
					add(p.key)
				}
			}
		}
	})
	return places
}

// maxPlaces bounds the listed places.
const maxPlaces = 10

func speaksOfPassword(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "password") || strings.Contains(name, "passwd") ||
		strings.Contains(name, "passphrase")
}

// holdsValue reports whether a setting has its own value, as text, attribute or element.
func holdsValue(n *xmltree.Node) bool {
	return n.Value() != "" || n.Attr("value") != "" || xmltree.Text(n.Child("value")) != ""
}

// restrictSecrets marks a configuration that holds secrets.
func restrictSecrets(f *facts.Facts, root *xmltree.Node, file string) {
	if places := secretsIn(root); places != nil {
		f.Restrict(file, 0, "holds passwords or credentials in plain text: "+strings.Join(places, ", "))
	}
}

// restrictUnread marks an unreadable configuration that mentions passwords: it may contain secrets.
func restrictUnread(f *facts.Facts, content []byte, file string) {
	if speaksOfPassword(string(content)) || bytes.Contains(content, []byte("redential")) {
		f.Restrict(file, 0, "could not be read, and speaks of passwords or credentials")
	}
}

// restrictFiles marks the files that hold secrets in every crawl: the start output of the crawler
// with login and password of its console; keys; cookies, which can open a session.
func restrictFiles(ctx context.Context, t *archivefs.Tree, f *facts.Facts) error {
	for _, file := range slices.Clone(f.About.Files) {
		base := path.Base(file.Path)
		switch {
		case base == "heritrix_dmesg.log" || base == "heritrix.out" || strings.HasPrefix(base, "heritrix_out"):
			at := int64(-1)
			err := fileLines(ctx, t, file.Path, func(line string, offset int64) bool {
				if speaksOfPassword(line) {
					at = offset
				}
				return at < 0
			})
			if err != nil {
				return err
			}
			if at >= 0 {
				f.Restrict(file.Path, at,
					"has a line that speaks of a password: Heritrix prints there how its console is entered")
			}
		case strings.HasSuffix(base, ".keystore") || strings.HasSuffix(base, ".jks"):
			f.Restrict(file.Path, 0, "is a store of private keys")
		case base == "cookies.txt" && file.Size > 0:
			f.Restrict(file.Path, 0, "holds cookies, which may open somebody's session")
		}
	}
	return nil
}
