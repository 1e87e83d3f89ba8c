package harvestmd

import "quire/metadata/xmlstream"

// begin starts the element of a part.
func begin(x *xmlstream.Writer, name string) {
	x.Declare("harvest", Namespace)
	x.Start("harvest:" + name)
}

func end(x *xmlstream.Writer, name string) error {
	x.End("harvest:" + name)
	return x.Err()
}

func writeFacts(x *xmlstream.Writer, element string, facts []Fact) {
	for _, f := range facts {
		x.Start("harvest:" + element)
		x.Attr("name", f.Name)
		x.AttrOpt("source", f.Source)
		x.Text(f.Value)
		x.End("harvest:" + element)
	}
}

// Write writes harvest:run.
func (r *Run) Write(x *xmlstream.Writer) error {
	begin(x, "run")
	x.AttrOpt("system", r.System)
	x.AttrOpt("id", r.ID)
	x.AttrOpt("state", string(r.State))
	writeFacts(x, "fact", r.Facts)
	writeFacts(x, "count", r.Counts)
	return end(x, "run")
}

// Write writes harvest:definition.
func (d *Definition) Write(x *xmlstream.Writer) error {
	begin(x, "definition")
	writeFacts(x, "fact", d.Facts)
	return end(x, "definition")
}

// Write writes harvest:settings.
func (s *Settings) Write(x *xmlstream.Writer) error {
	begin(x, "settings")
	writeFacts(x, "fact", s.Facts)
	writeFacts(x, "limit", s.Limits)
	for _, f := range s.Files {
		x.Start("harvest:file")
		x.Attr("name", f.Name)
		if f.Restricted {
			x.Attr("restricted", "true")
		}
		x.End("harvest:file")
	}
	return end(x, "settings")
}

// table starts the element of a table.
func table(x *xmlstream.Writer, name, source string, total int64) {
	begin(x, name)
	x.Attr("source", source)
	x.AttrInt("total", total)
}

// Write writes harvest:hosts.
func (t *Hosts) Write(x *xmlstream.Writer) error {
	table(x, "hosts", t.Source, t.Total)
	for i := range t.Hosts {
		t.Hosts[i].write(x)
	}
	return end(x, "hosts")
}

func (h *Host) write(x *xmlstream.Writer) {
	x.Start("harvest:host")
	x.Attr("name", h.Name)
	for _, n := range []struct {
		name  string
		value xmlstream.Int
	}{
		{"documents", h.Documents}, {"bytes", h.Bytes}, {"robots", h.Robots}, {"remaining", h.Remaining},
		{"novelDocuments", h.NovelDocuments}, {"novelBytes", h.NovelBytes},
		{"duplicateDocuments", h.DuplicateDocuments}, {"duplicateBytes", h.DuplicateBytes},
		{"unmodifiedDocuments", h.UnmodifiedDocuments}, {"unmodifiedBytes", h.UnmodifiedBytes},
	} {
		x.AttrIntOpt(n.name, n.value)
	}
	x.AttrOpt("end", h.End)
	for _, m := range h.Missed {
		x.Start("harvest:missed")
		x.Attr("reason", m.Reason)
		x.AttrInt("number", m.Number)
		x.End("harvest:missed")
	}
	x.End("harvest:host")
}

// Write writes harvest:mediaTypes.
func (t *Types) Write(x *xmlstream.Writer) error {
	table(x, "mediaTypes", t.Source, t.Total)
	for _, m := range t.Types {
		x.Start("harvest:mediaType")
		x.Attr("name", m.Name)
		x.AttrInt("documents", m.Documents)
		x.AttrInt("bytes", m.Bytes)
		x.End("harvest:mediaType")
	}
	return end(x, "mediaTypes")
}

// Write writes harvest:statuses.
func (t *Statuses) Write(x *xmlstream.Writer) error {
	table(x, "statuses", t.Source, t.Total)
	for _, s := range t.Statuses {
		x.Start("harvest:status")
		x.AttrInt("code", s.Code)
		x.AttrInt("documents", s.Documents)
		x.End("harvest:status")
	}
	return end(x, "statuses")
}

// Write writes harvest:seeds.
func (t *Seeds) Write(x *xmlstream.Writer) error {
	table(x, "seeds", t.Source, t.Total)
	for _, s := range t.Seeds {
		x.Start("harvest:seed")
		x.AttrInt("code", s.Code)
		x.AttrOpt("status", s.Status)
		x.AttrOpt("redirect", s.Redirect)
		x.Text(s.URL)
		x.End("harvest:seed")
	}
	return end(x, "seeds")
}

// Write writes harvest:containers.
func (t *Containers) Write(x *xmlstream.Writer) error {
	table(x, "containers", t.Source, t.Total)
	for _, c := range t.Containers {
		x.Start("harvest:container")
		x.Attr("name", c.Name)
		x.AttrIntOpt("bytes", c.Bytes)
		x.AttrOpt("written", c.Written)
		if c.Absent {
			x.Attr("absent", "true")
		}
		x.End("harvest:container")
	}
	return end(x, "containers")
}
