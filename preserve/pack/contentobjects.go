package pack

import (
	"encoding/hex"
	"slices"
	"strings"

	"quire/format/warc"
	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/convert/mirror"
	"quire/preserve/pages"
)

// contentObjects writes an amdSec with the premis:object of each bytestream of a container
// (docs/reference/310_package-format.md, 2.9) for which here returns true, if there are some.
func (b *builder) contentObjects(w *mets.Writer, p packed, from *derivedReader, here func(*content) bool) error {
	open := false
	err := b.eachDescribed(p, from, func(c *content, d *derivation) error {
		if !here(c) {
			return nil
		}
		if !open {
			open = true
			w.StartAmdSec(aip.RecordsAmdID(p.N))
		}
		b.objectSection(w, aip.BodyObjID(p.N, c.Order), b.contentObject(&p, c, d.source))
		return w.Err()
	})
	if open {
		w.EndAmdSec()
	}
	return err
}

// countObjects counts the entries of a container's records in the METS.
func (b *builder) countObjects(p packed, from *derivedReader) (tallied, error) {
	n := tallied{broken: p.Contents.Broken}
	l := p.layout()
	err := b.contents.each(p.Contents.Rows, func(c *content) error {
		switch {
		case !l.holds(c):
			n.unplaced++
			return nil
		case c.Size == 0:
			n.records++
			return nil
		}
		d, err := b.derivationOf(p, c, from)
		if err != nil || !d.described {
			return err
		}
		n.records++
		n.bodies++
		if d.refers && d.source == (place{}) {
			n.unresolved++
		}
		return nil
	})
	return n, err
}

// derivation is how a bytestream is derived from others, and others from it.
type derivation struct {
	source    place // zero if not known
	refers    bool  // it names a source
	used      place // the last bytestream derived from it; zero for none
	described bool  // the METS has an object for it
}

// derivationOf returns the derivation of a bytestream. Bytestreams must be queried in the order of
// the package.
func (b *builder) derivationOf(p packed, c *content, from *derivedReader) (d derivation, err error) {
	d.source, d.refers, d.used, err = from.of(place{p.N, c.Order})
	d.described = b.o.Profile.itemized() || d.used != (place{}) || c.replaces() || c.infected()
	return d, err
}

// eachDescribed visits the bytestreams of a container that have an object.
func (b *builder) eachDescribed(p packed, from *derivedReader, visit func(*content, *derivation) error) error {
	l := p.layout()
	return b.contents.each(p.Contents.Rows, func(c *content) error {
		if !l.holds(c) || c.Size == 0 {
			return nil
		}
		d, err := b.derivationOf(p, c, from)
		if err != nil || !d.described {
			return err
		}
		return visit(c, &d)
	})
}

// contentObject returns a bytestream as an object (a PREMIS filestream): as sent and, if different,
// as it would be served.
func (b *builder) contentObject(p *packed, c *content, source place) premis.Object {
	o := premis.Object{
		Category:              premis.File,
		Identifiers:           []premis.Identifier{b.identify(aip.BodyObjID(p.N, c.Order))},
		SignificantProperties: c.properties(),
		Characteristics:       b.contentCharacteristics(p, c),
		OriginalName:          c.URI,
		Relationships: []premis.Relationship{b.relation("structural", "is included in",
			aip.ContainerObjID(p.N))},
	}
	for _, id := range b.contentEvents(p, c) {
		o.Events = append(o.Events, b.eventLink(id))
	}
	if source != (place{}) {
		o.Relationships = append(o.Relationships, b.derivation(p, c, source))
	}
	return o
}

// derivation returns the relationship of a derived bytestream to its source. The subtypes of pages
// with restored links and of cleaned content are the British Library's.
func (b *builder) derivation(p *packed, c *content, source place) premis.Relationship {
	subType, event := "has source", ""
	switch {
	case c.rewritten():
		subType = "Transformation"
		if p.transformed() > 0 {
			event = aip.TransformationEventID(p.N)
		}
	case c.Part == partCleaned:
		event = aip.CleanEventID
		if c.cleaned() {
			subType = "cleanedFile"
		}
	}
	r := b.relation("derivation", subType, aip.BodyObjID(source.container, source.order))
	if event != "" {
		r.Events = []premis.RelatedEvent{{Identifier: b.identify(event)}}
	}
	return r
}

// contentEvents returns the events of a bytestream. Each event is in the METS once.
func (b *builder) contentEvents(p *packed, c *content) []string {
	events := append(make([]string, 0, 4), aip.DigestEventID)
	if b.formats != nil && c.Format.Name != "" {
		events = append(events, aip.FormatEventID)
	}
	if c.Scan != "" {
		events = append(events, aip.VirusEventID(p.N))
	}
	if p.Made != nil {
		events = append(events, aip.MigrationEventID(p.N))
	}
	if p.transformed() > 0 && c.rewritten() {
		events = append(events, aip.TransformationEventID(p.N))
	}
	if c.Part == partCleaned {
		events = append(events, aip.CleanEventID)
	}
	return events
}

