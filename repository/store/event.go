package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/repository/catalogue"
)

// Every action on a package is recorded as a PREMIS 3.0 event: a small XML file in the object's
// logs folder. OCFL 1.1 clause 3.8 keeps that folder out of the inventory, so neither the package
// nor its versions change. Each copy has the events of all copies, so any copy has the complete
// history.

// event is an event in the form that the store writes and reads.
type event struct {
	catalogue.Event        // Copy is the URN here: see copyURN
	Package         string // id
	// the state of the copy, if every byte of the object was read there, or it is owed the version; else ""
	Status catalogue.Status
	Agent  string   // name and version of the program
	By     string   // the person responsible; "" if none is named
	Notes  []string // on the outcome
	Away   []string // copies that were away, and lack the event
}

// The status of a copy in an event.
const (
	statusGood  = catalogue.Good
	statusOwed  = catalogue.Owed
	statusLabel = "status of the copy: " // start of the outcome note that carries Status
	awayLabel   = "not written to: "     // of the one that carries Away
)

// maxEventSize is the maximum size in bytes of an event file.
const maxEventSize = 1 << 20

// eventTime is the form of times in names of event files: sortable, and without the colon, which
// Windows forbids.
const eventTime = "20060102T150405.000000Z"

// newEvent returns an event with the current time. [Store.follow] names it for a log with other events.
// copyName is "" for an event about all copies.
func (s *Store) newEvent(kind model.EventType, packageID, copyName, detail string) event {
	now, id := s.moment(), newUUID()
	return event{
		Event: catalogue.Event{
			File: eventFile(now, kind, id), ID: id, Type: string(kind), Time: now, Outcome: string(model.Success),
			Detail: detail, Copy: s.copyURN(copyName),
		},
		Package: packageID, Agent: s.software,
	}
}

// eventFile returns the file name of an event.
func eventFile(at time.Time, kind model.EventType, id string) string {
	return fmt.Sprintf("%s-%s-%s.xml", at.UTC().Format(eventTime), strings.ReplaceAll(string(kind), " ", "-"), id[:8])
}

// follow gives events names that sort after those of all events in the log of an object. A name begins
// with the time of its event, or, after the clock of the machine stepped back, with the moment after the
// newest name. So the names keep the order in which the events were written. Lines of records count, too.
func (s *Store) follow(ctx context.Context, path string, events ...*event) error {
	id := events[0].Package
	lines, err := s.catalogue.NewestLines(ctx, []string{id})
	if err != nil {
		return err
	}
	last := lines[id]
	for _, c := range s.present() {
		for name := range eventNamesIn(c.object(path)) {
			last = max(last, name)
		}
	}
	for _, e := range events {
		e.after(last)
	}
	return nil
}

// after names an event so that it sorts after the event file with the newest name in a log.
func (e *event) after(last string) {
	if len(last) < len(eventTime) {
		return
	}
	newest, err := time.Parse(eventTime, last[:len(eventTime)])
	if err != nil {
		return // no program of ours wrote it
	}
	if !e.Time.After(newest) {
		e.File = eventFile(newest.Add(time.Microsecond), model.EventType(e.Type), e.ID)
	}
}

// copyURN returns the globally unique name of a copy.
func (s *Store) copyURN(name string) string {
	if name == "" {
		return ""
	}
	return copyURNPrefix + s.id + ":" + name
}

const copyURNPrefix = "urn:quire:copy:"

// Types of the identifiers that an event links to.
const (
	packageType = "package" // the OBJID of the METS
	copyType    = "copy"    // a copyURN
)

// copyOf is the inverse of copyURN: it returns the name of the copy, or "".
func copyOf(urn string) string {
	rest, ok := strings.CutPrefix(urn, copyURNPrefix)
	if !ok {
		return ""
	}
	_, name, _ := strings.Cut(rest, ":")
	return name
}

