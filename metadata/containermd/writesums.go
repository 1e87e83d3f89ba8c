package containermd

// information writes entriesInformation, the sums of all entries.
func (w writer) information(info *Information) {
	w.Start("cmd:entriesInformation")
	w.sums(&info.Sums)
	if len(info.Formats) > 0 {
		w.Start("cmd:formats")
		for _, f := range info.Formats {
			w.Start("cmd:format")
			w.Attr("name", f.Name)
			w.AttrOpt("version", f.Version)
			w.AttrInt("number", f.Number)
			w.size("globalSize", f.GlobalSize)
			w.End("cmd:format")
		}
		w.End("cmd:formats")
	}
	if len(info.Encodings) > 0 {
		w.Start("cmd:encodings")
		w.encodings(info.Encodings)
		w.End("cmd:encodings")
	}
	w.arcEntries(info.ARC)
	w.warcEntries(info.WARC)
	w.captures(info.Captures)
	w.End("cmd:entriesInformation")
}

func (w writer) sums(s *Sums) {
	if s.Number < 0 {
		w.failf("number %d is negative", s.Number)
	}
	w.AttrInt("number", s.Number)
	w.size("minimumSize", s.MinimumSize)
	w.size("maximumSize", s.MaximumSize)
	w.AttrTimeOpt("firstDateTime", s.First)
	w.AttrTimeOpt("lastDateTime", s.Last)
	w.size("globalSize", s.GlobalSize)
}

func (w writer) arcEntries(a *ARCEntries) {
	if a == nil {
		return
	}
	w.Start("cmd:entriesExtension")
	w.Start("cmd:ARCEntries")
	w.counts("cmd:declaredMimeTypes", "cmd:declaredMimeType", a.DeclaredMIMETypes)
	w.counts("cmd:hosts", "cmd:host", a.Hosts)
	w.responses(a.Responses)
	w.End("cmd:ARCEntries")
	w.End("cmd:entriesExtension")
}

// warcEntries writes the record types in the schema's order.
func (w writer) warcEntries(e *WARCEntries) {
	if e == nil {
		return
	}
	w.Start("cmd:entriesExtension")
	w.Start("cmd:WARCEntries")
	w.records("cmd:warcInfoRecords", &e.WARCInfo)
	w.records("cmd:responseRecords", e.Response)
	w.records("cmd:resourceRecords", e.Resource)
	w.records("cmd:requestRecords", e.Request)
	w.records("cmd:metadataRecords", e.Metadata)
	w.records("cmd:revisitRecords", e.Revisit)
	w.End("cmd:WARCEntries")
	w.End("cmd:entriesExtension")
	w.otherRecords(e.Other)
}

// records writes one record type. Each list is written at its place in the schema; a list that the
// schema does not have is an error.
func (w writer) records(name string, r *Records) {
	if r == nil {
		return
	}
	w.Start(name)
	w.sums(&r.Sums)
	w.summed("cmd:blockFormats", "cmd:blockFormat", r.BlockFormats)
	w.summed("cmd:payloadFormats", "cmd:payloadFormat", r.PayloadFormats)
	w.summed("cmd:identifiedPayloadTypes", "cmd:identifiedPayloadType", r.IdentifiedPayloadTypes)

	response, resource := name == "cmd:responseRecords", name == "cmd:resourceRecords"
	metadata := name == "cmd:metadataRecords"
	w.only(name, response, "declaredMimeTypes", len(r.DeclaredMIMETypes))
	w.only(name, response || resource, "hosts", len(r.Hosts))
	w.only(name, response || resource, "responses", len(r.Responses))
	w.only(name, name == "cmd:requestRecords", "userAgents", len(r.UserAgents))
	w.only(name, metadata, "concurrentToRelationships", len(r.ConcurrentTo))
	w.only(name, metadata, "refersToRelationships", len(r.RefersTo))
	w.only(name, name == "cmd:revisitRecords", "warcProfiles", len(r.Profiles))

	w.counts("cmd:declaredMimeTypes", "cmd:declaredMimeType", r.DeclaredMIMETypes)
	w.counts("cmd:hosts", "cmd:host", r.Hosts)
	w.responses(r.Responses)
	w.summed("cmd:userAgents", "cmd:userAgent", r.UserAgents)
	w.summed("cmd:concurrentToRelationships", "cmd:concurrentToRelationship", r.ConcurrentTo)
	w.summed("cmd:refersToRelationships", "cmd:refersToRelationship", r.RefersTo)
	w.summed("cmd:warcProfiles", "cmd:warcProfile", r.Profiles)
	w.End(name)
}

// only refuses a list that the schema does not allow for a record type.
func (w writer) only(name string, has bool, list string, n int) {
	if !has && n > 0 {
		w.failf("%s cannot have %s", name, list)
	}
}

func (w writer) summed(outer, inner string, list []Summed) {
	if len(list) == 0 {
		return
	}
	w.Start(outer)
	w.each(inner, list)
	w.End(outer)
}

func (w writer) each(name string, list []Summed) {
	for i := range list {
		w.Start(name)
		w.sums(&list[i].Sums)
		w.Text(list[i].Value)
		w.End(name)
	}
}

func (w writer) counts(outer, inner string, list []Count) {
	if len(list) == 0 {
		return
	}
	w.Start(outer)
	for _, c := range list {
		w.count(inner, c)
	}
	w.End(outer)
}

func (w writer) count(name string, c Count) {
	w.Start(name)
	w.size("number", c.Number)
	w.size("globalSize", c.GlobalSize)
	w.Text(c.Value)
	w.End(name)
}

func (w writer) responses(list []Response) {
	if len(list) == 0 {
		return
	}
	w.Start("cmd:responses")
	for i := range list {
		w.response(&list[i])
	}
	w.End("cmd:responses")
}

func (w writer) response(r *Response) {
	if r.ProtocolName == "" {
		w.failf("response %s needs the name of a protocol", r.Status)
	}
	w.Start("cmd:response")
	w.Attr("protocolName", r.ProtocolName)
	w.AttrOpt("protocolVersion", r.ProtocolVersion)
	w.size("number", r.Number)
	w.size("globalSize", r.GlobalSize)
	w.Text(r.Status)
	w.End("cmd:response")
}

// otherRecords writes the record types that have no element in the schema, in an extension of their
// own. So the numbers of all types add up to the numbers in entriesInformation.
func (w writer) otherRecords(list []OtherRecords) {
	if len(list) == 0 {
		return
	}
	w.Start("cmd:entriesExtension")
	w.Start("cmd:other")
	for i := range list {
		r := &list[i]
		w.Declare("qrt", RecordTypesNamespace)
		w.Start("qrt:records")
		w.Attr("type", r.Type)
		w.sums(&r.Sums)
		w.each("qrt:blockFormat", r.BlockFormats)
		w.each("qrt:payloadFormat", r.PayloadFormats)
		w.End("qrt:records")
	}
	w.End("cmd:other")
	w.End("cmd:entriesExtension")
}
