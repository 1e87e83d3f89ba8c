package aip

import (
	"fmt"
	"strconv"

	"quire/metadata/mets"
)

// areaRange reads BEGIN and END of an area (clause 2.8). end is -1 when the area is the whole file,
// or is not counted in bytes.
func areaRange(a *mets.Area) (begin, end int64, wrong string) {
	if a.Begin == "" && a.End == "" || a.BEType != "BYTE" && a.BEType != "" {
		return 0, -1, ""
	}
	begin, err := strconv.ParseInt(a.Begin, 10, 64)
	if a.BEType == "" || err != nil || begin < 0 {
		return 0, -1, fmt.Sprintf("an area of file %s has no valid position in bytes: BEGIN is %q and "+
			"BETYPE is %q",
			clip(a.FileID), clip(a.Begin), a.BEType)
	}
	if a.End == "" {
		return begin, begin, ""
	}
	end, err = strconv.ParseInt(a.End, 10, 64)
	if err != nil || end < begin {
		return 0, -1, fmt.Sprintf("an area of file %s has BEGIN %q and END %q, which is not a range", clip(a.FileID),
			clip(a.Begin), clip(a.End))
	}
	return begin, end, ""
}
