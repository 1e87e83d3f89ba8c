package check

import (
	"slices"

	"quire/model"
)

// Entry says what a finding about a provider means, and what to do.
type Entry struct {
	Code     string         `json:"code"`
	Severity model.Severity `json:"severity"`
	Clause   string         `json:"clause"` // of OAI-PMH 2.0, or of what else has the rule
	Meaning  string         `json:"meaning"`
	Advice   string         `json:"advice"`
}

// Explain gives the entry of a code; false when there is no such code.
func Explain(code string) (Entry, bool) {
	i := slices.IndexFunc(catalogue, func(e Entry) bool { return e.Code == code })
	if i < 0 {
		return Entry{}, false
	}
	return catalogue[i], true
}

// Catalogue lists every entry, in the order in which a check comes to them.
func Catalogue() []Entry { return slices.Clone(catalogue) }

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

// catalogue is what "quire explain" tells of each code.
var catalogue = slices.Concat(transferEntries, documentEntries, identifyEntries, formatEntries, recordEntries, tokenEntries)

var transferEntries = []Entry{
	{CodeStatus, model.Error, "3.1.2", "The status of HTTP is another than 200, or nothing is answered at all.",
		"Send answers, those that tell of errors of the protocol among them, with status 200. Other statuses are for what has nothing to do with the protocol: 503 with Retry-After when the server is busy, 302 to another server."},
	{CodeMoved, model.Error, "3.1.2", "The provider says that it has moved for ever (status 301 or 308).",
		"Tell harvesters, and registries, the new base URL, and let Identify give it. Until they know, redirect with status 302."},
	{CodeRetryAfter, model.Warning, "3.1.2", "A busy provider (status 503) does not say in whole seconds, of an hour at most, when to come again.",
		"Send Retry-After with the number of seconds: harvesters that get none give up, or ask at once."},
	{CodeType, model.Warning, "3.1.2", "The Content-Type is not text/xml.",
		"Send Content-Type: text/xml; charset=utf-8."},
	{CodeTooLarge, model.Error, "3.5", "An answer is larger than can be taken.",
		"End pages by their size, not only by the number of their records, and give a resumptionToken."},
	{CodeCoding, model.Warning, "3.1.3", "Compression is named and not given, given and not asked for, or changes the answer.",
		"Compress with gzip only what is asked for with Accept-Encoding: gzip, and name it in Identify. A proxy may be the cause."},
	{CodePost, model.Error, "3.1.1", "The same question is answered otherwise by POST than by GET.",
		"Take arguments from the body as well, when it is application/x-www-form-urlencoded."},
}

var documentEntries = []Entry{
	{CodeNotOAI, model.Error, "3.2", "The answer is none of OAI-PMH.",
		"See whether this is the base URL; if so, what stands there instead says what is wrong: a page of a login, or of an error of the program."},
	{CodeXML, model.Error, "3.2", "The answer is not well-formed XML in UTF-8, or breaks off. Nothing of it can be trusted.",
		"The place that is named is the first one. The usual causes: characters that XML forbids in metadata (replace them where records are written), & that is not escaped, an XML declaration in front of a record, a notice of the program in the middle."},
	{CodeBytes, model.Error, "3.2", "The bytes are not in UTF-8, or not in the encoding or compression that the answer says.",
		"Write UTF-8, declare UTF-8, and send Content-Encoding only with what is compressed."},
	{CodeSchema, model.Error, "3.2.1", "The answer breaks an XML schema, of OAI-PMH or of the metadata.",
		"The message says which element or value. The schemas allow fewer characters in setSpec than MIME types have, and no mixture of elements of several formats."},
	{CodeSchemaLocation, model.Error, "3.2", "The root element does not say where the schema is, in the way that validators look for.",
		`Write xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd", with this prefix.`},
	{CodeRootSpace, model.Error, "3.2", "The elements of the protocol are not in its namespace.",
		"It is http://www.openarchives.org/OAI/2.0/, with http and the slash at its end."},
	{CodeResponseDate, model.Error, "3.2", "The responseDate is not a time in UTC with seconds, such as 2026-11-22T10:00:00Z.",
		"Write it so, always with seconds, whatever the granularity: harvesters ask the next time from this moment on."},
	{CodeClock, model.Warning, "3.2", "The responseDate is more than five minutes away from the time here.",
		"Have both machines ask a time server. A local time that is written as UTC looks like this too: whole hours apart."},
	{CodeRequestURL, model.Error, "3.2", "The element request has another URL than the base URL.",
		"Write the base URL there, as harvesters know it: behind a proxy the server must be told."},
	{CodeRequestArguments, model.Error, "3.2", "The attributes of the element request are not the arguments; or there are some beside badVerb or badArgument, where bad values could stand in them.",
		"Write each argument as it came as an attribute, and none when the error is badVerb or badArgument."},
	{CodeVerb, model.Error, "4", "A verb is not answered by its element.",
		"Look at what the answer says instead."},
	{CodeNoError, model.Error, "3.6", "A request that is wrong is answered as if it were right.",
		"Refuse it. A harvester that misspells an argument would else take all records for those it asked for."},
	{CodeOtherError, model.Error, "3.6", "A request that is wrong is answered by another error than the protocol has for it.",
		"Use the code that is named: harvesters go by it. noRecordsMatch, for one, is no failure to them."},
}

