package wget

import (
	"strings"
	"time"

	"quire/model"
)

// attempt has the facts in the log about one request.
type attempt struct {
	URL string // as written
	// on the crawler's clock; zero if unknown. Versions until 1.10 write no day: the year is 1
	// then.
	Asked    time.Time
	Done     time.Time // when it was saved, or failed
	Try      string    // "try: 2"
	Status   int       // of HTTP; 0 if unknown
	Reason   string
	Location string
	MIME     string
	Length   int64  // as the server stated it; -1 if unknown
	Got      int64  // bytes received; -1 if unknown
	Named    string // path for saving
	Problem  string // the last line about a failed request
	Saved    bool   // the log states that it was saved
	Kept     bool   // the existing file was not fetched again
	Short    bool   // from a log that is not verbose: redirects before this response are missing
	Second   bool   // from a log of Wget2, which does not order the responses
	Head     span   // of the response in the log, written with -S or -d
	Request  span   // written with -d

	Line, Offset int64 // of its first line
}

// partial reports whether the file of a request that was not completed has the beginning of its
// body.
func (a *attempt) partial() bool {
	return !a.Saved && !a.Kept && a.Status/100 == 2 && a.Named != "" && missOf(a) == model.MissNetwork
}

// concluded reports whether the status is 200, because a file was saved. An empty one is also written
// for 204.
func (a *attempt) concluded() bool {
	return a.Saved && a.Status == 0 && a.Got != 0 && strings.HasPrefix(a.URL, "http")
}

// span is a part of a log, in bytes.
type span struct {
	From, To int64
	Exact    bool // the bytes are as sent or received; otherwise each line is indented, without its CR
}

// journal has the facts in a log about the run.
type journal struct {
	First, Last time.Time // on the crawler's clock
	Finished    time.Time // from the line FINISHED, of the last run in the log
	End         string    // the word of that line, in the log's language
	Summary     []string  // the lines after it
	Version     string    // from the first line of a debug log
	Agent       string    // from a request in a debug log
	Quota       string    // line about the exceeded quota
	Software    string    // concluded from the form of the log
	Complete    bool      // it has the last line of a run, which has no time
	Threads     bool      // several threads wrote it
	Loose       []loose   // of Wget2, up to maxFindings
	Verbose     bool
	Undated     bool
	Revealing   []int64 // offsets of requests with cookies or authorization
	Requests    int64   // attempts
}

// ended reports whether the log ends with the end of the run.
func (j *journal) ended() bool {
	return j.Complete || !j.Finished.IsZero() && !j.Finished.Before(j.Last)
}

// loose is a line about a response that the log does not name.
type loose struct {
	line int64
	text string
}
