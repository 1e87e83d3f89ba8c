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
	for _, t := range b.described.told {
		r, _ := describe.ToMODS(*t.Description, b.o.SchemaVersion.mods()) // the losses were reported
		b.descriptionSection(w, aip.SheetDmdID(t.Row), r)
		if err := w.Err(); err != nil {
			return err
		}
	}
	return nil
}

// ofWebsite returns the rows that describe the website itself.
func (d *description) ofWebsite() (ids []string) {
	return d.named(func(t *rowmatch.Row) bool { return t.Whole })
}

// ofHarvest returns the rows that describe one harvest but not all.
func (d *description) ofHarvest(n int) (ids []string) {
	return d.named(func(t *rowmatch.Row) bool { return !t.Whole && t.Harvests[n] })
}

func (d *description) named(is func(*rowmatch.Row) bool) (ids []string) {
	if d == nil {
		return nil
	}
	for i := range d.told {
		if t := &d.told[i]; t.Level == describe.Site && is(t) {
			ids = append(ids, aip.SheetDmdID(t.Row))
		}
	}
	return ids
}

// ofRecord returns the rows that describe the page in a record.
func (d *description) ofRecord(container int, order int64) []string {
	if d == nil {
		return nil
	}
	return d.places[recordAt{container, order}]
}

// hasPages reports whether rows describe pages in a container.
func (d *description) hasPages(container int) bool {
	for at := range d.places {
		if at.container == container {
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
				humanize.Count(d.result.Websites, "description"),
				humanize.Count(d.result.Pages, "description"), d.name, aip.DocumentsDir))
		if notes = append(notes, d.notes...); d.result.Absent > 0 {
			notes = append(notes, fmt.Sprintf("rows of the sheet about nothing that was captured here: %d",
				d.result.Absent))
		}
		if d.result.Websites+d.result.Pages == 0 {
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
