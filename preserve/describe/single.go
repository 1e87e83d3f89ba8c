package describe

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"quire/metadata/dc"
	"quire/metadata/ead"
	"quire/metadata/marc"
	"quire/metadata/mods"
	"quire/metadata/oclc"
	"quire/metadata/xmlstream"
)

// WriteRecord writes one description as a document of its own: JSON, Dublin Core, MODS, MARCXML,
// MarcXchange or EAD, made at that time by that software. It returns the values that the format
// cannot hold. The forms of ISO 2709 are no documents of their own.
func WriteRecord(out io.Writer, f Format, d Description, made time.Time, software string) ([]Loss, error) {
	if f == JSON {
		return nil, oclc.Write(out, oclc.JSON, d.Record)
	}
	write, losses, err := recordWriter(f, d, made, software)
	if err != nil {
		return nil, err
	}
	return losses, document(out, write)
}

// recordWriter returns the writer of a description in XML.
func recordWriter(f Format, d Description, made time.Time, software string) (write func(*xmlstream.Writer) error,
	losses []Loss, err error) {
	switch f {
	case OAIDC:
		record, losses := ToDC(d)
		return func(x *xmlstream.Writer) error { return dc.Write(x, record) }, losses, nil
	case MODS, MODS34:
		version := mods.Version
		if f == MODS34 {
			version = mods.Version34
		}
		record, losses := ToMODS(d, version)
		return func(x *xmlstream.Writer) error { return mods.Write(x, record) }, losses, nil
	case MARCXML, MarcXchange:
		record, losses := toMARC(f, d, made)
		return func(x *xmlstream.Writer) error { return marc.WriteXML(x, record) }, losses, nil
	case EAD3, EAD2002:
		version := eadVersion(f)
		unit, losses := ToEAD(d, version)
		countParts(&unit)
		aid := findingAid(&d, unit, made, software)
		return func(x *xmlstream.Writer) error { return ead.Write(x, version, aid) }, losses, nil
	}
	return nil, nil, fmt.Errorf("a description has no document in the format %.40q", string(f))
}

// toMARC returns the record of MARC 21 or UNIMARC.
func toMARC(f Format, d Description, made time.Time) (marc.Record, []Loss) {
	if f == UNIMARC || f == MarcXchange {
		return ToUNIMARC(d, made)
	}
	return ToMARC(d, made)
}

func eadVersion(f Format) ead.Version {
	if f == EAD2002 {
		return ead.EAD2002
	}
	return ead.EAD3
}

// findingAid returns the finding aid of a unit and its parts. EAD requires an agency that keeps it.
func findingAid(d *Description, unit ead.Unit, made time.Time, software string) ead.Document {
	title, _ := d.title()
	agency := "not stated"
	if len(unit.Keepers) > 0 {
		agency = unit.Keepers[0].Text
	}
	return ead.Document{ID: d.ID, Title: title.Value, Agency: agency, Created: made,
		Software: cmp.Or(software, "Quire"), Unit: unit}
}
