package heritrix

import (
	"path"
	"quire/source"
	"quire/source/internal/facts"
	"quire/source/internal/xmltree"
	"strings"
)

// readOrder reads the facts about the harvest from an order.xml, the configuration of Heritrix 1.
func readOrder(f *facts.Facts, root *xmltree.Node, file string) {
	about, meta, controller := f.About, root.Child("meta"), root.Child("controller")
	at := func(place string) string { return place + " in " + file }
	for _, m := range []struct {
		field      *string
		fact, name string
	}{
		{&about.Collection, "collection", "name"}, {&about.Note, "note", "description"},
		{&about.Operator, "operator", "operator"}, {&about.Organization, "organization", "organization"},
	} {
		f.Set(m.field, m.fact, xmltree.Text(meta.Child(m.name)), at("meta/"+m.name))
	}
	// This date is often the date of the template, years before the crawl. So it dates only the
	// configuration.
	f.Note("configuration date", xmltree.Text(meta.Child("date")), at("meta/date"))
	headers := controller.Named("http-headers")
	f.Set(&about.Contact, "contact", xmltree.Text(headers.Named("from")), at("http-headers/from"))
	agent := xmltree.Text(headers.Named("user-agent"))
	f.Set(&about.UserAgent, "user agent", agent, at("http-headers/user-agent"))
	f.Set(&about.Software, "software", softwareOf(agent), at(source.FromUserAgent))
	readRobots(f, root, file)
	for _, name := range []string{"max-bytes-download", "max-document-download", "max-time-sec"} {
		f.Limit(name, xmltree.Text(controller.Named(name)), at("controller/"+name))
	}
	root.Each(func(n *xmltree.Node) {
		if strings.HasSuffix(n.Attr("class"), ".QuotaEnforcer") {
			orderQuotas(f, n, file)
		}
	})
	orderScope(f, controller.Named("scope"), "scope", at("controller/scope"))
}

// readRobots reads the policy from the order itself or from a host's settings.xml.
func readRobots(f *facts.Facts, root *xmltree.Node, file string) {
	root.Each(func(n *xmltree.Node) {
		if n.Attr("name") == "robots-honoring-policy" {
			f.Set(&f.About.Robots, "robots policy", xmltree.Text(n.Named("type")),
				"robots-honoring-policy/type in "+file)
		}
	})
}

// orderQuotas reads the limits of hosts, servers and groups; -1 means no limit.
func orderQuotas(f *facts.Facts, n *xmltree.Node, file string) {
	for _, c := range n.Children {
		if v := c.Value(); strings.Contains(c.Attr("name"), "-max-") && v != "-1" {
			f.Limit(c.Attr("name"), v, n.Attr("name")+" in "+file)
		}
	}
}

// orderScope lists an object of the scope and its nested objects, one per line: filters, or the
// rules of a DecidingScope. The order is kept, because it decides.
func orderScope(f *facts.Facts, n *xmltree.Node, name, source string) {
	if n == nil {
		return
	}
	var line strings.Builder
	line.WriteString(name + ": " + n.Attr("class"))
	var within []*xmltree.Node
	for _, c := range n.Children {
		switch {
		case c.Name == "newObject" || c.Name == "map":
			within = append(within, c)
		case c.Name == "stringList" || c.Name == "list":
			line.WriteString(" " + c.Attr("name") + "=[" + strings.Join(valuesOf(c), ", ") + "]")
		case c.Value() != "":
			line.WriteString(" " + c.Attr("name") + "=" + c.Value())
		}
	}
	if n.Attr("class") != "" {
		f.Rule(line.String(), source)
	}
	for _, c := range within {
		orderScope(f, c, path.Join(name, c.Attr("name")), source)
	}
}

func valuesOf(n *xmltree.Node) []string {
	var all []string
	for _, c := range n.Children {
		all = append(all, c.Value())
	}
	return all
}

// softwareOf returns the crawler's name and version from a user agent: "heritrix/1.14.4".
func softwareOf(agent string) string {
	i := strings.Index(strings.ToLower(agent), "heritrix/")
	if i < 0 {
		return ""
	}
	word := agent[i:]
	if end := strings.IndexAny(word, " \t\r\n;)"); end >= 0 {
		word = word[:end]
	}
	if strings.Contains(word, "@") { // a template: "heritrix/@VERSION@"
		return ""
	}
	return word
}
