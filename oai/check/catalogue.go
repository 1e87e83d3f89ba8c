package check

import (
	"quire/model"
	"quire/model/finding"
)

// Codes of findings. What package client forgives while it harvests has codes of its own.
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

// Catalogue explains each code, in the order in which a check comes to them. The clauses are those
// of OAI-PMH 2.0.
var Catalogue = finding.New("an OAI-PMH server", ", of OAI-PMH 2.0", transferEntries, documentEntries, identifyEntries,
	formatEntries, recordEntries, tokenEntries)

var transferEntries = []finding.Entry{
	{Code: CodeStatus, Severity: model.Error, Clause: "3.1.2",
		Meaning: "The status of HTTP is another than 200, or nothing is answered at all.",
		Advice: "Send answers, those that tell of errors of the protocol among them, with status 200. Other statuses " +
			"are for what has nothing to do with the protocol: 503 with Retry-After when the server is busy, 302 to " +
			"another server."},
	{Code: CodeMoved, Severity: model.Error, Clause: "3.1.2",
		Meaning: "The provider says that it has moved for ever (status 301 or 308).",
		Advice: "Tell harvesters, and registries, the new base URL, and let Identify give it. Until they know, " +
			"redirect with status 302."},
	{Code: CodeRetryAfter, Severity: model.Warning, Clause: "3.1.2",
		Meaning: "A busy provider (status 503) does not say in whole seconds, of an hour at most, when to come again.",
		Advice:  "Send Retry-After with the number of seconds: harvesters that get none give up, or ask at once."},
	{Code: CodeType, Severity: model.Warning, Clause: "3.1.2", Meaning: "The Content-Type is not text/xml.",
		Advice: "Send Content-Type: text/xml; charset=utf-8."},
	{Code: CodeTooLarge, Severity: model.Error, Clause: "3.5", Meaning: "An answer is larger than can be taken.",
		Advice: "End pages by their size, not only by the number of their records, and give a resumptionToken."},
	{Code: CodeCoding, Severity: model.Warning, Clause: "3.1.3",
		Meaning: "Compression is named and not given, given and not asked for, or changes the answer.",
		Advice: "Compress with gzip only what is asked for with Accept-Encoding: gzip, and name it in Identify. A " +
			"proxy may be the cause."},
	{Code: CodePost, Severity: model.Error, Clause: "3.1.1",
		Meaning: "The same question is answered otherwise by POST than by GET.",
		Advice:  "Take arguments from the body as well, when it is application/x-www-form-urlencoded."},
}

var documentEntries = []finding.Entry{
	{Code: CodeNotOAI, Severity: model.Error, Clause: "3.2", Meaning: "The answer is none of OAI-PMH.",
		Advice: "See whether this is the base URL; if so, what stands there instead says what is wrong: a page of a " +
			"login, or of an error of the program."},
	{Code: CodeXML, Severity: model.Error, Clause: "3.2",
		Meaning: "The answer is not well-formed XML in UTF-8, or breaks off. Nothing of it can be trusted.",
		Advice: "The place that is named is the first one. The usual causes: characters that XML forbids in metadata " +
			"(replace them where records are written), & that is not escaped, an XML declaration in front of a " +
			"record, a notice of the program in the middle."},
	{Code: CodeBytes, Severity: model.Error, Clause: "3.2",
		Meaning: "The bytes are not in UTF-8, or not in the encoding or compression that the answer says.",
		Advice:  "Write UTF-8, declare UTF-8, and send Content-Encoding only with what is compressed."},
	{Code: CodeSchema, Severity: model.Error, Clause: "3.2.1",
		Meaning: "The answer breaks an XML schema, of OAI-PMH or of the metadata.",
		Advice: "The message says which element or value. The schemas allow fewer characters in setSpec than MIME " +
			"types have, and no mixture of elements of several formats."},
	{Code: CodeSchemaLocation, Severity: model.Error, Clause: "3.2",
		Meaning: "The root element does not say where the schema is, in the way that validators look for.",
		Advice: `Write xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ ` +
			`http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd", with this prefix.`},
	{Code: CodeRootSpace, Severity: model.Error, Clause: "3.2",
		Meaning: "The elements of the protocol are not in its namespace.",
		Advice:  "It is http://www.openarchives.org/OAI/2.0/, with http and the slash at its end."},
	{Code: CodeResponseDate, Severity: model.Error, Clause: "3.2",
		Meaning: "The responseDate is not a time in UTC with seconds, such as 2026-11-22T10:00:00Z.",
		Advice: "Write it so, always with seconds, whatever the granularity: harvesters ask the next time from this " +
			"moment on."},
	{Code: CodeClock, Severity: model.Warning, Clause: "3.2",
		Meaning: "The responseDate is more than five minutes away from the time here.",
		Advice: "Have both machines ask a time server. A local time that is written as UTC looks like this too: " +
			"whole hours apart."},
	{Code: CodeRequestURL, Severity: model.Error, Clause: "3.2",
		Meaning: "The element request has another URL than the base URL.",
		Advice:  "Write the base URL there, as harvesters know it: behind a proxy the server must be told."},
	{Code: CodeRequestArguments, Severity: model.Error, Clause: "3.2",
		Meaning: "The attributes of the element request are not the arguments; or there are some beside badVerb or " +
			"badArgument, where bad values could stand in them.",
		Advice: "Write each argument as it came as an attribute, and none when the error is badVerb or badArgument."},
	{Code: CodeVerb, Severity: model.Error, Clause: "4", Meaning: "A verb is not answered by its element.",
		Advice: "Look at what the answer says instead."},
	{Code: CodeNoError, Severity: model.Error, Clause: "3.6",
		Meaning: "A request that is wrong is answered as if it were right.",
		Advice: "Refuse it. A harvester that misspells an argument would else take all records for those it asked " +
			"for."},
	{Code: CodeOtherError, Severity: model.Error, Clause: "3.6",
		Meaning: "A request that is wrong is answered by another error than the protocol has for it.",
		Advice:  "Use the code that is named: harvesters go by it. noRecordsMatch, for one, is no failure to them."},
}

