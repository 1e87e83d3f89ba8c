package heritrix

import (
	"path"
	"quire/source/internal/facts"
	"strings"
)

// readOrder takes from an order.xml, the configuration of Heritrix 1, what it says of the harvest.
func readOrder(f *facts.Facts, root *node, file string) {
	about, meta, controller := f.About, root.child("meta"), root.child("controller")
	at := func(place string) string { return place + " in " + file }
	for _, m := range []struct {
		field      *string
		fact, name string
	}{
		{&about.Collection, "collection", "name"}, {&about.Note, "note", "description"},
		{&about.Operator, "operator", "operator"}, {&about.Organization, "organization", "organization"},
	} {
		f.Tell(m.field, m.fact, textOf(meta.child(m.name)), at("meta/"+m.name))
	}
	// The date is often that of the template, years before the crawl: it dates the configuration and nothing else.
	f.Note("configuration date", textOf(meta.child("date")), at("meta/date"))
	headers := controller.named("http-headers")
	f.Tell(&about.Contact, "contact", textOf(headers.named("from")), at("http-headers/from"))
	agent := textOf(headers.named("user-agent"))
	f.Tell(&about.UserAgent, "user agent", agent, at("http-headers/user-agent"))
	f.Tell(&about.Software, "software", softwareOf(agent), at("the user agent, which may be that of a template,"))
	readRobots(f, root, file)
	for _, name := range []string{"max-bytes-download", "max-document-download", "max-time-sec"} {
		f.Limit(name, textOf(controller.named(name)), at("controller/"+name))
	}
	root.each(func(n *node) {
		if strings.HasSuffix(n.attr("class"), ".QuotaEnforcer") {
			orderQuotas(f, n, file)
		}
	})
	orderScope(f, controller.named("scope"), "scope", at("controller/scope"))
}

// readRobots reads the policy, of the order itself or of a host's settings.xml.
func readRobots(f *facts.Facts, root *node, file string) {
	root.each(func(n *node) {
		if n.attr("name") == "robots-honoring-policy" {
			f.Tell(&f.About.Robots, "robots policy", textOf(n.named("type")), "robots-honoring-policy/type in "+file)
		}
	})
}

// orderQuotas reads the limits of hosts, servers and groups; -1 stands for none.
func orderQuotas(f *facts.Facts, n *node, file string) {
	for _, c := range n.children {
		if v := c.value(); strings.Contains(c.attr("name"), "-max-") && v != "-1" {
			f.Limit(c.attr("name"), v, n.attr("name")+" in "+file)
		}
	}
}

// orderScope lists an object of the scope and those within it, each on a line: filters, or the rules of a DecidingScope, in
// their order, which decides.
func orderScope(f *facts.Facts, n *node, name, source string) {
	if n == nil {
		return
	}
	var line strings.Builder
	line.WriteString(name + ": " + n.attr("class"))
	var within []*node
	for _, c := range n.children {
		switch {
		case c.name == "newObject" || c.name == "map":
			within = append(within, c)
		case c.name == "stringList" || c.name == "list":
			line.WriteString(" " + c.attr("name") + "=[" + strings.Join(valuesOf(c), ", ") + "]")
		case c.value() != "":
			line.WriteString(" " + c.attr("name") + "=" + c.value())
		}
	}
	if n.attr("class") != "" {
		f.Rule(line.String(), source)
	}
	for _, c := range within {
		orderScope(f, c, path.Join(name, c.attr("name")), source)
	}
}

func valuesOf(n *node) []string {
	var all []string
	for _, c := range n.children {
		all = append(all, c.value())
	}
	return all
}

// softwareOf takes the crawler's name and version out of a user agent: "heritrix/1.14.4".
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
