package migrate

import (
	"crypto/sha256"
	"fmt"
	"mime"
	"slices"
	"strings"

	"quire/format/warc"
	"quire/model"
)

// formatSet is a list of PRONOM keys and media types.
type formatSet []string

// String lists the formats.
func (s formatSet) String() string { return strings.Join(s, " or ") }

// accepts returns the formats to migrate, which the rule must accept.
func (r *Rule) accepts(from []string) (formatSet, error) {
	if len(from) == 0 {
		return r.From, nil
	}
	var set formatSet
	for _, s := range from {
		f, err := ParseFormat(s)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(r.From, f) {
			return nil, fmt.Errorf("the rule %s does not take %s, but %s", r.Name, f, strings.Join(r.From, ", "))
		}
		set = append(set, f)
	}
	return set, nil
}

// holds reports whether the payload of a record has one of the formats, as identified or as
// declared.
func (s formatSet) holds(r *model.Record) bool {
	if r.Format.PUID != "" && slices.Contains(s, r.Format.PUID) {
		return true
	}
	for media := range strings.SplitSeq(r.Format.MIME, ", ") {
		if slices.Contains(s, media) {
			return true
		}
	}
	return slices.Contains(s, bare(r.ServedType)) || slices.Contains(s, bare(r.IdentifiedType))
}

// bare returns a media type in lower case, without parameters; "" if it is invalid.
func bare(s string) string {
	s, _, _ = strings.Cut(s, ";")
	s = strings.ToLower(strings.TrimSpace(s))
	if _, _, err := mime.ParseMediaType(s); err != nil {
		return ""
	}
	return s
}

// chosen is a record with a payload in the format.
type chosen struct {
	Container int   // its number in the METS
	Order     int64 // in the container
	Type      string
	ID, URI   string
	Date      string // of the record, in W3C-DTF
	Status    string
	Declared  string // Content-Type
	Format    model.Format
	Why       string // why it cannot be converted; "" if it is tried
}

// digest represents the id of a record. Half of a SHA-256 is enough.
type digest [16]byte

func digestOf(id string) digest {
	sum := sha256.Sum256([]byte(id))
	return digest(sum[:16])
}

// choose adds a record of a container if its payload has the format.
func (j *job) choose(container int, r *model.Record) error {
	if r.Type == warc.TypeConversion && r.RefersTo != "" && bare(r.ContentType) == bare(j.o.Rule.MIME) {
		j.converted[digestOf(r.RefersTo)] = struct{}{}
	}
	switch r.Type {
	case warc.TypeResponse, warc.TypeResource, warc.TypeConversion:
	default:
		return nil
	}
	if !j.from.holds(r) {
		return nil
	}
	j.result.Selected++
	switch {
	case r.Status == "206":
		j.result.left(leftPartial)
		return nil
	case r.Payload == 0:
		j.result.left(leftEmpty)
		return nil
	}
	if _, infected := j.outline.infected[recordAt{container, r.Order}]; infected {
		j.result.left(leftInfected)
		return nil
	}
	c := chosen{Container: container, Order: r.Order, Type: r.Type, ID: r.ID, URI: r.URI, Date: warc.FormatDate(r.Date),
		Status:   r.Status,
		Declared: r.ServedType, Format: r.Format}
	switch {
	case r.ID == "":
		c.Why = "the record has no id that a conversion could refer to"
	case r.Segment != "":
		c.Why = "it is one segment of several"
	case r.Truncated != "":
		c.Why = "it was cut off when it was captured: " + r.Truncated
	case !r.DigestsFit:
		c.Why = "the record is damaged: it breaks off, or a digest does not fit"
	}
	return j.chosen.Add(c)
}
