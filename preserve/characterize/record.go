package characterize

import (
	"cmp"
	"slices"
	"strings"

	"quire/format/warc"
	"quire/metadata/containermd"
	"quire/metadata/xmlstream"
	"quire/model"
)

// entryOf describes one record. The schema's WARCEntry requires a warcinfo in every entry. So an
// ARCEntry holds the server's answer, and a Quire mdSec holds the rest of the header.
func entryOf(r *model.Record, compression string) containermd.Entry {
	e := containermd.Entry{
		Order: r.Order, Type: entryType(r.Type), Name: cmp.Or(r.URI, r.ID), Created: dated(r.Date),
		Fixity: fixityOf(r), Formats: designationOf(r), Record: headerOf(r),
	}
	if compression != "gzip-whole" { // there all records are in one member, and only its position is known
		e.Begin = xmlstream.IntOf(r.Offset)
	}
	if r.Stored > 0 {
		e.End = xmlstream.IntOf(r.Offset + r.Stored - 1) // the last byte, as in METS (docs/reference/310_package-format.md, 2.8)
		if method := CompressionType(compression); method != "" {
			e.Encodings = []containermd.Encoding{{Type: "compression", Method: method, Order: xmlstream.IntOf(1)}}
		}
	}
	if r.DeclaredMIME != "" || r.Host != "" || r.Status != "" {
		e.ARC = &containermd.ARCEntry{DeclaredMIMEType: r.DeclaredMIME, Host: r.Host}
		if r.Status != "" {
			e.ARC.Response = &containermd.Response{Status: r.Status, ProtocolName: "http",
				ProtocolVersion: r.HTTPVersion}
		}
	}
	return e
}

// entryType returns "file" for content from a server or a conversion, and "other" for data about
// content: the schema has tar's types.
func entryType(kind string) string {
	if slices.Contains([]string{warc.TypeResponse, warc.TypeResource, warc.TypeConversion}, kind) {
		return "file"
	}
	return "other"
}

// fixities maps the names of algorithms in digest fields of records to their names in containerMD.
var fixities = map[string]string{"md5": "MD5", "sha1": "SHA-1", "sha256": "SHA-256", "sha384": "SHA-384",
	"sha512": "SHA-512"}

// fixityOf returns the size of the payload. It also returns the stated digest, if the pass computed
// the same digest. In a revisit, the digest is of another record's payload; in a segment, it is of
// the whole payload.
func fixityOf(r *model.Record) []containermd.Fixity {
	size := xmlstream.IntOf(r.Payload)
	stated := r.PayloadDigest
	if stated == "" && r.Payload == r.Block {
		stated = r.BlockDigest
	}
	digest, err := warc.ParseDigest(stated)
	algorithm := fixities[digest.Algorithm]
	if err != nil || algorithm == "" || !r.DigestsFit || r.Type == warc.TypeRevisit || r.Segment != "" {
		return []containermd.Fixity{{Size: size}}
	}
	fixity := containermd.Fixity{Digest: stated[strings.IndexByte(stated, ':')+1:], Algorithm: algorithm, Size: size}
	if r.Coded { // the digest may be of fewer bytes than are stored
		fixity.Size = xmlstream.Int{}
	}
	return []containermd.Fixity{fixity}
}

// designationOf returns the identified format. Without identification, it returns the declared
// type.
func designationOf(r *model.Record) []containermd.FormatDesignation {
	found := containermd.FormatDesignation{Names: []string{formatName(r.Format.PUID, r.Format.Name)},
		Version: r.Format.Version}
	if found.Names[0] == "" {
		found.Names[0] = r.DeclaredMIME
	}
	if found.Names[0] == "" {
		return nil
	}
	return []containermd.FormatDesignation{found}
}

// headerOf keeps the header fields that containerMD has no element for.
func headerOf(r *model.Record) *containermd.RecordHeader {
	sound := r.Sound
	return &containermd.RecordHeader{
		Type: cmp.Or(r.Type, "unknown"), ID: r.ID, ContentType: r.ContentType, IdentifiedType: r.IdentifiedType,
		BlockDigest: r.BlockDigest, PayloadDigest: r.PayloadDigest, Truncated: r.Truncated, Segment: r.Segment,
		BlockSize: xmlstream.IntOf(r.Block), PayloadSize: xmlstream.IntOf(r.Payload), Sound: &sound,
	}
}