// marshal returns the event file: a PREMIS document with the package, the event, and the agent. It
// has the package, by its id, because PREMIS requires an object in every document.
func (e event) marshal() ([]byte, error) {
	var out bytes.Buffer
	x := xmlstream.NewWriter(&out, xmlstream.Options{Indent: true})
	x.Declare("premis", premis.Namespace)
	x.Start("premis:premis")
	x.Attr("version", premis.Version)
	subject := premis.Identifier{Type: packageType, Value: e.Package}
	if err := premis.WriteObject(x,
		premis.Object{Category: premis.IntellectualEntity, Identifiers: []premis.Identifier{subject}}); err != nil {
		return nil, fmt.Errorf("event %s: %w", e.ID, err)
	}
	agent := premis.Identifier{Type: "local", Value: e.Agent}
	outcome := premis.Outcome{Outcome: premis.EventOutcome(e.Outcome), Notes: e.Notes}
	if e.Status != "" {
		outcome.Notes = []string{statusLabel + string(e.Status)}
	}
	if len(e.Away) > 0 {
		outcome.Notes = append(slices.Clone(outcome.Notes), awayLabel+strings.Join(e.Away, " "))
	}
	implementer := premis.Identifier{Type: "local", Value: e.By}
	p := premis.Event{
		Identifier: premis.Identifier{Type: "UUID", Value: e.ID}, Type: premis.EventType(e.Type),
		DateTime: premis.Time(e.Time), Details: []string{e.Detail}, Outcomes: []premis.Outcome{outcome},
		Agents:  []premis.Link{{Identifier: agent, Roles: []premis.Term{premis.AgentRole("executing program")}}},
		Objects: []premis.Link{{Identifier: subject}},
	}
	if e.By != "" {
		p.Agents = append(p.Agents, premis.Link{Identifier: implementer,
			Roles: []premis.Term{premis.AgentRole("implementer")}})
	}
	if e.Copy != "" {
		p.Objects = append(p.Objects, premis.Link{Identifier: premis.Identifier{Type: copyType, Value: e.Copy}})
	}
	if err := premis.WriteEvent(x, p); err != nil {
		return nil, fmt.Errorf("event %s: %w", e.ID, err)
	}
	if err := premis.WriteAgent(x, premis.Agent{Identifiers: []premis.Identifier{agent},
		Names: []premis.Term{premis.Text(e.Agent)}, Type: premis.AgentType("software")}); err != nil {
		return nil, fmt.Errorf("event %s: %w", e.ID, err)
	}
	if e.By != "" {
		if err := premis.WriteAgent(x,
			premis.Agent{Identifiers: []premis.Identifier{implementer}, Names: []premis.Term{premis.Text(e.By)}}); err != nil {
			return nil, fmt.Errorf("event %s: %w", e.ID, err)
		}
	}
	x.End("premis:premis")
	if err := x.Close(); err != nil {
		return nil, fmt.Errorf("event %s: %w", e.ID, err)
	}
	return out.Bytes(), nil
}

// parseEvent parses the output of marshal. The file name is not part of it.
func parseEvent(text []byte) (event, error) {
	r := xmlstream.NewReader(bytes.NewReader(text), xmlstream.Limits{})
	var e event
	root, err := r.Root()
	if err != nil {
		return e, err
	}
	if !root.Is(premis.Namespace, "premis") {
		return e, fmt.Errorf("the root is %s, not premis", root.Local)
	}
	err = r.EachIn(premis.Namespace, func(el xmlstream.Element) error {
		if el.Local != "event" {
			return r.Skip()
		}
		p, err := premis.ReadEvent(r)
		if err != nil {
			return err
		}
		return e.fill(p)
	})
	if err == nil {
		err = r.Finish()
	}
	if err == nil && (e.ID == "" || e.Type == "" || e.Time.IsZero()) {
		err = errors.New("the file has no complete event")
	}
	return e, err
}

// fill copies the fields that the catalogue needs from a premis:event.
func (e *event) fill(p premis.Event) (err error) {
	e.ID, e.Type = p.Identifier.Value, p.Type.Text
	e.Detail = strings.Join(p.Details, "\n")
	for _, o := range p.Outcomes {
		e.Outcome = o.Outcome.Text
		for _, note := range o.Notes {
			if status, ok := strings.CutPrefix(note, statusLabel); ok {
				e.Status = catalogue.Status(status)
			}
			if away, ok := strings.CutPrefix(note, awayLabel); ok {
				e.Away = strings.Fields(away)
			}
		}
	}
	for _, o := range p.Objects {
		switch o.Type {
		case packageType:
			e.Package = o.Value
		case copyType:
			e.Copy = o.Value
		}
	}
	for i, a := range p.Agents {
		if i == 0 { // the person responsible follows the program
			e.Agent = a.Value
		}
	}
	e.Time, err = xmlstream.ParseTime(p.DateTime)
	return err
}
