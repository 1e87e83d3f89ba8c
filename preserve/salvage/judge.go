package salvage

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"quire/format/inflate"
	"quire/format/warc"
)

// judge decides whether a part is kept, and sets its proof and the reason.
func (j *job) judge(p *part) (kept bool, err error) {
	if p.err != nil && !p.inMember {
		p.Why = reason(p.err)
		return false, nil
	}
	match, stated, err := p.compareDigest()
	if err != nil {
		return false, err
	}
	code := ""
	if j.in.Compression() != inflate.None {
		code = j.found.broken[p.Offset]
	}
	if broken := code != "" && code != wrongSize || p.inMember || j.found.full; !broken &&
		j.in.Compression() == inflate.Gzip {
		p.Proof = ByChecksum // with other digests it is still as the crawler wrote it
		return true, nil
	}
	if p.inMember && code == "" {
		code = "its end"
	}
	return j.judgeContent(p, code, match, stated), nil
}

// wrongSize is the code of a member whose CRC32 matches, so that only its size is damaged.
const wrongSize = "GZIP-ISIZE"

// judgeContent decides whether a part is kept that no checksum proves. code is of its damaged member.
func (j *job) judgeContent(p *part, code string, match, stated bool) (kept bool) {
	p.Proof, p.Findings = ByLengths, j.found.codes[p.Offset]
	if match {
		p.Proof = ByDigest
	}
	_, doubtful := j.found.doubts[p.At]
	switch {
	case hasControls(p.head):
		p.Why = "its header has control characters"
		return false
	case stated && !match:
		p.Why = "its block has another digest than " + warc.FieldBlockDigest
		return false
	case strength[code] > strength["GZIP-TRUNCATED"] && !match && p.within == 0 && p.last:
		p.Why = "its member does not match its checksum (" + code + ")"
		return false
	case code != "" && match:
		p.Proof, p.Why = Unproven, "its member is damaged ("+code+"); its digest proves the block, not the header"
	case code != "":
		p.Proof, p.Why = Unproven, "its member is damaged ("+code+")"
	case doubtful:
		p.Proof, p.Why = Unproven, "the inspection found an error in it, and no checksum proves it"
	}
	return true
}

// hasControls reports whether a header has control characters, which only damage writes there.
func hasControls(head []byte) bool {
	return slices.ContainsFunc(head, func(c byte) bool {
		return c < ' ' && c != '\r' && c != '\n' && c != '\t' || c == 0x7f
	})
}

// compareDigest compares the block with its stated digest. stated is false if there is none that can
// be compared. A revisit may state the digest of the block that it refers to.
func (p *part) compareDigest() (match, stated bool, err error) {
	want, err := warc.ParseDigest(p.digest)
	if err != nil || strings.EqualFold(p.Type, warc.TypeRevisit) {
		return false, false, nil //nolint:nilerr // the inspection reports the form of digests
	}
	h := warc.NewHash(want.Algorithm)
	if h == nil {
		return false, false, nil
	}
	if _, err := io.Copy(h, p.block.Reader()); err != nil {
		return false, false, fmt.Errorf("reading a block again: %w", err)
	}
	return string(h.Sum(nil)) == string(want.Sum), true, nil
}

// reason returns the text of an error, without the place, which the line of the report has.
func reason(err error) string {
	_, why, found := strings.Cut(err.Error(), "the record is damaged: ")
	if !found {
		return err.Error()
	}
	return why
}
