package heritrix

import (
	"bytes"
	"context"
	"path"
	"quire/source/internal/facts"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/source/internal/xmltree"
)

// secretsIn finds the places of a configuration where a password or a credential stands: in the
// credential store, and in every setting whose name speaks of a password. What it is, is not told.
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

// maxPlaces bounds the places that are named.
const maxPlaces = 10

func speaksOfPassword(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "password") || strings.Contains(name, "passwd") ||
		strings.Contains(name, "passphrase")
}

// holdsValue says whether a setting has a value of its own, as text, attribute or element.
func holdsValue(n *xmltree.Node) bool {
	return n.Value() != "" || n.Attr("value") != "" || xmltree.Text(n.Child("value")) != ""
}

// restrictSecrets marks a configuration that holds secrets.
func restrictSecrets(f *facts.Facts, root *xmltree.Node, file string) {
	if places := secretsIn(root); places != nil {
		f.Restrict(file, 0, "holds passwords or credentials in plain text: "+strings.Join(places, ", "))
	}
}

// restrictUnread marks a configuration that could not be understood when it speaks of passwords:
// nobody can say what is in it.
func restrictUnread(f *facts.Facts, content []byte, file string) {
	if speaksOfPassword(string(content)) || bytes.Contains(content, []byte("redential")) {
		f.Restrict(file, 0, "could not be read, and speaks of passwords or credentials")
	}
}

// restrictFiles marks the files that are known to hold secrets whatever the crawl: what the crawler
// printed when it started, which has login and password of its console; keys; cookies, which open
// somebody's session.
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
