package containermd

import "quire/metadata/xmlstream"

// CapturesNamespace is the namespace of one element, [Captures]. It is in an entriesExtension of its own, under
// "other".
const CapturesNamespace = "urn:x-quire:captures:1"

// Captures sums the captures of a container, whatever the types of their records: containerMD has no list for
// these sums. Sizes are those of payloads, in bytes.
type Captures struct {
	Years   []Count // of captures with a date, by year
	Formats []CapturedFormat

	// Languages counts pages and plain texts by language; nil if they were not counted.
	Languages []Count

	// Lists that differ from the lists of the record types together; nil if they are equal. The sizes of Types
	// are those of blocks.
	Hosts, MIMETypes, Statuses, Types []Count
}

// CapturedFormat has the number and size of the payloads of one identified format.
type CapturedFormat struct {
	PUID, Name, Version string
	Number              int64
	Size                xmlstream.Int
}

// captureList is one list of counts, with the names of its elements.
type captureList struct {
	outer, inner string
	list         *[]Count
}

func (c *Captures) lists() []captureList {
	return []captureList{{"years", "year", &c.Years}, {"languages", "language", &c.Languages},
		{"hosts", "host", &c.Hosts},
		{"mimeTypes", "mimeType", &c.MIMETypes}, {"statuses", "status", &c.Statuses}, {"types", "type", &c.Types}}
}

// captures writes the sums of captures. An empty list that is not nil is written, too.
func (w writer) captures(c *Captures) {
	if c == nil {
		return
	}
	const prefix = "qcs"
	w.Start("cmd:entriesExtension")
	w.Start("cmd:other")
	w.Declare(prefix, CapturesNamespace)
	w.Start(prefix + ":captures")
	for _, l := range c.lists() {
		if *l.list == nil {
			continue
		}
		w.Start(prefix + ":" + l.outer)
		for _, n := range *l.list {
			w.count(prefix+":"+l.inner, n)
		}
		w.End(prefix + ":" + l.outer)
	}
	if c.Formats != nil {
		w.Start(prefix + ":formats")
		for _, f := range c.Formats {
			w.Start(prefix + ":format")
			w.AttrOpt("puid", f.PUID)
			w.Attr("name", f.Name)
			w.AttrOpt("version", f.Version)
			w.AttrInt("number", f.Number)
			w.size("globalSize", f.Size)
			w.End(prefix + ":format")
		}
		w.End(prefix + ":formats")
	}
	w.End(prefix + ":captures")
	w.End("cmd:other")
	w.End("cmd:entriesExtension")
}

// captures reads the sums of captures.
func (r reader) captures(info *Information) error {
	c := &Captures{}
	info.Captures = c
	return r.EachIn(CapturesNamespace, func(e xmlstream.Element) error {
		if e.Local == "formats" {
			c.Formats = []CapturedFormat{}
			return r.EachIn(CapturesNamespace, func(e xmlstream.Element) error { return r.capturedFormat(c, e) })
		}
		for _, l := range c.lists() {
			if e.Local == l.outer {
				*l.list = []Count{}
				return r.countsIn(CapturesNamespace, l.list)
			}
		}
		return r.Unknown()
	})
}

func (r reader) capturedFormat(c *Captures, e xmlstream.Element) error {
	f := CapturedFormat{PUID: e.Attr("puid"), Name: e.Attr("name"), Version: e.Attr("version")}
	var number xmlstream.Int
	err := r.ints(e, map[string]*xmlstream.Int{"number": &number, "globalSize": &f.Size})
	f.Number, _ = number.Get()
	c.Formats = append(c.Formats, f)
	return err
}
