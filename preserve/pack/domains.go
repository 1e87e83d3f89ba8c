package pack

import (
	"regexp"
	"strconv"

	"quire/metadata/harvestmd"
	"quire/metadata/xmlstream"
)

// domainEnd matches the end of one domain, as the reader of NetarchiveSuite's database states it:
// domain, reason, objects, bytes. "?" is an unknown number.
var domainEnd = regexp.MustCompile(`^(.+): (.*), (\d+|\?) objects, (\d+|\?) bytes$`)

// listDomains adds a table of the domains of a job, with the reason why the harvest of each ended: a
// limit, for example. Only the database of NetarchiveSuite has it.
func (h *harvest) listDomains() {
	rows := top[harvestmd.Host]{by: documentsOf}
	from := ""
	for i := range h.about.Evidence {
		e := &h.about.Evidence[i]
		if e.Fact != "end of a domain" {
			continue
		}
		m := domainEnd.FindStringSubmatch(e.Value)
		if m == nil {
			continue
		}
		if from == "" {
			from = e.Source
		}
		rows.add(harvestmd.Host{Name: m[1], End: m[2], Documents: numberIn(m[3]), Bytes: numberIn(m[4])})
	}
	if rows.total > 0 {
		h.tables = append(h.tables, &harvestmd.Hosts{Source: from, Total: rows.total, Hosts: rows.list()})
	}
}

// numberIn returns a number; it is absent for other text.
func numberIn(s string) xmlstream.Int {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return xmlstream.Int{}
	}
	return xmlstream.IntOf(n)
}
