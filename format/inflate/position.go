package inflate

// Compression says how a file is compressed.
type Compression string

// The compressions that are recognised.
const (
	None Compression = "none"
	Gzip Compression = "gzip"
	Zstd Compression = "zstd"
)

// Position is where a byte lies.
type Position struct {
	// File is an offset in the file as stored: of the byte itself when the file is not compressed,
	// otherwise of the first byte of the member that holds it.
	File int64
	// Inflated is the byte's offset in the inflated stream: all inflated bytes before it, counted
	// from the file's start.
	Inflated int64
	// Within is the byte's offset in the inflated bytes of its member; always 0 when the file is
	// not compressed.
	Within int64
	// Member counts the members before the byte's own that held something. 0 when the file is not
	// compressed.
	Member int64
}

// AtMemberStart says whether the byte is the first of its member. Every byte of a plain file is.
func (p Position) AtMemberStart() bool { return p.Within == 0 }

// mark remembers where a member begins.
type mark struct {
	file     int64 // its first byte in the file
	inflated int64 // its first byte in the inflated stream
	index    int64 // members before it
	end      int64 // just behind its last byte in the file; 0 until it was read to its end
}
