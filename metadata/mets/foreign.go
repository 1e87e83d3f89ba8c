package mets

// Foreign is an attribute of another namespace. METS allows these on most of its elements
// (anyAttribute ##other), and profiles need them: E-ARK's csip:OAISPACKAGETYPE. They are written
// after the attributes of METS, in order. They are not read.
type Foreign struct {
	Name  string // with a prefix declared in Root.Namespaces: "csip:OAISPACKAGETYPE"
	Value string
}

func (w *Writer) foreign(list []Foreign) {
	for _, f := range list {
		w.x.Attr(f.Name, f.Value)
	}
}
