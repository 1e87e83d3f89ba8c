package containermd

import "quire/metadata/xmlstream"

func (r reader) sums(s *Sums, e xmlstream.Element) (err error) {
	var number xmlstream.Int
	if err = r.ints(e, map[string]*xmlstream.Int{"number": &number, "minimumSize": &s.MinimumSize,
		"maximumSize": &s.MaximumSize, "globalSize": &s.GlobalSize}); err != nil {
		return err
	}
	s.Number, _ = number.Get()
	if s.First, err = xmlstream.ParseTime(e.Attr("firstDateTime")); err != nil {
		return r.Errorf("firstDateTime: %w", err)
	}
	if s.Last, err = xmlstream.ParseTime(e.Attr("lastDateTime")); err != nil {
		return r.Errorf("lastDateTime: %w", err)
	}
	return nil
}

func (r reader) information(info *Information, e xmlstream.Element) error {
	if err := r.sums(&info.Sums, e); err != nil {
		return err
	}
	return r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "formats":
			return r.each(func(e xmlstream.Element) error { return r.countedFormat(info, e) })
		case "encodings":
			return r.each(func(e xmlstream.Element) error { return r.encoding(&info.Encodings, e) })
		case "entriesExtension":
			return r.entriesExtension(info)
		}
		return r.Unknown()
	})
}

func (r reader) countedFormat(info *Information, e xmlstream.Element) error {
	f := Format{Name: e.Attr("name"), Version: e.Attr("version")}
	var number xmlstream.Int
	err := r.ints(e, map[string]*xmlstream.Int{"number": &number, "globalSize": &f.GlobalSize})
	f.Number, _ = number.Get()
	info.Formats = append(info.Formats, f)
	return err
}

// entriesExtension reads one extension: the sums of ARC or WARC records, or the sums that Quire's
// writer puts under "other".
func (r reader) entriesExtension(info *Information) error {
	return r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "ARCEntries":
			info.ARC = &ARCEntries{}
			return r.arcEntries(info.ARC)
		case "WARCEntries":
			r.needWARC(info)
			return r.warcEntries(info.WARC)
		case "other":
			return r.Each(func(e xmlstream.Element) error {
				switch {
				case e.Is(CapturesNamespace, "captures"):
					return r.captures(info)
				case e.Space != RecordTypesNamespace:
					return r.Unknown()
				}
				r.needWARC(info)
				return r.otherRecords(info.WARC, e)
			})
		}
		return r.Unknown()
	})
}

func (r reader) needWARC(info *Information) {
	if info.WARC == nil {
		info.WARC = &WARCEntries{}
	}
}

func (r reader) arcEntries(a *ARCEntries) error {
	return r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "declaredMimeTypes":
			return r.counts(&a.DeclaredMIMETypes)
		case "hosts":
			return r.counts(&a.Hosts)
		case "responses":
			return r.responses(&a.Responses)
		}
		return r.Unknown()
	})
}

func (r reader) warcEntries(w *WARCEntries) error {
	return r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "warcInfoRecords":
			return r.records(&w.WARCInfo, e)
		case "responseRecords":
			w.Response = &Records{}
			return r.records(w.Response, e)
		case "resourceRecords":
			w.Resource = &Records{}
			return r.records(w.Resource, e)
		case "requestRecords":
			w.Request = &Records{}
			return r.records(w.Request, e)
		case "metadataRecords":
			w.Metadata = &Records{}
			return r.records(w.Metadata, e)
		case "revisitRecords":
			w.Revisit = &Records{}
			return r.records(w.Revisit, e)
		}
		return r.Unknown()
	})
}

func (r reader) records(rec *Records, e xmlstream.Element) error {
	if err := r.sums(&rec.Sums, e); err != nil {
		return err
	}
	return r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "blockFormats":
			return r.summed(&rec.BlockFormats)
		case "payloadFormats":
			return r.summed(&rec.PayloadFormats)
		case "identifiedPayloadTypes":
			return r.summed(&rec.IdentifiedPayloadTypes)
		case "declaredMimeTypes":
			return r.counts(&rec.DeclaredMIMETypes)
		case "hosts":
			return r.counts(&rec.Hosts)
		case "responses":
			return r.responses(&rec.Responses)
		case "userAgents":
			return r.summed(&rec.UserAgents)
		case "concurrentToRelationships":
			return r.summed(&rec.ConcurrentTo)
		case "refersToRelationships":
			return r.summed(&rec.RefersTo)
		case "warcProfiles":
			return r.summed(&rec.Profiles)
		}
		return r.Unknown()
	})
}

// summed reads a list of values with their sums. The list's name gives their meaning.
func (r reader) summed(dst *[]Summed) error {
	return r.each(func(e xmlstream.Element) error { return r.addSummed(dst, e) })
}

func (r reader) addSummed(dst *[]Summed, e xmlstream.Element) error {
	var s Summed
	if err := r.sums(&s.Sums, e); err != nil {
		return err
	}
	err := r.TextTo(&s.Value)
	*dst = append(*dst, s)
	return err
}

func (r reader) counts(dst *[]Count) error { return r.countsIn(Namespace, dst) }

// countsIn reads a list whose elements are in a namespace.
func (r reader) countsIn(space string, dst *[]Count) error {
	return r.EachIn(space, func(e xmlstream.Element) error {
		var c Count
		if err := r.ints(e, map[string]*xmlstream.Int{"number": &c.Number, "globalSize": &c.GlobalSize}); err != nil {
			return err
		}
		err := r.TextTo(&c.Value)
		*dst = append(*dst, c)
		return err
	})
}

func (r reader) responses(dst *[]Response) error {
	return r.each(func(e xmlstream.Element) error {
		resp, err := r.response(e)
		*dst = append(*dst, resp)
		return err
	})
}

func (r reader) response(e xmlstream.Element) (Response, error) {
	resp := Response{ProtocolName: e.Attr("protocolName"), ProtocolVersion: e.Attr("protocolVersion")}
	err := r.ints(e, map[string]*xmlstream.Int{"number": &resp.Number, "globalSize": &resp.GlobalSize})
	if err != nil {
		return resp, err
	}
	err = r.TextTo(&resp.Status)
	return resp, err
}

func (r reader) otherRecords(w *WARCEntries, e xmlstream.Element) error {
	if e.Local != "records" {
		return r.Unknown()
	}
	o := OtherRecords{Type: e.Attr("type")}
	if err := r.sums(&o.Sums, e); err != nil {
		return err
	}
	err := r.EachIn(RecordTypesNamespace, func(e xmlstream.Element) error {
		switch e.Local {
		case "blockFormat":
			return r.addSummed(&o.BlockFormats, e)
		case "payloadFormat":
			return r.addSummed(&o.PayloadFormats, e)
		}
		return r.Unknown()
	})
	w.Other = append(w.Other, o)
	return err
}
