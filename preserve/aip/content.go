package aip

import (
	"cmp"
	"fmt"
	"strings"

	"quire/internal/humanize"
	"quire/metadata/containermd"
	"quire/metadata/mets"
	"quire/metadata/mods"
)

// header checks the dates of the METS itself.
func (d *description) header(h mets.Header) error {
	d.future(h.Created, "the METS (CREATEDATE)")
	d.future(h.Modified, "the METS (LASTMODDATE)")
	return d.ctx.Err()
}

// website keeps the dates of capture in the MODS of the website.
func (d *description) website(r *mods.Record) {
	c := d.described
	c.first, c.last = capturedTexts(r)
	d.future(parseDate(cmp.Or(c.last, c.first)), WebsiteDmdID)
}

// containerMD keeps the statements of a container's containerMD.
func (d *description) containerMD(s *mets.Section, md *containermd.ContainerMD) {
	d.described.containerMD(s, md)
	d.future(md.Container.Created, clip(s.ID))
}

// listsRecords reports whether a profile lists each record of its containers (clause 2.1).
func listsRecords(profile string) bool {
	return knownProfile(profile) && strings.HasSuffix(profile, ")")
}

// sayContent records the comparisons of PREMIS, containerMD and dates.
func (d *description) sayContent() {
	d.done[CheckEntities] = humanize.Count(d.entities.defined, "identifier") + " of PREMIS"
	if why := d.entities.elsewhere; why != "" {
		d.skip("links were not checked: "+why, CheckEntities)
	}
	d.done[CheckContainers] = humanize.Count(d.described.compared, "container") +
		": fixity and outcome; counts with the records listed and the CDXJ lines; no record was read for them"
	if n := d.described.failed; n > 0 {
		d.done[CheckContainers] += fmt.Sprintf("; %s with errors when the package was made, such as %s: "+
			"quire inspect lists them", humanize.Count(n, "container"), d.described.firstBad)
	}
	d.done[CheckDates] = "compared with the clock of this computer, and captures with containerMD"
	if n := d.described.left; n > 0 {
		d.skip(humanize.Count(n, "statement")+" about further containers not compared", CheckContainers, CheckDates)
	}
}
