package check

import (
	"quire/model"
	"quire/model/finding"
)

// Codes of findings. Errors that package client tolerates in a harvest have their own codes.
const (
	CodeStatus     = "OAI-STATUS"
	CodeMoved      = "OAI-MOVED"
	CodeRetryAfter = "OAI-RETRY-AFTER"
	CodeType       = "OAI-CONTENT-TYPE"
	CodeTooLarge   = "OAI-TOO-LARGE"
	CodeCoding     = "OAI-COMPRESSION"
	CodePost       = "OAI-POST"

	CodeNotOAI           = "OAI-NOT-OAI"
	CodeXML              = "OAI-XML"
	CodeBytes            = "OAI-BYTES"
	CodeRootSpace        = "OAI-ROOT-NAMESPACE"
	CodeSchema           = "OAI-SCHEMA"
	CodeSchemaLocation   = "OAI-SCHEMA-LOCATION"
	CodeResponseDate     = "OAI-RESPONSE-DATE"
	CodeClock            = "OAI-CLOCK"
	CodeRequestURL       = "OAI-REQUEST-URL"
	CodeRequestArguments = "OAI-REQUEST-ARGUMENTS"
	CodeVerb             = "OAI-VERB"
	CodeNoError          = "OAI-NO-ERROR"
	CodeOtherError       = "OAI-OTHER-ERROR"

	CodeName          = "OAI-NAME"
	CodeBaseURL       = "OAI-BASE-URL"
	CodeVersion       = "OAI-VERSION"
	CodeEmail         = "OAI-EMAIL"
	CodeMailto        = "OAI-EMAIL-MAILTO"
	CodeGranularity   = "OAI-GRANULARITY"
	CodeEarliest      = "OAI-EARLIEST"
	CodeDeletedRecord = "OAI-DELETED-RECORD"
	CodeScheme        = "OAI-SCHEME"

	CodePrefix      = "OAI-PREFIX"
	CodeDC          = "OAI-DC"
	CodeSetSpec     = "OAI-SET-SPEC"
	CodeSetTwice    = "OAI-SET-TWICE"
	CodeSetName     = "OAI-SET-NAME"
	CodeSetAbove    = "OAI-SET-ABOVE"
	CodeSetUnlisted = "OAI-SET-UNLISTED"
	CodeSetMissing  = "OAI-SET-MISSING"
	CodeSetOther    = "OAI-SET-OTHER"

	CodeIdentifier      = "OAI-IDENTIFIER"
	CodeTwice           = "OAI-TWICE"
	CodeDatestamp       = "OAI-DATESTAMP"
	CodeFuture          = "OAI-FUTURE"
	CodeEarlier         = "OAI-EARLIER"
	CodeOrder           = "OAI-ORDER"
	CodeDeletedMetadata = "OAI-DELETED-METADATA"
	CodeNoMetadata      = "OAI-NO-METADATA"
	CodeMetadataSpace   = "OAI-METADATA-NAMESPACE"
	CodeHeader          = "OAI-HEADER"
	CodeGetRecord       = "OAI-GET-RECORD"
	CodeLists           = "OAI-LISTS"
	CodeSelect          = "OAI-SELECT"
	CodeDay             = "OAI-DAY"
	CodeRange           = "OAI-RANGE"

	CodeTokenTwo     = "OAI-TOKEN-TWO"
	CodeTokenFirst   = "OAI-TOKEN-FIRST"
	CodeTokenLast    = "OAI-TOKEN-LAST"
	CodeTokenCursor  = "OAI-TOKEN-CURSOR"
	CodeTokenSize    = "OAI-TOKEN-SIZE"
	CodeTokenLoop    = "OAI-TOKEN-LOOP"
	CodeTokenDead    = "OAI-TOKEN-DEAD"
	CodeTokenRepeat  = "OAI-TOKEN-REPEAT"
	CodeTokenExpired = "OAI-TOKEN-EXPIRED"
	CodeEmptyPage    = "OAI-EMPTY-PAGE"
)

// Catalogue explains each code, in the order of the checks. The clauses are clauses of OAI-PMH 2.0.
var Catalogue = finding.New("an OAI-PMH server", ", of OAI-PMH 2.0", transferEntries, documentEntries, identifyEntries,
	formatEntries, recordEntries, tokenEntries)

