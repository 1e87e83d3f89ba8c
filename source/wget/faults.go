package wget

// The findings of this reader.
const (
	findLine       = "LOG-LINE"        // an unreadable line
	findLost       = "WGET-LOG-LOST"   // the expected log is missing
	findMissing    = "WGET-MISSING"    // a container of the set is missing
	findUnfinished = "WGET-UNFINISHED" // the log does not state that the run was complete
	findUnclaimed  = "WGET-UNCLAIMED"  // a file with an unknown URL
	findSize       = "WGET-SIZE"       // a file size differs from the log
	findGone       = "WGET-FILE-GONE"  // the log states that a file was saved, but it is missing
	findArguments  = "WGET-ARGUMENTS"  // the containers of the set have different arguments
	findMore       = "WGET-MORE"       // more findings than are listed
)

// maxFindings bounds the findings of a harvest: a hostile log could cause one per line.
const maxFindings = 1000
