package survey

import "quire/model/finding"

const (
	keepBoth = "Nothing has to be done: both are told, each with its place. Ask whoever delivered the harvest when " +
		"it matters which is right."
	askAgain  = "Ask whoever delivered the harvest for the file once more; what is there is kept and used."
	lookAtLog = "Look at the place that is named. All other lines are read."
	moreThere = "Use --verbose, or look at the file itself: what is not listed one by one is still counted."
)

// Catalogue explains each code. A finding itself states its severity: it depends on what was found.
var Catalogue = finding.Sorted("a source", "", []finding.Entry{
	// What folders and archives hold.
	{Code: "SOURCE-PATH", Meaning: "A path in an archive, or in a log, leads out of the source.",
		Advice: "It was not followed. In an archive it may be an attack or the mistake of a tool: unpack a copy by " +
			"hand, in a place of its own, and look."},
	{Code: "SOURCE-LINK", Meaning: "A link, a device or a pipe lies in the source.",
		Advice: "It was not followed. If what it leads to belongs to the harvest, copy that to its place."},
	{Code: "SOURCE-TWIN", Meaning: "An archive has several files of one path; the last one counts.",
		Advice: "Unpacking would keep the last as well. Look at the others when the harvest was written in several " +
			"goes."},
	{Code: "SOURCE-BOMB", Meaning: "Something inflates to far more than people pack, or lies about its size.",
		Advice: "It was refused. Find out where the archive is from before it is opened by other means."},
	{Code: "SOURCE-TORN", Meaning: "An archive or a file in it is damaged.", Advice: askAgain},
	{Code: "SOURCE-REFUSED",
		Meaning: "More was refused than is listed, or more archives lie in a source than are opened.",
		Advice:  "Name the folders or archives within one by one."},
	{Code: "SOURCE-LARGE", Meaning: "Something is larger than any of its kind, and was read in part or not at all.",
		Advice: "Look whether it is what it seems to be. Nothing of it is lost: the file is kept as it is."},
	{Code: "SOURCE-MORE", Meaning: "More was found than is listed.", Advice: moreThere},

	// What must not be shown to everyone.
	{Code: "SOURCE-SECRET", Meaning: "A file holds a password, a key or somebody's session.",
		Advice: "It stays as it is and is marked as restricted in the package. Change the password where it still is " +
			"one."},
	{Code: "SOURCE-PERSONAL", Meaning: "A file names persons, with more than their names.",
		Advice: "It stays as it is and is marked as restricted in the package. Decide by your rules on privacy who " +
			"may see it."},

	// What is known of a harvest.
	{Code: "SOURCE-UNDOCUMENTED", Meaning: "Nothing but the content itself tells of the harvest.",
		Advice: "Look for logs, reports and agreements of that time before the package is made; what is not known is " +
			"recorded as not known."},
	{Code: "SOURCE-RENAMED", Meaning: "A container had another name when it was written.",
		Advice: "Nothing has to be done. Logs and indexes of the time use the old name."},
	{Code: "SOURCE-NO-RECORD", Meaning: "A file has the name of a container, and begins with no record.",
		Advice: "Run quire inspect on it: it says what is there, and whether records lie further behind."},
	{Code: "SOURCE-UNFINISHED", Meaning: "A container has the name of one that the crawler did not finish.",
		Advice: "Run quire inspect on it; its last record may be cut off. Everything before is sound."},
	{Code: "SOURCE-CONFIGURATION", Meaning: "A configuration cannot be read.",
		Advice: "Look at the place that is named. Without it, user agent, scope and limits are known from other " +
			"places, or not."},
	{Code: "SOURCE-SEVERAL", Meaning: "Several files lie side by side of which one counted, and nothing says which.",
		Advice: "See which one was read. Move the others elsewhere when it is the wrong one."},
	{Code: "SOURCE-LISTED", Meaning: "The crawler or the system lists a file that is not there.",
		Advice: "Ask for it when it is a container. Logs and state of the crawler are often left out on purpose."},
	{Code: "SOURCE-UNLISTED",
		Meaning: "A file is there that the list of the system does not have: it has no checksum there.",
		Advice:  "Nothing has to be done: the file is kept, and gets a checksum now."},
	{Code: "SOURCE-SIZE", Meaning: "A file has another size than the list of the system says.", Advice: askAgain},
	{Code: "SOURCE-DIGEST", Meaning: "A file has another checksum than the one that lies beside it.", Advice: askAgain},
	{Code: "SOURCE-DIFFERS", Meaning: "Two places tell different things of one fact.", Advice: keepBoth},
	{Code: "SOURCE-DUMP", Meaning: "A dump of a database cannot be read in part.",
		Advice: "Look at the place that is named. What the other rows tell is used."},
	{Code: "SOURCE-DESCRIPTION", Meaning: "A METS is not well-formed, or is cut off.",
		Advice: "What stands before the place is read. The file itself is kept as it is."},
	{Code: "SOURCE-FILE-ID", Meaning: "Several files have one ID in the METS, or one name.",
		Advice: "Nothing has to be done: they are told apart by what else is known."},
	{Code: "SOURCE-MIMETYPE", Meaning: "The METS calls containers text.",
		Advice: "Nothing has to be done: the Web Curator Tool did so."},
	{Code: "SOURCE-VERSIONS",
		Meaning: "Several results of one harvest lie side by side: as it came, and as curators pruned it.",
		Advice:  "Decide which one is to be kept; the one that was endorsed is named."},

	// NetarchiveSuite.
	{Code: "SOURCE-JOB", Meaning: "What tells the number of a job contradicts itself.",
		Advice: keepBoth + " A metadata file may have been renamed without being written anew."},
	{Code: "SOURCE-METADATA", Meaning: "A metadata file cannot be read, or only in part.", Advice: askAgain},
	{Code: "SOURCE-MIGRATION", Meaning: "A line that should tell where a record was moved to cannot be read.",
		Advice: "Duplicates that refer to the old place of that record are not found."},
	{Code: "SOURCE-SUPERSEDED", Meaning: "A document of a job is there again in a later metadata file.",
		Advice: "Nothing has to be done: the later one counts, and the earlier one is kept."},

	// PANDAS.
	{Code: "SOURCE-TARBALL", Meaning: "A tarball, its list or its sums cannot be read.", Advice: askAgain},
	{Code: "PANDAS-CHANGED", Meaning: "Files of an instance were changed after they were gathered.",
		Advice: "Prefer the preservation tarball, which was made before; both are kept."},
	{Code: "PANDAS-URL-MAP", Meaning: "A line of url.map says what cannot be, or what other witnesses contradict.",
		Advice: lookAtLog},

	// Logs, of every crawler.
	{Code: "LOG-LINE", Meaning: "A line of a log cannot be read.", Advice: lookAtLog},

	// HTTrack.
	{Code: "HTTRACK-AMBIGUOUS", Meaning: "A name in the log means two files.",
		Advice: "See which one was taken: the log does not escape percent signs."},
	{Code: "HTTRACK-CACHE", Meaning: "The cache of HTTrack is damaged, or says what cannot be.",
		Advice: "What can be read of it is used. Files on disk stand in for the rest, with a lower grade."},
	{Code: "HTTRACK-MORE", Meaning: "More was found than is listed.", Advice: moreThere},
	{Code: "HTTRACK-SHARED-FILE", Meaning: "Several URLs say that they are the same file.",
		Advice: "Nothing has to be done: mostly one was redirected to the other. The one with an answer has the file."},
	{Code: "HTTRACK-SIZE", Meaning: "A file is not as large as cache or log say.",
		Advice: "It was cut off, or changed after the crawl; it is marked as differing."},
	{Code: "HTTRACK-UNCLAIMED", Meaning: "A file that no URL and no habit of HTTrack explains.",
		Advice: "Look at it: it may have been put there by hand. It is kept with the mirror."},
	{Code: "HTTRACK-UNFINISHED", Meaning: "The log does not say that the mirror was complete.",
		Advice: "The crawl was broken off, or the log was. What is there is read."},

	// wget.
	{Code: "WGET-ARGUMENTS", Meaning: "The containers of a set do not agree on wget's arguments.", Advice: keepBoth},
	{Code: "WGET-FILE-GONE", Meaning: "The log says that a file was saved, and it is not there.",
		Advice: "Look for it where the mirror is from; temporary files are deleted by wget itself."},
	{Code: "WGET-LOG-LOST", Meaning: "The log of a set should be there, and is not.",
		Advice: "Look for the file ending in -meta.warc.gz."},
	{Code: "WGET-MISSING", Meaning: "A container of a set is not there.", Advice: askAgain},
	{Code: "WGET-MORE", Meaning: "More was found than is listed.", Advice: moreThere},
	{Code: "WGET-SIZE", Meaning: "A file has another size than the log says.",
		Advice: "It was cut off, or changed after the crawl."},
	{Code: "WGET-UNCLAIMED", Meaning: "A file of which nothing tells the URL.",
		Advice: "Look at it: it may have been put there by hand. It is kept with the mirror."},
	{Code: "WGET-UNFINISHED", Meaning: "The log does not say that the run came to its end.",
		Advice: "The crawl was broken off, or the log was. What is there is read."},

	// What an OAI-PMH server answered to quire oai harvest.
	{Code: "OAI-RECORD", Meaning: "A record cannot be read.",
		Advice: "Its bytes are kept in the folder refused, and the finding says what is wrong. Tell the " +
			"administrator of the server; the next harvest takes it when it has changed."},
	{Code: "OAI-PROLOG", Meaning: "An XML declaration stands within a record.",
		Advice: "It was passed over, and the record kept. Tell the administrator of the server: other harvesters " +
			"refuse such records."},
	{Code: "OAI-DATE", Meaning: "A date is not written as the protocol has it.",
		Advice: "It was read as well as could be: without a zone as UTC. Tell the administrator of the server."},
	{Code: "OAI-NAMESPACE",
		Meaning: "The elements of the protocol stand in another namespace than that of OAI-PMH 2.0.",
		Advice: "They were read all the same. Tell the administrator of the server: strict harvesters see no " +
			"records."},
	{Code: "OAI-ENVELOPE", Meaning: "Something in an answer does not belong there, or is missing.",
		Advice: "The records were read all the same. Mostly a program of the server writes its warnings into the " +
			"answer."},
	{Code: "OAI-ENCODING", Meaning: "An answer is in another encoding, or compressed otherwise, than it says.",
		Advice: "It was read as what it is. Tell the administrator of the server."},
	{Code: "OAI-TOKEN", Meaning: "A resumptionToken breaks a rule.",
		Advice: "It was used all the same. Compare the number of records with what the server announces."},
	{Code: "OAI-UNAVAILABLE", Meaning: "The server was busy, failed or broke off, and was asked again.",
		Advice: "Nothing has to be done when the harvest is complete. When it happens often, harvest at another hour," +
			" or with --delay."},
	{Code: "OAI-REDIRECT", Meaning: "The server sent the harvester elsewhere.",
		Advice: "Use the new address as base URL when it is there to stay."},
	{Code: "HARVEST-SERVER",
		Meaning: "Something that the server says of itself, or does not answer, is not as the protocol has it.",
		Advice:  "quire oai check tests the server and explains what is wrong."},
	{Code: "HARVEST-RESTART", Meaning: "A list could not be followed to its end, and was asked for anew.",
		Advice: "Nothing has to be done when the harvest is complete: what came twice is there once."},
	{Code: "HARVEST-INCOMPLETE", Meaning: "The server does not give all that it lists: records are missing.",
		Advice: "Call quire oai harvest again later: it asks for all once more, and keeps what is new. When it stays " +
			"so, tell the administrator of the server."},
	{Code: "HARVEST-UNFINISHED", Meaning: "A harvest was stopped before its end.",
		Advice: "Call quire oai harvest again with the same arguments before the package is made: it goes on where " +
			"it was."},
	{Code: "HARVEST-COUNT", Meaning: "Another number of records came than the server had announced.",
		Advice: "Many servers count roughly. Harvest again, and compare."},
	{Code: "HARVEST-MISSING",
		Meaning: "The bytes of a resource are not here: the record refers to a place where they could not be had, or " +
			"says why it does not give them.",
		Advice: "Look at the reason. What the server and its tools say of the resource is kept."},
	{Code: "HARVEST-DIFFERS", Meaning: "The bytes of a resource are not those that the record says they are.",
		Advice: "They are kept, and marked. The resource may have changed while it was sent: harvest it again."},
	{Code: "HARVEST-DOCUMENT", Meaning: "Something is wrong in a CRATE or DIDL.",
		Advice: "What can be read of it is kept, the rest as it came. Tell the administrator of the server."},
	{Code: "HARVEST-NOTICE", Meaning: "The server says of a resource what it could not do, or what it withholds.",
		Advice: "Nothing has to be done; the notice is kept with the resource."},

	// A website that nothing documents.
	{Code: "SOURCE-URL-PREFIX", Meaning: "Nothing tells at which URL the files of a website stood.",
		Advice: "Give it with --url-prefix. Without, the files are kept, and no URL is made up."},
	{Code: "SOURCE-SCRIPT", Meaning: "Files are programs that a server runs: nobody was sent these bytes.",
		Advice: "They are kept. What visitors saw is not among the files; look for a crawl of the site."},

	// Packages of Webrecorder's tools, and what they say of themselves.
	{Code: "WACZ-DATAPACKAGE-MISSING", Meaning: "A package has no datapackage.json.",
		Advice: "What it holds is read by what the files are. " + askAgain},
	{Code: "WACZ-DATAPACKAGE", Meaning: "datapackage.json is not what the specification asks for.",
		Advice: "What can be read of it is used. Ask who made the package, and with which version, when it matters."},
	{Code: "WACZ-PROFILE", Meaning: "datapackage.json states no profile, or one that is not known.",
		Advice: "Nothing has to be done: Browsertrix has never written one."},
	{Code: "WACZ-RESOURCE", Meaning: "datapackage.json does not describe a file as it should.",
		Advice: "Nothing has to be done for the file itself: it is read and kept."},
	{Code: "WACZ-RESOURCE-MISSING", Meaning: "A file that datapackage.json lists is not there.", Advice: askAgain},
	{Code: "WACZ-RESOURCE-HASH", Meaning: "A file has another hash than datapackage.json states.",
		Advice: "Either the file was changed, or the tool stated a wrong hash, as js-wacz 0.1.6 does. " + askAgain},
	{Code: "WACZ-RESOURCE-SIZE", Meaning: "A file has another size than datapackage.json states.", Advice: askAgain},
	{Code: "WACZ-UNLISTED", Meaning: "A file lies in the package that datapackage.json does not list.",
		Advice: "It is kept. No hash vouches for it."},
	{Code: "WACZ-DIGEST", Meaning: "datapackage-digest.json is not what the specification asks for.",
		Advice: "A signature in it cannot be checked. " + askAgain},
	{Code: "WACZ-DIGEST-HASH", Meaning: "datapackage.json has another hash than datapackage-digest.json states.",
		Advice: "What was signed is not what is there: do not rely on the signature."},
	{Code: "WACZ-PAGES", Meaning: "A line of a list of pages cannot be read.", Advice: lookAtLog},
	{Code: "WACZ-PAGES-MISSING", Meaning: "The package has no pages/pages.jsonl.",
		Advice: "Nothing is lost but the list of pages; what was captured is in the containers."},
	{Code: "WACZ-UNREADABLE", Meaning: "A file of the package cannot be read to its end.", Advice: askAgain},
	{Code: "WACZ-INDEX-MISSING", Meaning: "The package has no index.",
		Advice: "Nothing has to be done: an index can be made anew."},
	{Code: "WACZ-ARCHIVE-MISSING", Meaning: "The package has no container.", Advice: askAgain},
	{Code: "WACZ-SIGNATURE", Meaning: "A step of checking who signed the package failed.",
		Advice: "Look at the evidence of the step (quire identify-source --verbose). The content is kept; do not " +
			"rely on the signature."},
	{Code: "WACZ-SIGNED", Meaning: "The package is signed; the finding says by whom, and what of that was checked.",
		Advice: "Nothing has to be done. The verdict is recorded when it is packed, since certificates run out."},
	{Code: "WACZ-UNTRUSTED", Meaning: "The package is signed, and nobody says which certificates are to be trusted.",
		Advice: "Everything but the last link was checked. Keep the package's own files: they can be checked again."},
	{Code: "WACZ-COMPRESSED", Meaning: "A container is compressed once more by the zip.",
		Advice: "Nothing has to be done. Players cannot read such a package in place."},
	{Code: "WACZ-REQUIRES",
		Meaning: "The package depends on other packages: content that they have was not captured again.",
		Advice:  "See that those packages are kept as well."},
	{Code: "WACZ-MORE", Meaning: "More was found in a package than is listed.", Advice: moreThere},
	{Code: "BROWSERTRIX-PROFILE", Meaning: "The crawl used a browser profile, with its cookies and log-ins.",
		Advice: "Decide by your rules who may see what was captured: pages may show somebody's account."},
	{Code: "BROWSERTRIX-UNFINISHED", Meaning: "The log of a crawl does not say how it ended.",
		Advice: "The crawl may have been broken off. What it captured is read."},
	{Code: "BROWSERTRIX-CONFIG", Meaning: "A configuration of a crawl cannot be read.",
		Advice: "Look at the file; it is kept as it is."},
	{Code: "BROWSERTRIX-PAGEINFO", Meaning: "A record about what a page asked for cannot be read.",
		Advice: "Nothing of the content is lost: what a page failed to get may be missing from the list of what was " +
			"not captured."},
})
