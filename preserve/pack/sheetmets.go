package pack

import (
	"fmt"
	"strings"

	"quire/internal/humanize"
	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/describe"
	"quire/preserve/describe/rowmatch"
)

// sheetSections writes a dmdSec for each row that describes the package
// (docs/reference/310_package-format.md, 2.3).
func (b *builder) sheetSections(w *mets.Writer) error {
	if b.described == nil {
		return nil
	}
	for _, t := range b.described.used.Rows {
		r, _ := describe.ToMODS(*t.Description, b.o.SchemaVersion.mods()) // the losses were reported
		b.descriptionSection(w, aip.SheetDmdID(t.Row), r)
		if err := w.Err(); err != nil {
			return err
		}
	}
	return nil
}

// ofWebsite returns the rows that describe the website itself.
func (d *description) ofWebsite() []string {
	if d == nil {
		return nil
	}
	return d.used.OfWebsite()
}

// ofHarvest returns the rows that describe one harvest but not all.
func (d *description) ofHarvest(n int) []string {
	if d == nil {
		return nil
	}
	return d.used.OfHarvest(n)
}

// ofRecord returns the rows that describe the page in a record.
func (d *description) ofRecord(container int, order int64) []string {
	if d == nil {
		return nil
	}
	return d.places[rowmatch.At{Container: container, Order: order}]
}

// hasPages reports whether rows describe pages in a container.
func (d *description) hasPages(container int) bool {
	for at := range d.places {
		if at.Container == container {
			return true
		}
	}
	return false
}

// describing returns the event of the descriptions: the descriptions in the sheet, and the
// descriptions in the containers (2.4). Without descriptions there is no event.
func (b *builder) describing() []event {
	var details, notes []string
	outcome := model.Success
	if d := b.described; d != nil {
		details = append(details,
			fmt.Sprintf("%s of websites and %s of pages from the sheet %s, which is in %s, as MODS",
				humanize.Count(d.used.Websites, "description"),
				humanize.Count(d.used.Pages, "description"), d.name, aip.DocumentsDir))
		if notes = append(notes, d.used.Notes...); d.used.Absent > 0 {
			notes = append(notes, fmt.Sprintf("rows of the sheet about nothing that was captured here: %d",
				d.used.Absent))
		}
		if d.used.Websites+d.used.Pages == 0 {
			outcome = model.Warned
		}
	}
	if b.attached > 0 {
		details = append(details, humanize.Count(b.attached, "description")+" in metadata records of the containers")
		notes = append(notes, "quire describe wrote descriptions into the containers: quire describe list shows them")
	}
	if n := len(b.own.sections); n > 0 {
		details = append(details,
			humanize.Count(n, "description")+" that other systems stored in the containers, as MODS")
		notes = append(notes, b.own.notes()...)
	}
	if len(details) == 0 {
		return nil
	}
	return []event{{aip.DescribeID, premis.Event{
		Type: premis.EventType(string(model.Describing)), DateTime: premis.Time(b.read),
		Details:  []string{strings.Join(details, "; ")},
		Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome(string(outcome)), Notes: notes}},
		Agents:   []premis.Link{b.link(packerID, "executing program", premis.AgentRole)},
		Objects:  []premis.Link{b.link(aip.WebsiteObjID, "source", premis.ObjectRole)},
	}}}
}