var transferEntries = []finding.Entry{
	{Code: CodeStatus, Severity: model.Error, Clause: "3.1.2",
		Meaning: "The HTTP status is not 200, or there is no answer.",
		Advice: "Send all answers with status 200, including protocol errors. Other statuses have uses " +
			"outside the protocol: 503 with Retry-After when the server is busy, 302 to another server."},
	{Code: CodeMoved, Severity: model.Error, Clause: "3.1.2",
		Meaning: "The provider has moved permanently (status 301 or 308).",
		Advice: "Announce the new base URL to harvesters and registries, and put it into Identify. Until " +
			"they know it, redirect with status 302."},
	{Code: CodeRetryAfter, Severity: model.Warning, Clause: "3.1.2",
		Meaning: "A busy provider (status 503) sends no Retry-After in whole seconds, up to one hour.",
		Advice: "Send Retry-After with the number of seconds. Without it, harvesters give up or retry " +
			"at once."},
	{Code: CodeType, Severity: model.Warning, Clause: "3.1.2", Meaning: "The Content-Type is not text/xml.",
		Advice: "Send Content-Type: text/xml; charset=utf-8."},
	{Code: CodeTooLarge, Severity: model.Error, Clause: "3.5", Meaning: "An answer is too large to read.",
		Advice: "Limit pages by size, not only by the number of records, and send a resumptionToken."},
	{Code: CodeCoding, Severity: model.Warning, Clause: "3.1.3",
		Meaning: "Compression is announced but not used, is used without a request, or changes the answer.",
		Advice: "Compress with gzip only if the request has Accept-Encoding: gzip, and list it in " +
			"Identify. A proxy may be the cause."},
	{Code: CodePost, Severity: model.Error, Clause: "3.1.1",
		Meaning: "POST and GET get different answers to the same request.",
		Advice:  "Read arguments also from a body of type application/x-www-form-urlencoded."},
}

var documentEntries = []finding.Entry{
	{Code: CodeNotOAI, Severity: model.Error, Clause: "3.2", Meaning: "The answer is not an OAI-PMH answer.",
		Advice: "Check the base URL. If it is correct, the content of the answer shows the cause: a " +
			"login page, or an error of the program."},
	{Code: CodeXML, Severity: model.Error, Clause: "3.2",
		Meaning: "The answer is not well-formed XML in UTF-8, or it is incomplete. Its content is unreliable.",
		Advice: "The message has the position of the first error. Usual causes: characters that XML " +
			"forbids in metadata (replace them when writing records), an unescaped &, an XML declaration " +
			"before a record, a program's message in the middle."},
	{Code: CodeBytes, Severity: model.Error, Clause: "3.2",
		Meaning: "The bytes are not in UTF-8, or not in the declared encoding or compression.",
		Advice:  "Write UTF-8, declare UTF-8, and send Content-Encoding only with compressed answers."},
	{Code: CodeSchema, Severity: model.Error, Clause: "3.2.1",
		Meaning: "The answer violates an XML schema of OAI-PMH or of the metadata.",
		Advice: "The message names the element or value. The schemas allow fewer characters in setSpec " +
			"than MIME types have, and no elements of several formats together."},
	{Code: CodeSchemaLocation, Severity: model.Error, Clause: "3.2",
		Meaning: "The root element does not declare the schema's location in the form that validators expect.",
		Advice: `Write xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ ` +
			`http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd", with this prefix.`},
	{Code: CodeRootSpace, Severity: model.Error, Clause: "3.2",
		Meaning: "The elements of the protocol are not in its namespace.",
		Advice:  "The namespace is http://www.openarchives.org/OAI/2.0/, with http and a slash at the end."},
	{Code: CodeResponseDate, Severity: model.Error, Clause: "3.2",
		Meaning: "The responseDate is not a time in UTC with seconds, such as 2026-11-22T10:00:00Z.",
		Advice: "Always write this form, with seconds, whatever the granularity. Harvesters start the " +
			"next harvest from this time."},
	{Code: CodeClock, Severity: model.Warning, Clause: "3.2",
		Meaning: "The responseDate differs from the local time by more than five minutes.",
		Advice: "Synchronize both machines with a time server. A difference of whole hours usually means that a " +
			"local time is written as UTC."},
	{Code: CodeRequestURL, Severity: model.Error, Clause: "3.2",
		Meaning: "The element request has another URL than the base URL.",
		Advice: "Write the base URL that harvesters use. Behind a proxy, set it in the server's " +
			"configuration."},
	{Code: CodeRequestArguments, Severity: model.Error, Clause: "3.2",
		Meaning: "The attributes of the element request differ from the arguments, or it has attributes " +
			"despite badVerb or badArgument.",
		Advice: "Write each argument as an attribute, unchanged. Write no attributes if the error is " +
			"badVerb or badArgument."},
	{Code: CodeVerb, Severity: model.Error, Clause: "4", Meaning: "The answer to a verb lacks the verb's " +
		"element.",
		Advice: "Look at the actual content of the answer."},
	{Code: CodeNoError, Severity: model.Error, Clause: "3.6",
		Meaning: "The server accepts an invalid request.",
		Advice: "Refuse it. Otherwise a harvester with a misspelt argument gets all records and takes " +
			"them as the requested ones."},
	{Code: CodeOtherError, Severity: model.Error, Clause: "3.6",
		Meaning: "The answer to an invalid request has the wrong error code.",
		Advice: "Use the code in the message, because harvesters depend on it. For example, " +
			"noRecordsMatch is not a failure for them."},
}

