package zstdframe

import (
	"fmt"

	"quire/format/fault"
)

// The rules of RFC 8878 and of the WARC-Zstandard specification that a file can break.
const (
	FaultFrame      fault.Code = "ZSTD-FRAME"       // RFC 8878, 3.1: a frame that cannot be decoded
	FaultTruncated  fault.Code = "ZSTD-TRUNCATED"   // 3.1.1: the file ends within a frame
	FaultGarbage    fault.Code = "ZSTD-GARBAGE"     // 3: bytes between or after frames that are not a frame
	FaultDictionary fault.Code = "ZSTD-DICTIONARY"  // WARC-Zstandard: the dictionary frame cannot be used
	FaultEmptyFrame fault.Code = "ZSTD-EMPTY-FRAME" // WARC-Zstandard: a frame without content
)

// Damage is the error of a frame that cannot be read to its end. [Reader.Resume] continues after
// it.
type Damage struct{ fault.Fault }

// Error returns the damage and its place.
func (d *Damage) Error() string { return d.Fault.Error() }

func damage(code fault.Code, at int64, format string, args ...any) *Damage {
	return &Damage{fault.Fault{Code: code, Offset: at, Detail: fmt.Sprintf(format, args...)}}
}
