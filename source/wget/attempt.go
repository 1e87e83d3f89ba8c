package wget

import "time"

// attempt is what the log tells of one request.
type attempt struct {
	URL string // as written
	// on the crawler's clock; zero when not told. Versions until 1.10 write no day: the year is 1
	// then.
	Asked    time.Time
	Done     time.Time // when it was saved, or failed
	Try      string    // "try: 2"
	Status   int       // of HTTP; 0 when not told
	Reason   string
	Location string
	MIME     string
	Length   int64  // as the server told it; -1 when it did not
	Got      int64  // bytes that came; -1 when not told
	Named    string // where it would be saved
	Saved    bool   // the log says that it was
	Kept     bool   // the file that is there was not fetched again
	Problem  string // the last line about a request that gave nothing
	Short    bool   // from a log that is not verbose: redirects before this answer are not told
	Head     span   // of the answer in the log, where -S or -d put it
	Request  span   // where -d put it

	Line, Offset int64     // of its first line
	last         [2]string // lines of which nothing else was understood
}

// span is a part of a log, in bytes.
type span struct {
	From, To int64
	Exact    bool // the bytes are as they crossed the wire; otherwise each line is indented, and its CR is lost
}

// journal is what a log tells of the run.
type journal struct {
	First, Last time.Time // on the crawler's clock
	Finished    time.Time // by the line FINISHED, of the last run in the log
	End         string    // that line's word, in the log's language
	Summary     []string  // the lines behind it
	Version     string    // by the first line of a debug log
	Agent       string    // by a request in a debug log
	Quota       string    // line that says it was exceeded
	Verbose     bool
	Undated     bool
	Revealing   []int64 // offsets of requests with cookies or authorization
	Requests    int64   // attempts
}

// ended says whether the last thing in the log is its end.
func (j *journal) ended() bool { return !j.Finished.IsZero() && !j.Finished.Before(j.Last) }