// contentCharacteristics describes the forms of a bytestream, starting with the form as sent. Each
// composition level has a block; 0 is the content. The form without chunked framing but with
// codings has a block if the stated digest is of it.
func (b *builder) contentCharacteristics(p *packed, c *content) []premis.Characteristics {
	level := len(c.Body.Removed)
	sent := premis.Characteristics{
		CompositionLevel: xmlstream.IntOf(int64(level)), Size: xmlstream.IntOf(c.Size),
		Fixity: b.computed(c, c.Body.SHA256, c.Body.SHA512),
	}
	if level == 0 {
		sent.Formats = c.formats()
		if c.Body.Stated == model.ReadSent || c.Body.Stated != model.ReadNone && c.Body.Stated != model.ReadBlock &&
			c.Body.Whole {
			sent.Fixity = append(sent.Fixity, stated(p, c)...)
		}
		return []premis.Characteristics{sent}
	}
	sent.Formats = codingFormat(c.Body.Removed[0])
	served := premis.Characteristics{
		CompositionLevel: xmlstream.IntOf(0), Size: xmlstream.IntOf(c.Body.ServedLength),
		Fixity: b.computed(c, c.Body.ServedSHA256, c.Body.ServedSHA512), Formats: c.formats(),
	}
	all := append(make([]premis.Characteristics, 0, 3), sent)
	switch {
	case c.Body.Stated == model.ReadSent:
		all[0].Fixity = append(all[0].Fixity, stated(p, c)...)
	case c.Body.Stated == model.ReadPayload && level > 1:
		all = append(all, premis.Characteristics{
			CompositionLevel: xmlstream.IntOf(int64(level - 1)), Fixity: stated(p, c),
			Formats: codingFormat(c.Body.Removed[1]),
		})
	case c.Body.Stated == model.ReadPayload, c.Body.Stated == model.ReadServed:
		served.Fixity = append(served.Fixity, stated(p, c)...)
	}
	return append(all, served)
}

// computed returns the digests of a bytestream that Quire computed.
func (b *builder) computed(c *content, sum256 [32]byte, sum512 [64]byte) []premis.Fixity {
	by := premis.Text(b.o.Agent.Name)
	all := append(make([]premis.Fixity, 0, 3), premis.Fixity{
		Algorithm: sha256Term, Digest: hex.EncodeToString(sum256[:]), Originator: by,
	})
	if c.wide() {
		all = append(all, premis.Fixity{
			Algorithm: sha512Term, Digest: hex.EncodeToString(sum512[:]), Originator: by,
		})
	}
	return all
}

// The terms of many objects. The containers' objects have them with the URIs of their vocabularies.
// Repeating the URIs a million times would double the METS.
var (
	sha256Term = premis.Text(string(model.SHA256))
	sha512Term = premis.Text(string(model.SHA512))
)

// relation returns a relationship of a bytestream to the object with that ID.
func (b *builder) relation(kind, subType, id string) premis.Relationship {
	return premis.Relationship{Type: premis.Text(kind), SubType: premis.Text(subType),
		Objects: []premis.RelatedObject{{Identifier: b.identify(id)}}}
}

// stated returns the payload digest of the header, as written. The software that wrote the
// container computed it.
func stated(p *packed, c *content) []premis.Fixity {
	algorithm, digest, labelled := strings.Cut(c.PayloadDigest, ":")
	if d, err := warc.ParseDigest(c.PayloadDigest); err == nil {
		algorithm = d.Algorithm
	}
	if !labelled {
		digest = c.PayloadDigest
	}
	originator := p.Container.Software
	if strings.TrimSpace(originator) == "" {
		originator = "crawler"
	}
	return []premis.Fixity{{Algorithm: hashTerm(algorithm), Digest: digest, Originator: premis.Text(originator)}}
}

// hashTerm returns the PREMIS name of a WARC algorithm.
func hashTerm(algorithm string) premis.Term {
	switch a := strings.ToLower(algorithm); a {
	case "md5":
		return premis.Text("MD5")
	case "sha1", "sha256", "sha384", "sha512":
		return premis.Text("SHA-" + a[len("sha"):])
	}
	return premis.Text(algorithm)
}

