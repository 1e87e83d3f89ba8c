package wget

// The findings of this reader.
const (
	findLine       = "LOG-LINE"        // a line that cannot be read
	findLost       = "WGET-LOG-LOST"   // the log should be there, and is not
	findMissing    = "WGET-MISSING"    // a container of the set is not there
	findUnfinished = "WGET-UNFINISHED" // the log does not say that the run came to its end
	findUnclaimed  = "WGET-UNCLAIMED"  // a file of which nothing tells the URL
	findSize       = "WGET-SIZE"       // a file has another size than the log says
	findGone       = "WGET-FILE-GONE"  // the log says that a file was saved, and it is not there
	findArguments  = "WGET-ARGUMENTS"  // the set does not agree on its arguments
	findMore       = "WGET-MORE"       // more was found than is listed
)

// maxFindings bounds the list of a harvest: a hostile log could make one a line.
const maxFindings = 1000
