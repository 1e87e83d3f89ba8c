package mets

// Foreign is an attribute of another namespace, which METS lets stand on most of its elements
// (anyAttribute ##other), as profiles need it: E-ARK's csip:OAISPACKAGETYPE. It is written after
// those of METS, in order. It is not read back.
type Foreign struct {
	Name  string // with the prefix that Root.Namespaces declares: "csip:OAISPACKAGETYPE"
	Value string
}

func (w *Writer) foreign(list []Foreign) {
	for _, f := range list {
		w.x.Attr(f.Name, f.Value)
	}
}
