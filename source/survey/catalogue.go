package survey

import (
	"cmp"
	"maps"
	"slices"
)

// Entry says what a finding about a source means, and what to do. How bad it is, the finding itself says: it depends on what was
// found.
type Entry struct {
	Code    string `json:"code"`
	Meaning string `json:"meaning"`
	Advice  string `json:"advice"`
}

// Explain gives the entry of a code; false when there is no such code.
func Explain(code string) (Entry, bool) {
	e, ok := catalogue[code]
	return Entry{code, e[0], e[1]}, ok
}

// Catalogue lists every entry, in the order of the codes.
func Catalogue() []Entry {
	all := make([]Entry, 0, len(catalogue))
	for _, code := range slices.SortedFunc(maps.Keys(catalogue), cmp.Compare[string]) {
		e, _ := Explain(code)
		all = append(all, e)
	}
	return all
}

const (
	keepBoth  = "Nothing has to be done: both are told, each with its place. Ask whoever delivered the harvest when it matters which is right."
	askAgain  = "Ask whoever delivered the harvest for the file once more; what is there is kept and used."
	lookAtLog = "Look at the place that is named. All other lines are read."
	moreThere = "Use --verbose, or look at the file itself: what is not listed one by one is still counted."
)

// catalogue has, by code, the meaning in one sentence and what to do.
var catalogue = map[string][2]string{
	// What folders and archives hold.
	"SOURCE-PATH":    {"A path in an archive, or in a log, leads out of the source.", "It was not followed. In an archive it may be an attack or the mistake of a tool: unpack a copy by hand, in a place of its own, and look."},
	"SOURCE-LINK":    {"A link, a device or a pipe lies in the source.", "It was not followed. If what it leads to belongs to the harvest, copy that to its place."},
	"SOURCE-TWIN":    {"An archive has several files of one path; the last one counts.", "Unpacking would keep the last as well. Look at the others when the harvest was written in several goes."},
	"SOURCE-BOMB":    {"Something inflates to far more than people pack, or lies about its size.", "It was refused. Find out where the archive is from before it is opened by other means."},
	"SOURCE-TORN":    {"An archive or a file in it is damaged.", askAgain},
	"SOURCE-REFUSED": {"More was refused than is listed, or more archives lie in a source than are opened.", "Name the folders or archives within one by one."},
	"SOURCE-LARGE":   {"Something is larger than any of its kind, and was read in part or not at all.", "Look whether it is what it seems to be. Nothing of it is lost: the file is kept as it is."},
	"SOURCE-MORE":    {"More was found than is listed.", moreThere},

	// What must not be shown to everyone.
	"SOURCE-SECRET":   {"A file holds a password, a key or somebody's session.", "It stays as it is and is marked as restricted in the package. Change the password where it still is one."},
	"SOURCE-PERSONAL": {"A file names persons, with more than their names.", "It stays as it is and is marked as restricted in the package. Decide by your rules on privacy who may see it."},

	// What is known of a harvest.
	"SOURCE-UNDOCUMENTED":  {"Nothing but the content itself tells of the harvest.", "Look for logs, reports and agreements of that time before the package is made; what is not known is recorded as not known."},
	"SOURCE-RENAMED":       {"A container had another name when it was written.", "Nothing has to be done. Logs and indexes of the time use the old name."},
	"SOURCE-NO-RECORD":     {"A file has the name of a container, and begins with no record.", "Run quire inspect on it: it says what is there, and whether records lie further behind."},
	"SOURCE-UNFINISHED":    {"A container has the name of one that the crawler did not finish.", "Run quire inspect on it; its last record may be cut off. Everything before is sound."},
	"SOURCE-CONFIGURATION": {"A configuration cannot be read.", "Look at the place that is named. Without it, user agent, scope and limits are known from other places, or not."},
	"SOURCE-SEVERAL":       {"Several files lie side by side of which one counted, and nothing says which.", "See which one was read. Move the others elsewhere when it is the wrong one."},
	"SOURCE-LISTED":        {"The crawler or the system lists a file that is not there.", "Ask for it when it is a container. Logs and state of the crawler are often left out on purpose."},
	"SOURCE-UNLISTED":      {"A file is there that the list of the system does not have: it has no checksum there.", "Nothing has to be done: the file is kept, and gets a checksum now."},
	"SOURCE-SIZE":          {"A file has another size than the list of the system says.", askAgain},
	"SOURCE-DIGEST":        {"A file has another checksum than the one that lies beside it.", askAgain},
	"SOURCE-DIFFERS":       {"Two places tell different things of one fact.", keepBoth},
	"SOURCE-DUMP":          {"A dump of a database cannot be read in part.", "Look at the place that is named. What the other rows tell is used."},
	"SOURCE-DESCRIPTION":   {"A METS is not well-formed, or is cut off.", "What stands before the place is read. The file itself is kept as it is."},
	"SOURCE-FILE-ID":       {"Several files have one ID in the METS, or one name.", "Nothing has to be done: they are told apart by what else is known."},
	"SOURCE-MIMETYPE":      {"The METS calls containers text.", "Nothing has to be done: the Web Curator Tool did so."},
	"SOURCE-VERSIONS":      {"Several results of one harvest lie side by side: as it came, and as curators pruned it.", "Decide which one is to be kept; the one that was endorsed is named."},

	// NetarchiveSuite.
	"SOURCE-JOB":        {"What tells the number of a job contradicts itself.", keepBoth + " A metadata file may have been renamed without being written anew."},
	"SOURCE-METADATA":   {"A metadata file cannot be read, or only in part.", askAgain},
	"SOURCE-MIGRATION":  {"A line that should tell where a record was moved to cannot be read.", "Duplicates that refer to the old place of that record are not found."},
	"SOURCE-SUPERSEDED": {"A document of a job is there again in a later metadata file.", "Nothing has to be done: the later one counts, and the earlier one is kept."},

	// PANDAS.
	"SOURCE-TARBALL": {"A tarball, its list or its sums cannot be read.", askAgain},
	"PANDAS-CHANGED": {"Files of an instance were changed after they were gathered.", "Prefer the preservation tarball, which was made before; both are kept."},
	"PANDAS-URL-MAP": {"A line of url.map says what cannot be, or what other witnesses contradict.", lookAtLog},

	// Logs, of every crawler.
	"LOG-LINE": {"A line of a log cannot be read.", lookAtLog},

	// HTTrack.
	"HTTRACK-AMBIGUOUS":   {"A name in the log means two files.", "See which one was taken: the log does not escape percent signs."},
	"HTTRACK-CACHE":       {"The cache of HTTrack is damaged, or says what cannot be.", "What can be read of it is used. Files on disk stand in for the rest, with a lower grade."},
	"HTTRACK-MORE":        {"More was found than is listed.", moreThere},
	"HTTRACK-SHARED-FILE": {"Several URLs say that they are the same file.", "Nothing has to be done: mostly one was redirected to the other. The one with an answer has the file."},
	"HTTRACK-SIZE":        {"A file is not as large as cache or log say.", "It was cut off, or changed after the crawl; it is marked as differing."},
	"HTTRACK-UNCLAIMED":   {"A file that no URL and no habit of HTTrack explains.", "Look at it: it may have been put there by hand. It is kept with the mirror."},
	"HTTRACK-UNFINISHED":  {"The log does not say that the mirror was complete.", "The crawl was broken off, or the log was. What is there is read."},

	// wget.
	"WGET-ARGUMENTS":  {"The containers of a set do not agree on wget's arguments.", keepBoth},
	"WGET-FILE-GONE":  {"The log says that a file was saved, and it is not there.", "Look for it where the mirror is from; temporary files are deleted by wget itself."},
	"WGET-LOG-LOST":   {"The log of a set should be there, and is not.", "Look for the file ending in -meta.warc.gz."},
	"WGET-MISSING":    {"A container of a set is not there.", askAgain},
	"WGET-MORE":       {"More was found than is listed.", moreThere},
	"WGET-SIZE":       {"A file has another size than the log says.", "It was cut off, or changed after the crawl."},
	"WGET-UNCLAIMED":  {"A file of which nothing tells the URL.", "Look at it: it may have been put there by hand. It is kept with the mirror."},
	"WGET-UNFINISHED": {"The log does not say that the run came to its end.", "The crawl was broken off, or the log was. What is there is read."},

	// What an OAI-PMH server answered to quire oai harvest.
	"OAI-RECORD":         {"A record cannot be read.", "Its bytes are kept in the folder refused, and the finding says what is wrong. Tell the administrator of the server; the next harvest takes it when it has changed."},
	"OAI-PROLOG":         {"An XML declaration stands within a record.", "It was passed over, and the record kept. Tell the administrator of the server: other harvesters refuse such records."},
	"OAI-DATE":           {"A date is not written as the protocol has it.", "It was read as well as could be: without a zone as UTC. Tell the administrator of the server."},
	"OAI-NAMESPACE":      {"The elements of the protocol stand in another namespace than that of OAI-PMH 2.0.", "They were read all the same. Tell the administrator of the server: strict harvesters see no records."},
	"OAI-ENVELOPE":       {"Something in an answer does not belong there, or is missing.", "The records were read all the same. Mostly a program of the server writes its warnings into the answer."},
	"OAI-ENCODING":       {"An answer is in another encoding, or compressed otherwise, than it says.", "It was read as what it is. Tell the administrator of the server."},
	"OAI-TOKEN":          {"A resumptionToken breaks a rule.", "It was used all the same. Compare the number of records with what the server announces."},
	"OAI-UNAVAILABLE":    {"The server was busy, failed or broke off, and was asked again.", "Nothing has to be done when the harvest is complete. When it happens often, harvest at another hour, or with --delay."},
	"OAI-REDIRECT":       {"The server sent the harvester elsewhere.", "Use the new address as base URL when it is there to stay."},
	"HARVEST-SERVER":     {"Something that the server says of itself, or does not answer, is not as the protocol has it.", "quire oai check tests the server and explains what is wrong."},
	"HARVEST-RESTART":    {"A list could not be followed to its end, and was asked for anew.", "Nothing has to be done when the harvest is complete: what came twice is there once."},
	"HARVEST-INCOMPLETE": {"The server does not give all that it lists: records are missing.", "Call quire oai harvest again later: it asks for all once more, and keeps what is new. When it stays so, tell the administrator of the server."},
	"HARVEST-UNFINISHED": {"A harvest was stopped before its end.", "Call quire oai harvest again with the same arguments before the package is made: it goes on where it was."},
	"HARVEST-COUNT":      {"Another number of records came than the server had announced.", "Many servers count roughly. Harvest again, and compare."},
	"HARVEST-MISSING":    {"The bytes of a resource are not here: the record refers to a place where they could not be had, or says why it does not give them.", "Look at the reason. What the server and its tools say of the resource is kept."},
	"HARVEST-DIFFERS":    {"The bytes of a resource are not those that the record says they are.", "They are kept, and marked. The resource may have changed while it was sent: harvest it again."},
	"HARVEST-DOCUMENT":   {"Something is wrong in a CRATE or DIDL.", "What can be read of it is kept, the rest as it came. Tell the administrator of the server."},
	"HARVEST-NOTICE":     {"The server says of a resource what it could not do, or what it withholds.", "Nothing has to be done; the notice is kept with the resource."},

	// A website that nothing documents.
	"SOURCE-URL-PREFIX": {"Nothing tells at which URL the files of a website stood.", "Give it with --url-prefix. Without, the files are kept, and no URL is made up."},
	"SOURCE-SCRIPT":     {"Files are programs that a server runs: nobody was sent these bytes.", "They are kept. What visitors saw is not among the files; look for a crawl of the site."},

	// Packages of Webrecorder's tools, and what they say of themselves.
	"WACZ-DATAPACKAGE-MISSING": {"A package has no datapackage.json.", "What it holds is read by what the files are. " + askAgain},
	"WACZ-DATAPACKAGE":         {"datapackage.json is not what the specification asks for.", "What can be read of it is used. Ask who made the package, and with which version, when it matters."},
	"WACZ-PROFILE":             {"datapackage.json states no profile, or one that is not known.", "Nothing has to be done: Browsertrix has never written one."},
	"WACZ-RESOURCE":            {"datapackage.json does not describe a file as it should.", "Nothing has to be done for the file itself: it is read and kept."},
	"WACZ-RESOURCE-MISSING":    {"A file that datapackage.json lists is not there.", askAgain},
	"WACZ-RESOURCE-HASH":       {"A file has another hash than datapackage.json states.", "Either the file was changed, or the tool stated a wrong hash, as js-wacz 0.1.6 does. " + askAgain},
	"WACZ-RESOURCE-SIZE":       {"A file has another size than datapackage.json states.", askAgain},
	"WACZ-UNLISTED":            {"A file lies in the package that datapackage.json does not list.", "It is kept. No hash vouches for it."},
	"WACZ-DIGEST":              {"datapackage-digest.json is not what the specification asks for.", "A signature in it cannot be checked. " + askAgain},
	"WACZ-DIGEST-HASH":         {"datapackage.json has another hash than datapackage-digest.json states.", "What was signed is not what is there: do not rely on the signature."},
	"WACZ-PAGES":               {"A line of a list of pages cannot be read.", lookAtLog},
	"WACZ-PAGES-MISSING":       {"The package has no pages/pages.jsonl.", "Nothing is lost but the list of pages; what was captured is in the containers."},
	"WACZ-UNREADABLE":          {"A file of the package cannot be read to its end.", askAgain},
	"WACZ-INDEX-MISSING":       {"The package has no index.", "Nothing has to be done: an index can be made anew."},
	"WACZ-ARCHIVE-MISSING":     {"The package has no container.", askAgain},
	"WACZ-SIGNATURE":           {"A step of checking who signed the package failed.", "Look at the evidence of the step (quire identify-source --verbose). The content is kept; do not rely on the signature."},
	"WACZ-SIGNED":              {"The package is signed; the finding says by whom, and what of that was checked.", "Nothing has to be done. The verdict is recorded when it is packed, since certificates run out."},
	"WACZ-UNTRUSTED":           {"The package is signed, and nobody says which certificates are to be trusted.", "Everything but the last link was checked. Keep the package's own files: they can be checked again."},
	"WACZ-COMPRESSED":          {"A container is compressed once more by the zip.", "Nothing has to be done. Players cannot read such a package in place."},
	"WACZ-REQUIRES":            {"The package depends on other packages: content that they have was not captured again.", "See that those packages are kept as well."},
	"WACZ-MORE":                {"More was found in a package than is listed.", moreThere},
	"BROWSERTRIX-PROFILE":      {"The crawl used a browser profile, with its cookies and log-ins.", "Decide by your rules who may see what was captured: pages may show somebody's account."},
	"BROWSERTRIX-UNFINISHED":   {"The log of a crawl does not say how it ended.", "The crawl may have been broken off. What it captured is read."},
	"BROWSERTRIX-CONFIG":       {"A configuration of a crawl cannot be read.", "Look at the file; it is kept as it is."},
	"BROWSERTRIX-PAGEINFO":     {"A record about what a page asked for cannot be read.", "Nothing of the content is lost: what a page failed to get may be missing from the list of what was not captured."},
}
