package mets

// StartFileSec opens the fileSec. The id may be empty.
func (w *Writer) StartFileSec(id string) {
	if w.begin(kMets, kFileSec) {
		w.id(id, false)
	}
}

// EndFileSec closes the fileSec, which must contain a group.
func (w *Writer) EndFileSec() { w.end(kFileSec) }

// StartFileGrp opens a group of files, in the fileSec or in another group. A group contains groups
// or files, not both.
func (w *Writer) StartFileGrp(g FileGrp) {
	parent := kFileSec
	if len(w.open) > 0 && w.open[len(w.open)-1].kind == kFileGrp {
		parent = kFileGrp
	}
	if !w.begin(parent, kFileGrp) {
		return
	}
	w.id(g.ID, false)
	w.x.AttrTimeOpt("VERSDATE", g.VersDate)
	w.x.AttrListOpt("ADMID", g.AdmID)
	w.x.AttrOpt("USE", g.Use)
	w.foreign(g.Foreign)
}

// EndFileGrp closes a group.
func (w *Writer) EndFileGrp() { w.end(kFileGrp) }

// File writes a file without files inside it.
func (w *Writer) File(f File) {
	w.StartFile(f)
	w.EndFile()
}

// StartFile opens a file, in a group or in the file that contains it.
func (w *Writer) StartFile(f File) {
	parent := kFileGrp
	if len(w.open) > 0 && w.open[len(w.open)-1].kind == kFile {
		parent = kFile
	}
	if !w.begin(parent, kFile) {
		return
	}
	w.id(f.ID, true)
	w.x.AttrIntOpt("SEQ", f.Seq)
	w.fileCore(&f.FileCore)
	w.x.AttrOpt("OWNERID", f.OwnerID)
	w.x.AttrListOpt("ADMID", f.AdmID)
	w.x.AttrListOpt("DMDID", f.DmdID)
	w.x.AttrOpt("GROUPID", f.GroupID)
	w.x.AttrOpt("USE", f.Use)
	w.byteRange(&f, parent)
	for i := range f.Locations {
		w.fLocat(&f.Locations[i])
	}
	for i := range f.Transforms {
		w.transform(&f.Transforms[i])
	}
}

// EndFile closes the file.
func (w *Writer) EndFile() { w.end(kFile) }

// byteRange writes BEGIN and END, the place of a file in the file that contains it. Other files
// must not have them.
func (w *Writer) byteRange(f *File, parent kind) {
	begin, hasBegin := f.Begin.Get()
	end, hasEnd := f.End.Get()
	if !hasBegin && !hasEnd {
		return
	}
	switch {
	case parent != kFile:
		w.failf("file %s has BEGIN or END but is not inside another file", f.ID)
	case !hasBegin, begin < 0, hasEnd && end < begin:
		w.failf("file %s: BEGIN %q and END %q are not a range", f.ID, f.Begin, f.End)
	}
	w.x.AttrIntOpt("BEGIN", f.Begin)
	w.x.AttrIntOpt("END", f.End)
	w.x.Attr("BETYPE", "BYTE")
}

func (w *Writer) fLocat(l *FLocat) {
	w.x.Start("mets:FLocat")
	w.id(l.ID, false)
	w.x.AttrOpt("USE", l.Use)
	w.location(&l.Location)
	w.x.End("mets:FLocat")
}

func (w *Writer) transform(t *Transform) {
	if t.Algorithm == "" || t.Order < 1 {
		w.failf("transformFile needs an algorithm and an order from 1")
		return
	}
	w.x.Start("mets:transformFile")
	w.id(t.ID, false)
	w.x.AttrInt("TRANSFORMORDER", t.Order)
	w.oneOf("TRANSFORMTYPE", t.Type, transformTypes, true)
	w.x.Attr("TRANSFORMALGORITHM", t.Algorithm)
	w.x.AttrOpt("TRANSFORMKEY", t.Key)
	w.idref("TRANSFORMBEHAVIOR", t.Behavior)
	w.x.End("mets:transformFile")
}
