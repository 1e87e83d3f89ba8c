package describe

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"quire/internal/atomicdir"
	"quire/metadata/ead"
	"quire/metadata/marc"
	"quire/metadata/xmlstream"
)

// Format is an export format.
type Format string

// The formats, named as in --export.
const (
	OAIDC   Format = "oai_dc"
	MODS    Format = "mods"
	MODS34  Format = "mods-3.4"
	MARCXML Format = "marcxml"
	MARC    Format = "marc" // ISO 2709

	MarcXchange Format = "marcxchange" // UNIMARC in ISO 25577
	UNIMARC     Format = "unimarc"     // UNIMARC in ISO 2709

	EAD3    Format = "ead3"
	EAD2002 Format = "ead2002"
	JSON    Format = "json"
)

// LossFile is the report of values that a target could not hold. It has one JSON object per line,
// and is empty if no value was lost.
const LossFile = "losses.jsonl"

// ExportOptions configures an export. Out must not exist, or be an empty folder.
type ExportOptions struct {
	Format   Format
	Out      string
	Made     time.Time // time of the export; the same time gives the same result
	Software string    // "Quire 1.0"
	DryRun   bool      // write nothing, and list the files that would be made
}

// Exported is the result of an export.
type Exported struct {
	Out          string `json:"out"`
	Files        int    `json:"files"` // besides the report
	Descriptions int    `json:"descriptions"`
	Losses       int    `json:"losses"`

	Would []atomicdir.PlannedFile `json:"would_make,omitempty"` // the files of a dry run
}

// Export writes the descriptions. oai_dc, MODS and JSON have one file each, and MARC is one file of
// records. EAD has a finding aid for each description that is not part of another. Descriptions
// after a collection, up to the next collection, are part of it; pages are part of the site before
// them.
func Export(list []Description, o ExportOptions) (_ *Exported, err error) {
	if err := atomicdir.Check(o.Out); err != nil {
		return nil, err
	}
	place, err := atomicdir.For(o.Out, o.DryRun)
	if err != nil {
		return nil, err
	}
	defer place.End(&err)
	e := &export{ExportOptions: o, place: place, result: &Exported{Out: o.Out, Descriptions: len(list)}}
	if err := e.write(list); err != nil {
		return nil, err
	}
	if err := e.file(LossFile, e.report); err != nil {
		return nil, err
	}
	e.result.Losses, e.result.Would = len(e.losses), place.Planned()
	return e.result, place.Install(o.Out)
}

type export struct {
	ExportOptions
	place  *atomicdir.Workplace
	losses []Loss
	result *Exported
}

func (e *export) write(list []Description) error {
	switch e.Format {
	case OAIDC, MODS, MODS34, JSON:
		for _, d := range list {
			ext := ".xml"
			if e.Format == JSON {
				ext = ".json"
			}
			e.result.Files++
			if err := e.file(d.ID+ext, func(out io.Writer) error { return e.one(out, d) }); err != nil {
				return fmt.Errorf("row %d: %w", d.Row, err)
			}
		}
		return nil
	case MARC, UNIMARC:
		e.result.Files++
		return e.file("records.mrc", func(out io.Writer) error { return e.iso2709(out, list) })
	case MARCXML, MarcXchange:
		e.result.Files++
		return e.file("records.xml", func(out io.Writer) error { return e.marcxml(out, list) })
	case EAD3, EAD2002:
		return e.findingAids(list)
	}
	return fmt.Errorf("the export format %.40q does not exist", string(e.Format))
}

// file writes a file of the folder, and syncs it. Names come from ids of letters, digits and
// hyphens.
func (e *export) file(name string, write func(io.Writer) error) error {
	f, err := e.place.Create(name)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	err = write(out)
	return errors.Join(err, out.Flush(), f.Sync(), f.Close())
}

func document(out io.Writer, write func(*xmlstream.Writer) error) error {
	x := xmlstream.NewWriter(out, xmlstream.Options{Indent: true})
	if err := write(x); err != nil {
		return err
	}
	return x.Close()
}

func (e *export) one(out io.Writer, d Description) error {
	losses, err := WriteRecord(out, e.Format, d, e.Made, e.Software)
	e.losses = append(e.losses, losses...)
	return err
}

func (e *export) marcxml(out io.Writer, list []Description) error {
	records := make([]marc.Record, 0, len(list))
	for _, d := range list {
		r, losses := toMARC(e.Format, d, e.Made)
		e.losses = append(e.losses, losses...)
		records = append(records, r)
	}
	return document(out, func(x *xmlstream.Writer) error { return marc.WriteCollection(x, records) })
}

func (e *export) iso2709(out io.Writer, list []Description) error {
	for _, d := range list {
		r, losses := toMARC(e.Format, d, e.Made)
		e.losses = append(e.losses, losses...)
		more, err := marc.WriteISO(out, r)
		if err != nil {
			return fmt.Errorf("row %d: %w", d.Row, err)
		}
		for _, l := range more {
			e.losses = append(e.losses, Loss{Row: d.Row, ID: d.ID, Target: string(e.Format), Value: l.Value,
				Why: "field " + l.Tag + ": " + l.Why})
		}
	}
	return nil
}

func (e *export) findingAids(list []Description) error {
	version := eadVersion(e.Format)
	for i := 0; i < len(list); {
		top := list[i]
		unit, losses := ToEAD(top, version)
		e.losses = append(e.losses, losses...)
		for i++; i < len(list) && belongs(top.Level, list[i].Level); i++ {
			part, losses := ToEAD(list[i], version)
			e.losses = append(e.losses, losses...)
			parent := &unit
			if n := len(unit.Parts); list[i].Level == Page && top.Level == Collection && n > 0 {
				parent = &unit.Parts[n-1]
			}
			parent.Parts = append(parent.Parts, part)
		}
		countParts(&unit)
		d := findingAid(&top, unit, e.Made, e.Software)
		e.result.Files++
		err := e.file(top.ID+".xml", func(out io.Writer) error {
			return document(out, func(x *xmlstream.Writer) error { return ead.Write(x, version, d) })
		})
		if err != nil {
			return fmt.Errorf("row %d: %w", top.Row, err)
		}
	}
	return nil
}

// belongs reports whether the next description in a sheet is part of the top one.
func belongs(top, next Level) bool {
	return top == Collection && next != Collection || top == Site && next == Page
}

func (e *export) report(out io.Writer) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, l := range e.losses {
		if err := enc.Encode(l); err != nil {
			return err
		}
	}
	return nil
}
