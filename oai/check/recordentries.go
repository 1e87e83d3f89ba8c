package check

import (
	"quire/model"
	"quire/model/finding"
)

var recordEntries = []finding.Entry{
	{Code: CodeIdentifier, Severity: model.Error, Clause: "2.4", Meaning: "An identifier is not a URI.",
		Advice: "Write a URI with a scheme. Write characters that a URI forbids as %XX."},
	{Code: CodeTwice, Severity: model.Error, Clause: "2.5",
		Meaning: "A list has the same record twice with the same datestamp.",
		Advice: "Continue after the last record by its datestamp and identifier, not by a number: " +
			"additions shift the numbers."},
	{Code: CodeDatestamp, Severity: model.Error, Clause: "2.7.1",
		Meaning: "A datestamp is not written in the repository's granularity, in UTC.",
		Advice:  "Write it as in Identify: without fractions of a second, and with Z instead of an offset."},
	{Code: CodeFuture, Severity: model.Error, Clause: "2.7.1", Meaning: "A datestamp is in the future.",
		Advice: "The datestamp is the time of the record's last change, in UTC. A harvest up to today " +
			"misses a later one."},
	{Code: CodeEarlier, Severity: model.Error, Clause: "4.2", Meaning: "A datestamp is before earliestDatestamp.",
		Advice: "earliestDatestamp must be a lower bound of all datestamps, including those of deleted " +
			"records."},
	{Code: CodeOrder, Severity: model.Info, Clause: "3.5",
		Meaning: "The list is not in the order of datestamps. The order is optional.",
		Advice: "No action is necessary. In that order, a harvester can continue an interrupted harvest " +
			"from the last date even if its token has expired."},
	{Code: CodeDeletedMetadata, Severity: model.Error, Clause: "2.5.1", Meaning: "A deleted record has metadata.",
		Advice: "Send only its header."},
	{Code: CodeNoMetadata, Severity: model.Error, Clause: "2.5",
		Meaning: "A record has no metadata but is not deleted.",
		Advice:  "Send its metadata, or leave the record out of lists of this format."},
	{Code: CodeMetadataSpace, Severity: model.Error, Clause: "3.4",
		Meaning: "The metadata are in another namespace than in ListMetadataFormats.",
		Advice:  "Make both identical, letter by letter."},
	{Code: CodeHeader, Severity: model.Error, Clause: "2.5",
		Meaning: "Two verbs return different headers of a record.",
		Advice: "Make headers in one place. The usual cause is two datestamps: that of the search index " +
			"and that of the record."},
	{Code: CodeGetRecord, Severity: model.Error, Clause: "4.1",
		Meaning: "GetRecord does not return a listed record.",
		Advice:  "Look up identifiers exactly as they are in lists."},
	{Code: CodeLists, Severity: model.Error, Clause: "4.3",
		Meaning: "ListRecords lacks records of ListIdentifiers.",
		Advice: "If a record cannot be written, find the cause. If it does not exist in the format, " +
			"ListIdentifiers must not list it."},
	{Code: CodeSelect, Severity: model.Error, Clause: "2.7.1",
		Meaning: "A list for a record's own datestamp lacks the record.",
		Advice: "from and until are inclusive and apply to the datestamp of the header: the search must " +
			"use the same field in the same zone."},
	{Code: CodeDay, Severity: model.Error, Clause: "2.7.1",
		Meaning: "A repository with a granularity of seconds does not find a record by its day.",
		Advice:  "Accept days in from and until: until means the last second of its day."},
	{Code: CodeRange, Severity: model.Error, Clause: "2.7.1",
		Meaning: "A list has a record with a datestamp outside the requested range.",
		Advice: "from and until apply to the datestamp of the header: the search must use the same field " +
			"in the same zone."},
}

var tokenEntries = []finding.Entry{
	{Code: CodeTokenTwo, Severity: model.Error, Clause: "3.5", Meaning: "A page has more than one resumptionToken.",
		Advice: "Send one, at the end of the list."},
	{Code: CodeTokenFirst, Severity: model.Error, Clause: "3.5",
		Meaning: "A list of one page has an empty resumptionToken.",
		Advice:  "Omit the element: an empty one ends lists of several pages."},
	{Code: CodeTokenLast, Severity: model.Error, Clause: "3.5",
		Meaning: "The last page of a list has no resumptionToken.",
		Advice: "End the list with an empty one. It shows the harvester that the list is complete, not " +
			"interrupted."},
	{Code: CodeTokenCursor, Severity: model.Error, Clause: "3.5",
		Meaning: "The cursor is not the number of records before the page.",
		Advice:  "Count from 0, or omit the attribute."},
	{Code: CodeTokenSize, Severity: model.Warning, Clause: "3.5",
		Meaning: "The completeListSize differs from the number of records received.",
		Advice: "It may be an estimate. If it should be exact, the list lost records, or another query " +
			"makes the count."},
	{Code: CodeTokenLoop, Severity: model.Error, Clause: "3.5",
		Meaning: "A token repeats an earlier one: the list never ends.",
		Advice:  "A token must lead to the next page. Store in it the start of its page."},
	{Code: CodeTokenDead, Severity: model.Error, Clause: "3.5", Meaning: "The server refuses a new token.",
		Advice: "A token is sent alone with its verb. It must hold, or refer to, the whole request: " +
			"prefix, dates, set. A lost request must not invalidate it."},
	{Code: CodeTokenRepeat, Severity: model.Error, Clause: "3.5.1",
		Meaning: "A second request with the same token returns another page.",
		Advice: "The last token must stay valid until the next one is used, so that a harvester can " +
			"repeat a lost request. If records changed at this moment, run the check again."},
	{Code: CodeTokenExpired, Severity: model.Error, Clause: "3.5",
		Meaning: "A new token has already expired.",
		Advice:  "expirationDate is in UTC, and must be later than the answer."},
	{Code: CodeEmptyPage, Severity: model.Error, Clause: "3.5", Meaning: "A page has no record.",
		Advice: "Send a token only if another record follows the page: read one record ahead. The schema " +
			"forbids an empty list."},
}