var identifyEntries = []finding.Entry{
	{Code: CodeName, Severity: model.Error, Clause: "4.2", Meaning: "Identify has no repositoryName.",
		Advice: "Set a name for people."},
	{Code: CodeBaseURL, Severity: model.Error, Clause: "4.2",
		Meaning: "The baseURL of Identify is not the requested URL.",
		Advice: "Make them identical: scheme, host, port, slash at the end. Behind a proxy, set the URL " +
			"in the server's configuration."},
	{Code: CodeVersion, Severity: model.Error, Clause: "4.2", Meaning: "The protocolVersion is not 2.0.",
		Advice: "Write 2.0."},
	{Code: CodeEmail, Severity: model.Error, Clause: "4.2",
		Meaning: "The adminEmail is missing, or it is not an address that works from elsewhere.",
		Advice:  "Set an address of the administrator."},
	{Code: CodeMailto, Severity: model.Warning, Clause: "4.2", Meaning: "The adminEmail begins with mailto:.",
		Advice: "Write only the address."},
	{Code: CodeGranularity, Severity: model.Error, Clause: "4.2",
		Meaning: "The granularity is neither YYYY-MM-DD nor YYYY-MM-DDThh:mm:ssZ.",
		Advice:  "Write the granularity of the datestamps."},
	{Code: CodeEarliest, Severity: model.Error, Clause: "4.2",
		Meaning: "The earliestDatestamp is not a date in the repository's granularity.",
		Advice:  "Write it in the form of the datestamps."},
	{Code: CodeDeletedRecord, Severity: model.Error, Clause: "2.5.1",
		Meaning: "deletedRecord is not no, transient or persistent; or it is no, but there are deleted " +
			"records.",
		Advice: "Declare the actual practice: persistent only if deleted records are never dropped."},
	{Code: CodeScheme, Severity: model.Error, Clause: "4.2",
		Meaning: "The description of identifiers is wrong or duplicate.",
		Advice: "scheme is oai, delimiter is a colon, repositoryIdentifier is a domain, and " +
			"sampleIdentifier starts with both. Omit the description if identifiers have another form."},
}

var formatEntries = []finding.Entry{
	{Code: CodePrefix, Severity: model.Error, Clause: "3.4",
		Meaning: "A metadataPrefix is duplicate, or has characters other than letters, digits and -_.!~*'().",
		Advice:  "Rename the format."},
	{Code: CodeDC, Severity: model.Error, Clause: "2.5",
		Meaning: "oai_dc is missing, or the prefix names another format.",
		Advice: "Offer every record in oai_dc, with namespace " +
			"http://www.openarchives.org/OAI/2.0/oai_dc/ and schema " +
			"http://www.openarchives.org/OAI/2.0/oai_dc.xsd."},
	{Code: CodeSetSpec, Severity: model.Error, Clause: "2.6",
		Meaning: "A setSpec is not a list of parts with colons between them, or has characters other " +
			"than letters, digits and -_.!~*'().",
		Advice: "Encode other characters reversibly. + and % are not allowed, so percent-encoding does " +
			"not help. docs/reference/580_oai.md describes an encoding (\"Sets\")."},
	{Code: CodeSetTwice, Severity: model.Error, Clause: "2.6", Meaning: "A set is listed twice.",
		Advice: "List each once."},
	{Code: CodeSetName, Severity: model.Error, Clause: "2.6", Meaning: "A set has no name.",
		Advice: "Set its setName."},
	{Code: CodeSetAbove, Severity: model.Warning, Clause: "2.6",
		Meaning: "A set is listed without its parent set.",
		Advice:  "List the parent set too; otherwise it is missing from a choice of sets."},
	{Code: CodeSetUnlisted, Severity: model.Error, Clause: "2.6",
		Meaning: "A header names a set that ListSets does not list.",
		Advice:  "List all sets, or name only listed sets in headers."},
	{Code: CodeSetMissing, Severity: model.Error, Clause: "2.7.2",
		Meaning: "By its header, a record is in a set, but the list of that set lacks it.",
		Advice:  "A record of a set is also in the parent sets."},
	{Code: CodeSetOther, Severity: model.Error, Clause: "2.7.2",
		Meaning: "The list of a set has a record without that set in its header.",
		Advice:  "Name in the header each set that contains the record."},
}
