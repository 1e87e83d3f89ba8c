package cdx

import "quire/format/fault"

// The rules that a line of an index can break. The offset of a fault is the offset of the line in
// the (inflated) index.
const (
	// FaultLine: the line does not have the columns of the legend, or fits no known form. It is
	// skipped.
	FaultLine fault.Code = "CDX-LINE"
	// FaultLong: the line is too long. It is skipped.
	FaultLong fault.Code = "CDX-LINE-LONG"
	// FaultLegend: the legend line names no column, or names a column by more than one letter. It
	// is skipped.
	FaultLegend fault.Code = "CDX-LEGEND"
	// FaultTime: the time is not a time. The entry is returned without it.
	FaultTime fault.Code = "CDX-TIME"
	// FaultNumber: an offset, a length or a status is not a number. The entry is returned without
	// it.
	FaultNumber fault.Code = "CDX-NUMBER"
	// FaultJSON: the text after the time is not a JSON object, or the object has a member twice. In
	// the first case the reader skips the line. In the second case it uses the first of the two
	// members.
	FaultJSON fault.Code = "CDX-JSON"
)
