package inspect

import (
	"quire/format/arc"
	"quire/format/fault"
	"quire/format/gzipmember"
	"quire/format/http1"
	"quire/format/warc"
	"quire/format/zstdframe"
	"quire/model"
)

// The rules that can only be judged with the whole record in sight.
const (
	FaultFieldMissing    fault.Code = "WARC-FIELD-MISSING"    // ISO 28500:2017, 5 and 6: a mandatory field is missing
	FaultDate            fault.Code = "WARC-DATE"             // 5.4: not a W3CDTF date
	FaultType            fault.Code = "WARC-TYPE"             // 5.5: a record type that is not defined
	FaultNoWarcinfo      fault.Code = "WARC-NO-WARCINFO"      // 6.2: the file does not begin with a warcinfo record
	FaultDigestBlock     fault.Code = "WARC-DIGEST-BLOCK"     // 5.8: the block does not give this digest
	FaultDigestPayload   fault.Code = "WARC-DIGEST-PAYLOAD"   // 5.9: no reading of the payload gives this digest
	FaultDigestFramed    fault.Code = "DIGEST-PAYLOAD-FRAMED" // 5.9: the digest is that of the payload with its chunked framing
	FaultDigestForm      fault.Code = "DIGEST-FORM"           // 5.8: not the value of a digest
	FaultDigestAlgorithm fault.Code = "DIGEST-ALGORITHM"      // 5.8: an algorithm that Quire does not know; not checked
)

// severities say how bad each finding is: what loses or misstates content is an error; what crawlers have written for
// twenty years without harm is a warning; what is worth knowing is info. A code that is not listed is an error.
var severities = map[fault.Code]model.Severity{
	gzipmember.FaultExtraFlags:  model.Warning,
	gzipmember.FaultOS:          model.Warning,
	gzipmember.FaultExtraField:  model.Warning,
	gzipmember.FaultPadding:     model.Warning,
	gzipmember.FaultEmptyMember: model.Warning,
	zstdframe.FaultEmptyFrame:   model.Warning,

	warc.FaultHeaderLineEnd: model.Warning,
	warc.FaultSharedMember:  model.Warning,
	warc.FaultSpansMembers:  model.Warning,
	FaultType:               model.Info,
	FaultNoWarcinfo:         model.Warning,
	FaultDigestFramed:       model.Info,
	FaultDigestForm:         model.Warning,
	FaultDigestAlgorithm:    model.Info,

	arc.Definition:          model.Warning,
	arc.VersionLength:       model.Warning,
	arc.NoMetadata:          model.Warning,
	arc.UndueMetadata:       model.Warning,
	arc.MetadataSyntax:      model.Warning,
	arc.URL:                 model.Warning,
	arc.IP:                  model.Warning,
	arc.ContentType:         model.Warning,
	arc.ResultCode:          model.Warning,
	arc.Offset:              model.Info, // HTTrack writes 0 or another number in each record
	arc.LineEnd:             model.Warning,
	arc.Newline:             model.Warning,
	arc.SharedMember:        model.Warning,
	arc.AnotherVersionBlock: model.Warning,

	// What the web sent is not the container's fault: the crawler was right to keep it.
	http1.NoStartLine:           model.Warning,
	http1.LeadingBlank:          model.Info,
	http1.StartLine:             model.Warning,
	http1.Version:               model.Info,
	http1.StatusCode:            model.Warning,
	http1.NoReason:              model.Info,
	http1.LineEnd:               model.Info,
	http1.HeadUnterminated:      model.Warning,
	http1.HeadTooLarge:          model.Warning,
	http1.TooManyFields:         model.Warning,
	http1.NoColon:               model.Info,
	http1.FieldName:             model.Info,
	http1.SpaceBeforeColon:      model.Info,
	http1.FieldValue:            model.Info,
	http1.Encoding:              model.Info,
	http1.ObsFold:               model.Info,
	http1.ContentLength:         model.Warning,
	http1.ContentLengthConflict: model.Warning,
	http1.LengthAndCoding:       model.Info,
	http1.BodyShort:             model.Warning,
	http1.BodyLong:              model.Warning,
	http1.BodyNotChunked:        model.Warning,
	http1.ChunkSyntax:           model.Warning,
	http1.ChunkTruncated:        model.Warning,
	http1.ChunkLineEnd:          model.Info,
	http1.AfterBody:             model.Info,
}

// SeverityOf says how bad a finding of this code is.
func SeverityOf(code fault.Code) model.Severity {
	if s, ok := severities[code]; ok {
		return s
	}
	return model.Error
}
