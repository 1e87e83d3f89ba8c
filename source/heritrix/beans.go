package heritrix

import (
	"maps"
	"quire/source/internal/facts"
	"quire/source/internal/xmltree"
	"slices"
	"strings"
)

// beans is a crawler-beans.cxml, the configuration of Heritrix 3. It has Spring beans, and
// overrides of their properties; most operators write their settings as overrides.
type beans struct {
	byID       map[string]*xmltree.Node
	overrides  map[string]string
	overridden map[string][]string // overridden properties of each bean, in order
	file       string
}

// newBeans indexes a configuration.
func newBeans(root *xmltree.Node, file string) *beans {
	b := &beans{map[string]*xmltree.Node{}, map[string]string{}, map[string][]string{}, file}
	root.Each(func(n *xmltree.Node) {
		if n.Name != "bean" {
			return
		}
		if id := n.Attr("id"); id != "" && b.byID[id] == nil {
			b.byID[id] = n
		}
		if isOverrides(n) {
			b.addOverrides(n.Named("properties"))
		}
	})
	for _, key := range slices.Sorted(maps.Keys(b.overrides)) {
		if bean, property, ok := strings.Cut(key, "."); ok {
			b.overridden[bean] = append(b.overridden[bean], property)
		}
	}
	return b
}

func isOverrides(n *xmltree.Node) bool {
	id := n.Attr("id")
	return id == "simpleOverrides" || id == "longerOverrides" ||
		strings.HasSuffix(n.Attr("class"), ".PropertyOverrideConfigurer")
}

// addOverrides reads a property list, as text or as elements. Later entries prevail, as in Spring.
func (b *beans) addOverrides(properties *xmltree.Node) {
	for _, p := range readProperties(xmltree.Text(properties.Child("value"))) {
		b.overrides[p.key] = p.value
	}
	props := properties.Child("props")
	if props == nil {
		return
	}
	for _, prop := range props.Children {
		b.overrides[prop.Attr("key")] = prop.Value()
	}
}

// property returns the value of a bean's property and its source.
func (b *beans) property(bean, name string) (value, source string) {
	key := bean + "." + name
	if v, ok := b.overrides[key]; ok {
		return v, "override " + key + " in " + b.file
	}
	if v := b.plain(b.byID[bean].Named(name)); !isPlaceholder(v) {
		return v, "bean " + bean + ", property " + name + " in " + b.file
	}
	return "", ""
}

// isPlaceholder reports whether a value is one of the placeholders in Heritrix's default profiles,
// which operators should override.
func isPlaceholder(v string) bool { return v == "" || strings.Contains(v, "[see override above]") }

// plain returns the value of a property that is a word, a list of words, or the name of a bean.
func (b *beans) plain(p *xmltree.Node) string {
	switch {
	case p == nil:
		return ""
	case p.Attr("value") != "":
		return p.Attr("value")
	case p.Attr("ref") != "":
		return p.Attr("ref")
	case p.Child("value") != nil:
		return p.Child("value").Value()
	case p.Child("ref") != nil:
		return p.Child("ref").Attr("bean")
	case p.Child("list") != nil:
		return "[" + strings.Join(valuesOf(p.Child("list")), ", ") + "]"
	}
	return ""
}

// readBeans reads the facts about the harvest from the configuration.
func readBeans(f *facts.Facts, root *xmltree.Node, file string) {
	b, about := newBeans(root, file), f.About
	for _, m := range []struct {
		field      *string
		fact, name string
	}{
		{&about.Collection, "collection", "jobName"}, {&about.Note, "note", "description"},
		{&about.Operator, "operator", "operator"}, {&about.Organization, "organization", "organization"},
		{&about.Contact, "contact", "operatorContactUrl"}, {&about.Contact, "contact", "operatorFrom"},
		{&about.Robots, "robots policy", "robotsPolicyName"},
	} {
		value, source := b.property("metadata", m.name)
		f.Set(m.field, m.fact, value, source)
	}
	b.defaults(f)
	root.Each(func(n *xmltree.Node) { // sheets set the policy for some hosts only
		if n.Name == "entry" && n.Attr("key") == "metadata.robotsPolicyName" {
			f.Note("robots policy of some hosts", entryValue(n), "a sheet in "+file)
		}
	})
	for _, name := range []string{"maxBytesDownload", "maxDocumentsDownload", "maxTimeSeconds"} {
		value, source := b.property("crawlLimiter", name)
		f.Limit(name, value, source)
	}
	b.quotas(f, root)
	b.scope(f, b.byID["scope"], "scope", 0)
}