var identifyEntries = []finding.Entry{
	{Code: CodeName, Severity: model.Error, Clause: "4.2", Meaning: "Identify has no repositoryName.",
		Advice: "Give the repository a name for people."},
	{Code: CodeBaseURL, Severity: model.Error, Clause: "4.2",
		Meaning: "The baseURL of Identify is not the URL that is asked.",
		Advice: "Make them the same, letter by letter: scheme, host, port, slash at the end. Behind a proxy the " +
			"server must be told its URL."},
	{Code: CodeVersion, Severity: model.Error, Clause: "4.2", Meaning: "The protocolVersion is not 2.0.",
		Advice: "Write 2.0."},
	{Code: CodeEmail, Severity: model.Error, Clause: "4.2",
		Meaning: "There is no adminEmail, or it is not an address that works from elsewhere.",
		Advice:  "Give one at which the administrator can be reached."},
	{Code: CodeMailto, Severity: model.Warning, Clause: "4.2", Meaning: "The adminEmail begins with mailto:.",
		Advice: "Write the address alone."},
	{Code: CodeGranularity, Severity: model.Error, Clause: "4.2",
		Meaning: "The granularity is neither YYYY-MM-DD nor YYYY-MM-DDThh:mm:ssZ.",
		Advice:  "Write the one that datestamps have."},
	{Code: CodeEarliest, Severity: model.Error, Clause: "4.2",
		Meaning: "The earliestDatestamp is no date of the repository's granularity.",
		Advice:  "Write it as datestamps are written."},
	{Code: CodeDeletedRecord, Severity: model.Error, Clause: "2.5.1",
		Meaning: "deletedRecord is not no, transient or persistent; or it is no, and records are deleted.",
		Advice:  "Say what is done: persistent only when tombstones are never dropped."},
	{Code: CodeScheme, Severity: model.Error, Clause: "4.2",
		Meaning: "The description of identifiers is not right, or stands there twice.",
		Advice: "scheme is oai, delimiter a colon, repositoryIdentifier a domain, and sampleIdentifier begins with " +
			"both. Leave it out when identifiers are not of this kind."},
}

var formatEntries = []finding.Entry{
	{Code: CodePrefix, Severity: model.Error, Clause: "3.4",
		Meaning: "A metadataPrefix has other characters than letters, digits and -_.!~*'(), or stands there twice.",
		Advice:  "Call the format otherwise."},
	{Code: CodeDC, Severity: model.Error, Clause: "2.5",
		Meaning: "Records are not to be had in oai_dc, or something else is called so.",
		Advice: "Every record must be had in oai_dc, with namespace http://www.openarchives.org/OAI/2.0/oai_dc/ and " +
			"schema http://www.openarchives.org/OAI/2.0/oai_dc.xsd."},
	{Code: CodeSetSpec, Severity: model.Error, Clause: "2.6",
		Meaning: "A setSpec has other characters than letters, digits and -_.!~*'(), in parts with colons between.",
		Advice: "Write other characters in a way that can be undone: + and % are not allowed, so that " +
			"percent-encoding does not help. docs/reference/580_oai.md has one (\"Sets\")."},
	{Code: CodeSetTwice, Severity: model.Error, Clause: "2.6", Meaning: "A set is listed twice.",
		Advice: "List each once."},
	{Code: CodeSetName, Severity: model.Error, Clause: "2.6", Meaning: "A set has no name.",
		Advice: "Give it a setName."},
	{Code: CodeSetAbove, Severity: model.Warning, Clause: "2.6",
		Meaning: "A set is listed, and not the one above it, of which it is a part.",
		Advice:  "List that too: whoever chooses from the list does not find it."},
	{Code: CodeSetUnlisted, Severity: model.Error, Clause: "2.6",
		Meaning: "A header names a set that ListSets does not list.",
		Advice:  "List all sets, or name only those that are listed."},
	{Code: CodeSetMissing, Severity: model.Error, Clause: "2.7.2",
		Meaning: "A record is in a set by its header, and is not found when the set is asked for.",
		Advice:  "A record of a set is in the sets above it too."},
	{Code: CodeSetOther, Severity: model.Error, Clause: "2.7.2",
		Meaning: "A list of a set has a record that is not in it by its header.",
		Advice:  "Name in the header each set that leads to the record."},
}
