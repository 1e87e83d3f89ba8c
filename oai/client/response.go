package client

import (
	"time"

	"quire/metadata/xmlstream"
	"quire/oai/protocol"
)

// Response is an answer without its records (clause 3.2).
type Response struct {
	Date     time.Time // responseDate; zero if missing or unreadable
	DateText string    // as written
	Request  Request
	Errors   []Error
	Verb     string // name of the verb's element; "" with errors
	Space    string // namespace of the root element

	Identify *Identify         // of Identify
	Formats  []protocol.Format // of ListMetadataFormats
	Token    *Token            // of the lists; nil without a resumptionToken

	Units   int64 // records, headers or sets in it
	Refused int64 // number of unreadable units
	Deleted int64 // of the records
}

// Request is the element request: the request as the server received it.
type Request struct {
	BaseURL string
	Args    []xmlstream.Attribute
}

// Error is an error or exception condition.
type Error struct {
	Code protocol.Code
	Text string
}

// Has reports whether the answer has an error of this code.
func (r *Response) Has(code protocol.Code) bool {
	for _, e := range r.Errors {
		if e.Code == code {
			return true
		}
	}
	return false
}

// Identify is the content of an Identify answer (clause 4.2).
type Identify struct {
	Name            string
	BaseURL         string
	ProtocolVersion string
	AdminEmails     []string
	Earliest        time.Time // zero if missing or unreadable
	EarliestText    string
	DeletedRecord   string // "no", "transient", "persistent"
	Granularity     string // as written
	Compressions    []string
	Descriptions    int // containers of description
}

// DayOnly reports whether the granularity is a day.
func (i *Identify) DayOnly() bool { return i.Granularity == "YYYY-MM-DD" }

// Token is a resumptionToken (clause 3.5). A Value of "" means that the list is complete.
type Token struct {
	Value            string
	Cursor           xmlstream.Int
	CompleteListSize xmlstream.Int
	Expires          time.Time
}
