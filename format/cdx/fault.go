package cdx

import "quire/format/fault"

// The rules of an index that a line can break. The offset of a fault is that of the line in the
// (inflated) index.
const (
	// FaultLine: the line has not the columns that the legend names, or fits no form that is known.
	// It is passed over.
	FaultLine fault.Code = "CDX-LINE"
	// FaultLong: the line is longer than is read. It is passed over.
	FaultLong fault.Code = "CDX-LINE-LONG"
	// FaultLegend: the legend line names no column, or a column by more than a letter. It is passed
	// over.
	FaultLegend fault.Code = "CDX-LEGEND"
	// FaultTime: the time is none. The entry is given without it.
	FaultTime fault.Code = "CDX-TIME"
	// FaultNumber: an offset, a length or a status is no number. The entry is given without it.
	FaultNumber fault.Code = "CDX-NUMBER"
	// FaultJSON: what stands behind the time is no JSON object, or one with a member twice. In the
	// first case the line is passed over; in the second the first of the two counts.
	FaultJSON fault.Code = "CDX-JSON"
)
