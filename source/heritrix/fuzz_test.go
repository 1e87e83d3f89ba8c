package heritrix

import (
	"strings"
	"testing"

	"quire/model"
	"quire/source/internal/facts"
	"quire/source/internal/xmltree"
)

// FuzzConfiguration reads any bytes as each kind of configuration, as seeds and as the events of a
// crawl.
func FuzzConfiguration(f *testing.F) {
	f.Add(order)
	f.Add(cxml)
	f.Add("20121219193839 CRAWL ENDED - Finished\n+http://(dk,\nwww.kb.dk\n")
	f.Fuzz(func(t *testing.T, text string) {
		var about model.Harvest
		f := facts.New(&about)
		for line := range strings.SplitSeq(text, "\n") {
			addSeed(f, line, "seeds.txt")
			if e, ok := parseEvent(line); ok && e.time.IsZero() && !strings.HasPrefix(line, "0001") {
				t.Errorf("%q is an event without time", line)
			}
		}
		if root, err := xmltree.Parse(strings.NewReader(text)); err == nil {
			readOrder(f, root, "order.xml")
			readBeans(f, root, "crawler-beans.cxml")
			restrictSecrets(f, root, "order.xml")
			newBeans(root, "crawler-beans.cxml").seeds()
		}
		for _, e := range about.Evidence {
			if e.Value == "" || e.Source == "" {
				t.Errorf("evidence without value or source: %+v", e)
			}
		}
	})
}

// FuzzProperties reads any bytes as a property list: keys and values must come from the text.
func FuzzProperties(f *testing.F) {
	f.Add("a=1\nb : 2\\\n 3\n")
	f.Fuzz(func(t *testing.T, text string) {
		size := 0
		for _, p := range readProperties(text) {
			size += len(p.key) + len(p.value)
		}
		if size > len(text) {
			t.Errorf("%d bytes out of %d", size, len(text))
		}
	})
}
