package gzipmember

import (
	"fmt"

	"quire/format/fault"
)

// The rules of RFC 1952 that a file can break.
const (
	FaultMethod      fault.Code = "GZIP-METHOD"       // 2.3.1 CM: a compression method other than deflate
	FaultFlags       fault.Code = "GZIP-FLAGS"        // 2.3.1.2: a reserved flag bit is set
	FaultExtraFlags  fault.Code = "GZIP-XFL"          // 2.3.1 XFL: a value that is not defined
	FaultOS          fault.Code = "GZIP-OS"           // 2.3.1 OS: a value that is not defined
	FaultExtraField  fault.Code = "GZIP-EXTRA"        // 2.3.1.1: the content of FEXTRA does not consist of subfields
	FaultName        fault.Code = "GZIP-NAME"         // 2.3.1 FNAME is not printable ISO 8859-1
	FaultComment     fault.Code = "GZIP-COMMENT"      // 2.3.1 FCOMMENT is not printable ISO 8859-1
	FaultHeaderCRC   fault.Code = "GZIP-HEADER-CRC"   // 2.3.1 CRC16 of the header is wrong
	FaultHeader      fault.Code = "GZIP-HEADER"       // 2.3: a header that cannot be read to its end
	FaultDeflate     fault.Code = "GZIP-DEFLATE"      // RFC 1951: the compressed data cannot be inflated
	FaultTruncated   fault.Code = "GZIP-TRUNCATED"    // 2.2: the file ends within a member
	FaultCRC32       fault.Code = "GZIP-CRC32"        // 2.3.1 CRC32 of the inflated data is wrong
	FaultSize        fault.Code = "GZIP-ISIZE"        // 2.3.1 ISIZE is not the inflated size modulo 2^32
	FaultGarbage     fault.Code = "GZIP-GARBAGE"      // 2.2: bytes between or after members that are not a member
	FaultPadding     fault.Code = "GZIP-PADDING"      // 2.2: zero bytes after the last member
	FaultEmptyMember fault.Code = "GZIP-EMPTY-MEMBER" // Annex D of ISO 28500: a member without content
)

// Damage is the error of a member that cannot be read to its end. [Reader.Resume] continues after
// it.
type Damage struct{ fault.Fault }

// Error returns the damage and its place.
func (d *Damage) Error() string { return d.Fault.Error() }

func damage(code fault.Code, at int64, format string, args ...any) *Damage {
	return &Damage{fault.Fault{Code: code, Offset: at, Detail: fmt.Sprintf(format, args...)}}
}
