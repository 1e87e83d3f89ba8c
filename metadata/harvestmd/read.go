package harvestmd

import "quire/metadata/xmlstream"

// ReadFacts reads the current part, and passes each of its facts to take. Limits and counts have the
// names "limit" and "counted", and the value "name=value". It skips tables.
func ReadFacts(x *xmlstream.Reader, take func(Fact)) error {
	if e := x.Element(); e.Space != Namespace {
		return x.Errorf("want an element of harvestMD, found <%s> of namespace %q", e.Local, e.Space)
	}
	switch x.Element().Local {
	case "run", "definition", "settings":
	default:
		return x.Skip()
	}
	return x.Whole(func() error {
		return x.EachIn(Namespace, func(e xmlstream.Element) error {
			f := Fact{Name: e.Attr("name"), Source: e.Attr("source")}
			kind := e.Local
			if kind != "fact" && kind != "limit" && kind != "count" {
				return x.Skip()
			}
			if err := x.TextTo(&f.Value); err != nil {
				return err
			}
			switch kind {
			case "limit":
				f.Name, f.Value = "limit", f.Name+"="+f.Value
			case "count":
				f.Name, f.Value = "counted", f.Name+"="+f.Value
			}
			take(f)
			return nil
		})
	})
}