var identifyEntries = []Entry{
	{CodeName, model.Error, "4.2", "Identify has no repositoryName.", "Give the repository a name for people."},
	{CodeBaseURL, model.Error, "4.2", "The baseURL of Identify is not the URL that is asked.",
		"Make them the same, letter by letter: scheme, host, port, slash at the end. Behind a proxy the server must be told its URL."},
	{CodeVersion, model.Error, "4.2", "The protocolVersion is not 2.0.", "Write 2.0."},
	{CodeEmail, model.Error, "4.2", "There is no adminEmail, or it is not an address that works from elsewhere.", "Give one at which the administrator can be reached."},
	{CodeMailto, model.Warning, "4.2", "The adminEmail begins with mailto:.", "Write the address alone."},
	{CodeGranularity, model.Error, "4.2", "The granularity is neither YYYY-MM-DD nor YYYY-MM-DDThh:mm:ssZ.", "Write the one that datestamps have."},
	{CodeEarliest, model.Error, "4.2", "The earliestDatestamp is no date of the repository's granularity.", "Write it as datestamps are written."},
	{CodeDeletedRecord, model.Error, "2.5.1", "deletedRecord is not no, transient or persistent; or it is no, and records are deleted.",
		"Say what is done: persistent only when tombstones are never dropped."},
	{CodeScheme, model.Error, "4.2", "The description of identifiers is not right, or stands there twice.",
		"scheme is oai, delimiter a colon, repositoryIdentifier a domain, and sampleIdentifier begins with both. Leave it out when identifiers are not of this kind."},
}

var formatEntries = []Entry{
	{CodePrefix, model.Error, "3.4", "A metadataPrefix has other characters than letters, digits and -_.!~*'(), or stands there twice.", "Call the format otherwise."},
	{CodeDC, model.Error, "2.5", "Records are not to be had in oai_dc, or something else is called so.",
		"Every record must be had in oai_dc, with namespace http://www.openarchives.org/OAI/2.0/oai_dc/ and schema http://www.openarchives.org/OAI/2.0/oai_dc.xsd."},
	{CodeSetSpec, model.Error, "2.6", "A setSpec has other characters than letters, digits and -_.!~*'(), in parts with colons between.",
		"Write other characters in a way that can be undone: + and % are not allowed, so that percent-encoding does not help. docs/oai.md has one (\"Sets\")."},
	{CodeSetTwice, model.Error, "2.6", "A set is listed twice.", "List each once."},
	{CodeSetName, model.Error, "2.6", "A set has no name.", "Give it a setName."},
	{CodeSetAbove, model.Warning, "2.6", "A set is listed, and not the one above it, of which it is a part.", "List that too: whoever chooses from the list does not find it."},
	{CodeSetUnlisted, model.Error, "2.6", "A header names a set that ListSets does not list.", "List all sets, or name only those that are listed."},
	{CodeSetMissing, model.Error, "2.7.2", "A record is in a set by its header, and is not found when the set is asked for.",
		"A record of a set is in the sets above it too."},
	{CodeSetOther, model.Error, "2.7.2", "A list of a set has a record that is not in it by its header.", "Name in the header each set that leads to the record."},
}