func entryValue(n *xmltree.Node) string {
	if v := n.Attr("value"); v != "" {
		return v
	}
	return xmltree.Text(n.Child("value"))
}

// The defaults of Heritrix 3 (CrawlMetadata).
const (
	defaultRobots = "obey"
	defaultAgent  = "Mozilla/5.0 (compatible; heritrix/@VERSION@ +@OPERATOR_CONTACT_URL@)"
)

// defaults adds the default values, and builds the user agent from its template.
func (b *beans) defaults(f *facts.Facts) {
	if b.byID["metadata"] == nil {
		return
	}
	unset := "Heritrix's default: metadata has no %s in " + b.file
	if f.About.Robots == "" {
		f.Set(&f.About.Robots, "robots policy", defaultRobots, strings.Replace(unset, "%s", "robotsPolicyName", 1))
	}
	template, source := b.property("metadata", "userAgentTemplate")
	if template == "" {
		template, source = defaultAgent, strings.Replace(unset, "%s", "userAgentTemplate", 1)
	}
	contact, _ := b.property("metadata", "operatorContactUrl")
	agent := strings.ReplaceAll(template, "@OPERATOR_CONTACT_URL@", contact)
	if _, version, ok := strings.Cut(f.About.Software, "/"); ok { // "Heritrix/3.2.0 http://crawler.archive.org"
		version, _, _ = strings.Cut(version, " ")
		agent = strings.ReplaceAll(agent, "@VERSION@", version)
	}
	f.Set(&f.About.UserAgent, "user agent", agent, source)
}

// quotas reads the limits of hosts, servers and groups; -1 means no limit.
func (b *beans) quotas(f *facts.Facts, root *xmltree.Node) {
	root.Each(func(n *xmltree.Node) {
		if !strings.HasSuffix(n.Attr("class"), ".QuotaEnforcer") {
			return
		}
		for _, p := range n.Children {
			name := p.Attr("name")
			value, source := b.plain(p), "bean "+n.Attr("id")+", property "+name+" in "+b.file
			if v, ok := b.overrides[n.Attr("id")+"."+name]; ok {
				value, source = v, "override "+n.Attr("id")+"."+name+" in "+b.file
			}
			if strings.Contains(name, "Max") && value != "-1" {
				f.Limit(name, value, source)
			}
		}
	})
}

// maxRuleDepth bounds the nesting of rule sequences, which may refer to themselves.
const maxRuleDepth = 8

// scope lists a rule and its nested rules, in their order: the last decision prevails.
func (b *beans) scope(f *facts.Facts, n *xmltree.Node, name string, depth int) {
	source := "bean scope in " + b.file
	if n == nil || depth > maxRuleDepth || !f.Spend(1+n.Weight, source) {
		return
	}
	var line strings.Builder
	line.WriteString(name + ": " + n.Attr("class"))
	id := n.Attr("id")
	var rules *xmltree.Node
	for _, p := range n.Children {
		key := p.Attr("name")
		if key == "rules" {
			rules = p.Child("list")
			continue
		}
		value := b.plain(p)
		if _, ok := b.overrides[id+"."+key]; !ok && value != "" {
			line.WriteString(" " + key + "=" + value)
		}
	}
	for _, property := range b.overridden[id] {
		line.WriteString(" " + property + "=" + b.overrides[id+"."+property])
	}
	f.Rule(line.String(), source)
	if rules == nil {
		return
	}
	for _, r := range rules.Children {
		id := r.Attr("id")
		if r.Name == "ref" {
			id = r.Attr("bean")
			r = b.byID[id]
		}
		b.scope(f, r, strings.TrimSuffix(name+"/"+id, "/"), depth+1)
	}
}

// seeds returns the seeds in the configuration itself, or else the file that holds them.
func (b *beans) seeds() (text, file, source string) {
	if v, ok := b.overrides["seeds.textSource.value"]; ok {
		return v, "", "override seeds.textSource.value in " + b.file
	}
	inner := b.byID["seeds"].Named("textSource").Child("bean")
	if v := b.plain(inner.Named("value")); !isPlaceholder(v) {
		return v, "", "bean seeds in " + b.file
	}
	return "", b.plain(inner.Named("path")), "bean seeds in " + b.file
}
