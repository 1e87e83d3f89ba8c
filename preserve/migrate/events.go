package migrate

import (
	"fmt"
	"slices"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/model"
	"quire/preserve/aip"
)

// happened returns an event of this migration, with Quire as its agent.
func (j *job) happened(id string, kind model.EventType, outcome model.EventOutcome, detail string,
	notes ...string) premis.Event {
	return premis.Event{
		Identifier: j.identify(id), Type: premis.EventType(string(kind)), DateTime: premis.Time(j.o.Date),
		Details:  []string{detail},
		Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome(string(outcome)), Notes: notes}},
		Agents:   []premis.Link{j.executing(quireAgent)},
	}
}

func (j *job) executing(role string) premis.Link {
	return j.link(aip.ContainerAgentID(j.number, role), "executing program", premis.AgentRole)
}

func (j *job) concerns(e premis.Event, id, role string) premis.Event {
	e.Objects = append(e.Objects, j.link(id, role, premis.ObjectRole))
	return e
}

// fixity returns the event of checking all earlier files.
func (j *job) fixity() premis.Event {
	files := len(j.old.Files) - 2 // without the METS and its digest
	e := j.happened(aip.ContainerFixityEventID(j.number), model.FixityCheck, model.Success,
		"SHA-512 of every file of the package, computed while it was copied, compared with its METS",
		fmt.Sprintf("files: %d", files))
	return j.concerns(e, aip.PackageObjID, "source")
}

// digestion returns the event of computing the new container's digest.
func (j *job) digestion() premis.Event {
	e := j.happened(aip.ContainerDigestEventID(j.number), model.DigestCalc, model.Success,
		"algorithm SHA-512: the container, as read back from the disk, the content of its records, and its index")
	e.Details = append(e.Details, "algorithm SHA-256: the content of its records")
	return j.concerns(e, aip.ContainerObjID(j.number), "source")
}

// migration returns the migration event: one for all bytestreams, which link to it.
func (j *job) migration() premis.Event {
	r := &j.result
	notes := []string{fmt.Sprintf("%d bytestreams have the format: %d converted, %d failed", r.Selected, r.Converted,
		r.Failed)}
	for _, l := range lines(r.Left) {
		notes = append(notes, "not tried, "+l)
	}
	for _, l := range lines(j.notes) {
		notes = append(notes, "converted, "+l)
	}
	e := j.happened(aip.MigrationEventID(j.number), model.Migration, r.Outcome,
		fmt.Sprintf("rule %s: %s to %s, by %s", j.o.Rule.Name, j.o.words(), j.o.Rule.MIME, j.tool.words()), notes...)
	if j.o.Rule.Builtin == "" {
		e.Agents = append(e.Agents, j.executing(toolAgent))
	}
	for _, n := range j.sources() {
		e = j.concerns(e, aip.ContainerObjID(n), "source")
	}
	return j.concerns(e, aip.ContainerObjID(j.number), "outcome")
}

// sources returns the containers with chosen records.
func (j *job) sources() (numbers []int) {
	for n := range j.touched {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return numbers
}

// identification returns the event of identifying formats.
func (j *job) identification() premis.Event {
	e := j.happened(aip.ContainerFormatEventID(j.number), model.FormatIdentification, model.Success,
		"formats by the signatures of PRONOM, of each content as it would be served, and of what came of it")
	e.Agents = append(e.Agents, j.executing(pronomAgent))
	return j.concerns(e, aip.ContainerObjID(j.number), "source")
}

// validation returns the validation event of the new container. An invalid one is not packed.
func (j *job) validation() premis.Event {
	outcome := model.Success
	var notes []string
	for _, f := range j.container.Findings { // one of each code: the limit of this pass
		if f.Severity == model.Warning {
			outcome = model.Warned
		}
		notes = append(notes, fmt.Sprintf("%s %s, %d times, first at byte %d: %s", f.Severity, f.Code,
			j.container.FindingCounts[f.Code], f.Offset, f.Message))
	}
	e := j.happened(aip.ContainerEventID(j.number), model.Validation, outcome,
		"container read from the first byte to the last: structure, block and payload digests",
		append([]string{fmt.Sprintf("%s; %d records", j.container.Outcome, j.container.Records.Total)}, notes...)...)
	return j.concerns(e, aip.ContainerObjID(j.number), "source")
}

// failures writes an event for each conversion that failed.
func (j *job) failures(w *mets.Writer) error {
	n := 0
	return j.done.Each(func(d done) error {
		if d.Failure == "" {
			return nil
		}
		n++
		e := j.happened(aip.FailedMigrationEventID(j.number, n), model.Migration, model.Fail,
			fmt.Sprintf("rule %s, record %s: %s", j.o.Rule.Name, d.Of.ID, d.Of.URI), d.Failure)
		if j.o.Rule.Builtin == "" {
			e.Agents = append(e.Agents, j.executing(toolAgent))
		}
		j.event(w, j.concerns(e, aip.BodyObjID(d.Of.Container, d.Of.Order), "source"))
		return w.Err()
	})
}