// properties returns the other statements of the record about its content. They include a stated
// digest if its form is not among the characteristics.
func (c *content) properties() []premis.Property {
	var all []premis.Property
	add := func(kind, value string) {
		if value != "" {
			all = append(all, premis.Property{Type: premis.Text(kind), Value: value})
		}
	}
	switch s := c.Body.Stated; {
	case s == model.ReadBlock:
		add("payload digest as stated, of the whole block", c.PayloadDigest)
	case s == model.ReadNone, !c.Body.Whole && s != model.ReadSent:
		add("payload digest as stated", c.PayloadDigest)
	}
	if !c.Body.Whole && c.Segment == "" {
		add("as served", "not known: framing or codings cannot be removed to the end")
	}
	add("truncated", c.Truncated)
	add("segment", c.Segment)
	return all
}

// formats returns the formats of the content, as identified and as declared.
func (c *content) formats() []premis.Format {
	all := make([]premis.Format, 0, 2)
	if c.Format.Known() {
		all = append(all, identifiedAs(&c.Format))
	}
	if c.MIME != "" {
		all = append(all, premis.Format{Name: premis.Text(c.MIME), Notes: declared})
	}
	if len(all) == 0 {
		all = append(all, premis.Format{Name: premis.Text("unknown")})
	}
	return all
}

// identifiedAs returns an identified format: its name, version and entry as PRONOM has them. A format
// without an entry in PRONOM has its evidence in the note.
func identifiedAs(f *model.Format) premis.Format {
	found := premis.Format{Name: premis.Text(f.Name), Version: f.Version, Notes: identified}
	if f.PUID != "" {
		found.Registry = pronomEntry(f.PUID)
	}
	if f.Basis != "" {
		found.Notes = []string{identified[0] + " by the " + f.Basis}
	}
	return found
}

var identified, declared = []string{"identified"}, []string{"declared"}

// codingFormat returns the format of a bytestream that still has a coding.
func codingFormat(coding string) []premis.Format { return codingFormats[coding] }

var codingFormats = func() map[string][]premis.Format {
	all := map[string][]premis.Format{"gzip": {gzipFormat}}
	for _, coding := range []string{"chunked", "deflate", "br", "zstd"} {
		all[coding] = []premis.Format{{Name: premis.Text(coding)}}
	}
	return all
}()

// page reports whether the record is a web page: HTML from a server, or a page of a mirror, or a cleaned
// page. The
// original file of a mirror's page is not a page. A revisit record is a page whose content is stored
// elsewhere.
func (c *content) page() bool {
	if c.Part == mirror.PartFile || c.isRobots() || !c.isOfWebsite() {
		return false
	}
	switch {
	case c.Type == warc.TypeRevisit && c.isAnswered():
	case c.Size == 0:
		return false
	case c.Type == warc.TypeResponse && c.isAnswered():
	case c.Type == warc.TypeResource, c.replaces():
	default:
		return false
	}
	return c.isHTML()
}

// isAnswered reports whether the server answered with success. 304 means that the content is the one
// of an earlier capture.
func (c *content) isAnswered() bool {
	return strings.HasPrefix(c.Status, "2") && len(c.Status) == 3 || c.Type == warc.TypeRevisit && c.Status == "304"
}

// isHTML reports whether the content is HTML or XHTML: as identified or, if not identified, as
// declared.
func (c *content) isHTML() bool { return pages.IsHTML(c.Format.PUID, c.MIME) }

// associated reports whether the record is another object of the website: content from a server, or
// derived from it.
func (c *content) associated() bool {
	if c.Size == 0 && c.Type != warc.TypeRevisit || !c.isOfWebsite() {
		return false
	}
	switch c.Type {
	case warc.TypeResponse, warc.TypeResource, warc.TypeConversion, warc.TypeRevisit:
		return !c.page()
	}
	return false
}

// notWebsite are the schemes of URIs that crawlers make up for their own records.
var notWebsite = []string{"urn:", "metadata:", "warcinfo:", "filedesc:", "dns:", "whois:", "screenshot:",
	"annotations:"}

// isOfWebsite reports whether a record is of the website, and not of the crawler: a log, a
// screenshot, an answer of the name server.
func (c *content) isOfWebsite() bool {
	scheme, _, ok := strings.Cut(c.URI, ":")
	return ok && !slices.Contains(notWebsite, strings.ToLower(scheme)+":")
}

// isRobots reports whether the record is a robots.txt, which some servers answer with HTML.
func (c *content) isRobots() bool {
	address, _, _ := strings.Cut(c.URI, "?")
	_, rest, ok := strings.Cut(address, "://")
	_, name, slash := strings.Cut(rest, "/")
	return ok && slash && name == "robots.txt"
}

// bareID returns a record id without its angle brackets.
func bareID(id string) string { return strings.TrimSuffix(strings.TrimPrefix(id, "<"), ">") }
