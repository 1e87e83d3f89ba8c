package inflate

// Compression is the compression of a file.
type Compression string

// The known compressions.
const (
	None Compression = "none"
	Gzip Compression = "gzip"
	Zstd Compression = "zstd"
)

// Position is the place of a byte.
type Position struct {
	// File is an offset in the stored file. In an uncompressed file it is the offset of the byte,
	// otherwise of the first byte of its member.
	File int64
	// Inflated is the byte's offset in the inflated stream, from the file's start.
	Inflated int64
	// Within is the byte's offset in the inflated bytes of its member; always 0 if the file is
	// uncompressed.
	Within int64
	// Member is the number of non-empty members before the byte's own; 0 if the file is
	// uncompressed.
	Member int64
	// Found reports that a search found the member, after damage or after bytes that are none.
	// Content of a damaged member can look like a member, too.
	Found bool
}

// AtMemberStart reports whether the byte is the first of its member. In a plain file this is always
// true.
func (p Position) AtMemberStart() bool { return p.Within == 0 }

// mark is the beginning of a member.
type mark struct {
	file     int64 // its first byte in the file
	inflated int64 // its first byte in the inflated stream
	index    int64 // members before it
	found    bool  // by a search
	end      int64 // just after its last byte in the file; 0 until that was read
}
