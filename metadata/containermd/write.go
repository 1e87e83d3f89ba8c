package containermd

import (
	"fmt"
	"slices"

	"quire/metadata/xmlstream"
)

// Write writes a complete containerMD element.
func Write(x *xmlstream.Writer, c ContainerMD, opt Options) error {
	if err := Begin(x, c.Container, c.Information, opt); err != nil {
		return err
	}
	for i := range c.Entries {
		if err := WriteEntry(x, c.Entries[i]); err != nil {
			return err
		}
	}
	return End(x)
}

// Begin writes everything before the list of entries. Call [WriteEntry] for each entry, and then
// [End].
func Begin(x *xmlstream.Writer, c Container, info *Information, opt Options) error {
	w := writer{x}
	w.Declare("cmd", Namespace)
	w.Start("cmd:containerMD")
	w.container(&c, opt)
	w.Start("cmd:entries")
	if info != nil {
		w.information(info)
	}
	return w.Err()
}

// End closes the elements that [Begin] opened.
func End(x *xmlstream.Writer) error {
	x.End("cmd:entries")
	x.End("cmd:containerMD")
	return x.Err()
}

// writer adds the elements of containerMD to an XML writer.
type writer struct{ *xmlstream.Writer }

func (w writer) failf(format string, args ...any) {
	w.Fail(fmt.Errorf("containermd: "+format, args...))
}

var algorithms = []string{"SHA-512", "SHA-256", "SHA-1", "MD5", "Adler-32", "CRC32", "HAVAL", "MNP", "SHA-384", "TIGER",
	"WHIRLPOOL"}

func (w writer) id(id string) {
	if id != "" && !xmlstream.IsNCName(id) {
		w.failf("%q cannot be an ID: want a letter or _, then letters, digits, . _ -", id)
	}
	w.AttrOpt("ID", id)
}

// size writes an attribute of type xs:nonNegativeInteger.
func (w writer) size(name string, v xmlstream.Int) {
	if n, ok := v.Get(); ok && n < 0 {
		w.failf("%s %d is negative", name, n)
	}
	w.AttrIntOpt(name, v)
}

func (w writer) container(c *Container, opt Options) {
	w.Start("cmd:container")
	w.id(c.ID)
	w.AttrTimeOpt("creationDateTime", c.Created)
	w.AttrTimeOpt("lastModificationDateTime", c.Modified)
	w.fixities(c.Fixity)
	w.ElementOpt("cmd:originalName", c.OriginalName)
	w.formats(c.Formats)
	w.encodings(c.Encodings)
	w.environments(c.Environments, opt.Version)
	w.assessment(c.Assessment)
	if c.ARC != nil {
		w.Start("cmd:containerExtension")
		w.arcContainer(c.ARC)
		w.End("cmd:containerExtension")
	}
	w.End("cmd:container")
}

func (w writer) fixities(list []Fixity) {
	for _, f := range list {
		if f.Algorithm != "" && !slices.Contains(algorithms, f.Algorithm) {
			w.failf("digest algorithm %q is not in the list of containerMD", f.Algorithm)
		}
		w.Start("cmd:fixity")
		w.AttrOpt("messageDigest", f.Digest)
		w.AttrOpt("messageDigestAlgorithm", f.Algorithm)
		w.size("size", f.Size)
		w.End("cmd:fixity")
	}
}

func (w writer) formats(list []FormatDesignation) {
	for _, f := range list {
		if len(f.Names) == 0 {
			w.failf("formatDesignation needs a name")
		}
		w.Start("cmd:formatDesignation")
		for _, n := range f.Names {
			w.Element("cmd:formatName", n)
		}
		w.ElementOpt("cmd:formatVersion", f.Version)
		w.End("cmd:formatDesignation")
	}
}

func (w writer) encodings(list []Encoding) {
	for _, e := range list {
		if e.Type != "compression" && e.Type != "encryption" {
			w.failf("encoding type %q: want compression or encryption", e.Type)
		}
		if order, ok := e.Order.Get(); ok && order < 1 {
			w.failf("encoding order %d: counted from 1", order)
		}
		w.Start("cmd:encoding")
		w.Attr("type", e.Type)
		w.Attr("method", e.Method)
		w.AttrIntOpt("order", e.Order)
		w.size("originalSize", e.OriginalSize)
		w.End("cmd:encoding")
	}
}

// environments writes the environments. For web archives, 1.1 and 1.2 differ only in this part.
func (w writer) environments(list []Environment, v Version) {
	if len(list) == 0 {
		return
	}
	prefix := "cmd:creating"
	switch v {
	case Version12:
	case Version11:
		prefix = "cmd:encoding"
	default:
		w.failf("containerMD 1.1 and 1.2 name the environment differently: choose a version")
		return
	}
	for _, e := range list {
		w.Start(prefix + "Environment")
		for _, p := range e.Platforms {
			w.Element(prefix+"Platform", p)
		}
		for _, s := range e.Software {
			w.Start(prefix + "Software")
			w.Element(prefix+"SoftwareName", s.Name)
			w.ElementOpt(prefix+"SoftwareVersion", s.Version)
			w.End(prefix + "Software")
		}
		w.End(prefix + "Environment")
	}
}

func (w writer) assessment(a *Assessment) {
	if a == nil {
		return
	}
	if a.AgentName == "" {
		w.failf("assessmentInformation needs the name of an agent")
	}
	w.Start("cmd:assessmentInformation")
	w.Attr("agentName", a.AgentName)
	w.AttrOpt("agentVersion", a.AgentVersion)
	w.ElementOpt("cmd:outcome", a.Outcome)
	for _, n := range a.Notes {
		w.Element("cmd:outcomeDetailNote", n)
	}
	w.End("cmd:assessmentInformation")
}

func (w writer) arcContainer(a *ARCContainer) {
	w.Start("cmd:ARCContainer")
	w.ElementOpt("cmd:fileName", a.FileName)
	w.ElementOpt("cmd:ipAddress", a.IPAddress)
	w.ElementOpt("cmd:creationDateTime", xmlstream.FormatTime(a.Created))
	w.ElementOpt("cmd:profile", a.Profile)
	w.ElementOpt("cmd:originCode", a.OriginCode)
	if a.VersionBlockPayload != nil {
		w.Element("cmd:versionBlockPayload", fmt.Sprint(*a.VersionBlockPayload))
	}
	if a.Metadata != nil {
		w.mdSec(a.Metadata)
	}
	w.End("cmd:ARCContainer")
}

var mdTypes = []string{"OTHER", "MIX", "LC-VIDEO", "LC-AUDIO", "TEXTMD", "METSRIGHTS", "CDLCopyright", "XMLSignature"}

func (w writer) mdSec(m *MDSec) {
	if m.ID == "" || m.Payload == nil || !slices.Contains(mdTypes, m.MDType) {
		w.failf("mdSec %q needs an ID, a payload, and an MDTYPE of the list; it is %q", m.ID, m.MDType)
		return
	}
	w.Start("cmd:mdSec")
	w.id(m.ID)
	w.Start("cmd:mdWrap")
	w.Attr("MDTYPE", m.MDType)
	w.AttrOpt("OTHERMDTYPE", m.OtherMDType)
	w.AttrOpt("MDTYPEVERSION", m.MDTypeVersion)
	w.Start("cmd:xmlData")
	if w.Err() == nil {
		if err := m.Payload(w.Writer); err != nil {
			w.Fail(err)
		}
	}
	w.End("cmd:xmlData")
	w.End("cmd:mdWrap")
	w.End("cmd:mdSec")
}
