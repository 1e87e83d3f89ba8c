package pack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quire/internal/humanize"
	"quire/metadata/harvestmd"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/convert"
	"quire/preserve/reconcile"
	"quire/source/detect"
)

// Completeness is the comparison of one harvest with its lists of containers, its indexes and its
// logs (docs/reference/310_package-format.md, 3.7).
type Completeness struct {
	Harvest int `json:"harvest"` // from 1, as in Result.Harvests
	reconcile.Complete
}

// beginComplete begins the comparison of each harvest. It reads the lists and the indexes.
func (b *builder) beginComplete(ctx context.Context, source *detect.Source, plan *convert.Plan) (err error) {
	b.complete, err = reconcile.NewCompleteness(ctx, source, plan.Harvests, b.temp)
	return err
}

// closeComplete removes the temporary files.
func (b *builder) closeComplete() error {
	if b.complete == nil {
		return nil
	}
	return b.complete.Close()
}

// completeRecord takes a record of the pass.
func (b *builder) completeRecord(p *packed, r *model.Record) error {
	if p.Harvest == 0 {
		return nil
	}
	return b.complete.Record(p.Harvest-1, p.source, r)
}

// completeContainer takes a container after the pass.
func (b *builder) completeContainer(p *packed) {
	if p.Harvest == 0 {
		return
	}
	inflated := p.Container.InflatedBytes
	if p.Made != nil && p.Made.ARC != nil {
		inflated = p.Made.ARC.InflatedBytes
	}
	b.complete.Container(p.Harvest-1, p.source, p.Container, inflated)
}

// compareComplete compares all harvests after the pass.
func (b *builder) compareComplete() error {
	all, err := b.complete.Results()
	if err != nil {
		return err
	}
	for i, c := range all {
		if !c.Nothing() {
			b.result.Completeness = append(b.result.Completeness, Completeness{i + 1, *c})
		}
	}
	return nil
}

// foreseeComplete compares the names of the containers with the lists and the indexes, without
// reading the containers.
func (b *builder) foreseeComplete(ctx context.Context, source *detect.Source, plan *convert.Plan) error {
	if err := b.beginComplete(ctx, source, plan); err != nil {
		return err
	}
	return errors.Join(b.compareComplete(), b.closeComplete())
}

// Incomplete reports whether the comparison found that content of a harvest is lost.
func (r *Result) Incomplete() bool { return incomplete(r.Completeness) }

// Incomplete reports whether a container is known to be absent.
func (f *Forecast) Incomplete() bool { return incomplete(f.Completeness) }

func incomplete(all []Completeness) bool {
	return slices.ContainsFunc(all, func(c Completeness) bool { return c.Outcome == model.Fail })
}

// completions returns the comparisons as events (2.4, 3.7).
func (b *builder) completions() []event {
	var events []event
	for i := range b.result.Completeness {
		c := &b.result.Completeness[i]
		events = append(events, event{aip.CompletenessEventID(c.Harvest), premis.Event{
			Type: premis.EventType(string(model.Validation)), DateTime: premis.Time(b.read),
			Details: []string{"completeness of the harvest: " + c.compared()},
			Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome(string(c.Outcome)),
				Notes: c.notes(), Extensions: c.extensions()}},
			Agents:  []premis.Link{b.link(packerID, "executing program", premis.AgentRole)},
			Objects: []premis.Link{b.link(aip.PackageObjID, "source", premis.ObjectRole)},
		}})
	}
	return events
}

// completionIDs returns the comparison of a harvest, from 1.
func (b *builder) completionIDs(harvest int) []string {
	for i := range b.result.Completeness {
		if b.result.Completeness[i].Harvest == harvest {
			return []string{aip.CompletenessEventID(harvest)}
		}
	}
	return nil
}

// compared describes the comparisons that were made.
func (c *Completeness) compared() string {
	var with, all []string
	for _, list := range c.Lists[:min(len(c.Lists), maxListed)] {
		with = append(with, "the list "+list)
	}
	if n := len(c.Indexes); n > 0 {
		with = append(with, "the names in "+humanize.Number(int64(n), "index", "indexes"))
	}
	if c.Serial {
		with = append(with, "the numbers in their names")
	}
	if len(with) > 0 {
		all = append(all, "containers compared with "+strings.Join(with, ", "))
	}
	if c.Stored > 0 {
		all = append(all, "URLs that the log reports as stored compared with the URLs of the records, without times "+
			"and digests")
	}
	return strings.Join(all, "; ")
}

// extensions returns the table of the absent containers in harvestMD; none if all are there.
func (c *Completeness) extensions() []func(*xmlstream.Writer) error {
	if c.Absent == 0 {
		return nil
	}
	t := &harvestmd.Containers{Source: "the comparison", Total: c.Absent}
	for i := range c.Missed {
		t.Containers = append(t.Containers, harvestmd.Container{Name: c.Missed[i].Name, Bytes: count(c.Missed[i].Size),
			Absent: true})
	}
	return []func(*xmlstream.Writer) error{t.Write}
}

// notes lists the findings. URLs are not among them, because readers of events may not see all URLs.
func (c *Completeness) notes() []string {
	var notes []string
	if c.Expected > 0 {
		notes = append(notes, fmt.Sprintf("expected: %s; %d present, %d absent, %d absent and empty by their list",
			humanize.Count(c.Expected, "container"), c.Present, c.Absent, c.Empty))
	}
	for i := range c.Missed {
		notes = append(notes, "absent: "+c.Missed[i].String())
	}
	if more := c.Absent - int64(len(c.Missed)); more > 0 {
		notes = append(notes, fmt.Sprintf("absent: and %d more", more))
	}
	for _, name := range c.Gaps {
		notes = append(notes, "no container has this number: "+name)
	}
	for _, name := range c.Unlisted {
		notes = append(notes, "present, and in no list: "+name)
	}
	for _, size := range c.Sizes {
		notes = append(notes, "another size than listed: "+size)
	}
	if c.Stored > 0 {
		notes = append(notes, fmt.Sprintf("log: %d URLs reported as stored, %d of these in no record", c.URLs,
			c.Missing))
	}
	if c.Late > 0 {
		notes = append(notes, fmt.Sprintf("log: %d of these fetched later than the last record", c.Late))
	}
	if c.Lookups > 0 {
		notes = append(notes, fmt.Sprintf("log: %d name look-ups not compared: no container has one", c.Lookups))
	}
	return notes
}
